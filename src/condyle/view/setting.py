"""What surrounds a stage, alike in pictures, films, the player and the live viewer: ground, sky, light and camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .render_scene import Stage

ANGLE = 0.52  # [rad] of view from the lowest to the highest pixel
MARGIN = 1.08  # of the picture around what moves
BELOW = 2e-3  # the ground is that part of the radius below the lowest point, so that nothing lies in it
TILES = 3.5  # squares of the ground in a radius, about
# colours as they are seen on a screen: red, green, blue from 0 to 1
SKY = ((0.52, 0.64, 0.78), (0.95, 0.955, 0.96))  # above, below
GROUND = ((0.80, 0.81, 0.82), (0.755, 0.77, 0.785))  # light and dark squares
SUN, FILL = (1.0, 0.96, 0.88), (0.62, 0.70, 0.80)  # colours of the light, and of the sky's share of it


@dataclass(frozen=True)
class Shot:
    """How a picture or film is taken.

    Attributes
    ----------
    camera : tuple of two float, or None
        Height of the camera over the horizon and its direction around the vertical [degrees]; None is the usual one.
    follow : str or None
        A body that the camera goes along with.
    labels : bool
        Whether names of bodies are shown.
    """

    camera: tuple[float, float] | None = None
    follow: str | None = None
    labels: bool = False


USUAL = Shot()


@dataclass(frozen=True, eq=False)
class Setting:
    """Ground, light and a camera for a motion.

    Attributes
    ----------
    up, front, sun : ndarray, shape (3,)
        Unit vectors away from gravity, to the camera and to the light.
    ground : float or None
        Height of the ground along `up` [m]: the lowest point of the motion; None where nothing falls.
    tile : float
        Edge of a square of the ground [m]: 1, 2 or 5 times a power of ten.
    center : ndarray, shape (3,)
        The middle of what is seen [m].
    radius : float
        Of a ball about it [m].
    outline : ndarray, shape (n, 3)
        Points that the camera must see [m], from the followed body if there is one.
    path : ndarray, shape (T, 3)
        Where the camera is carried: places of the followed body, or zeros.
    margin : float
        The picture's size for that of the outline.
    """

    up: np.ndarray
    front: np.ndarray
    sun: np.ndarray
    ground: float | None
    tile: float
    center: np.ndarray
    radius: float
    outline: np.ndarray
    path: np.ndarray
    margin: float = MARGIN

    @property
    def axes(self) -> np.ndarray:
        """Rows: to the right, upwards and backwards in the picture."""
        x = np.cross(self.up, self.front) / np.linalg.norm(np.cross(self.up, self.front))
        return np.stack([x, np.cross(self.front, x), self.front])

    def proportion(self) -> float:
        """How high what is seen is for its width."""
        across, upright, _ = np.ptp(self.outline @ self.axes.T, axis=0)
        return float(upright / max(across, 1e-9))

    def camera(self, k: int, aspect: float) -> Camera:
        """The eye at a record, for a picture `aspect` times as wide as high: as near as shows the whole outline."""
        axes, high = self.axes, np.tan(0.5 * ANGLE) / self.margin
        seen = self.outline @ axes.T
        (across, far), (upright, farther) = (
            _fitted(seen[:, i], seen[:, 2], s) for i, s in ((0, high * aspect), (1, high))
        )
        return Camera(axes, axes.T @ np.array([across, upright, max(far, farther)]) + self.path[k])


@dataclass(frozen=True, eq=False)
class Camera:
    """An eye at a place [m], and its axes (rows): to the right, upwards, backwards."""

    axes: np.ndarray
    eye: np.ndarray


def _fitted(x: np.ndarray, z: np.ndarray, slope: float) -> tuple[float, float]:
    """Where along x, and how far along z, an eye sees all points between two planes of that slope."""
    right, left = (x + slope * z).max(), (slope * z - x).max()
    return 0.5 * (right - left), 0.5 * (right + left) / slope


def setting_of(stage: Stage, shot: Shot = USUAL, records: np.ndarray | None = None) -> Setting:
    """The setting of a motion; the camera frames all of it, or only some records."""
    up, front = stage.up, _towards(stage, shot.camera)
    body = None if shot.follow is None else stage.body_index(shot.follow)
    path = np.zeros((len(stage.t), 3)) if body is None else stage.xyz[:, body]
    center, radius = stage.bounds()
    falls = bool(np.any(stage.model.gravity))
    ground = stage.lowest() - BELOW * radius if falls else None
    level = front - (front @ up) * up
    level = level / max(float(np.linalg.norm(level)), 1e-12)
    sun = up + 0.25 * level - 0.40 * np.cross(up, level)
    outline = stage.everything if body is None and records is None else stage.outline(body, records)
    tile = _round_length(radius / TILES)
    return Setting(up, front, sun / np.linalg.norm(sun), ground, tile, center, radius, outline, path)


def _towards(stage: Stage, camera: tuple[float, float] | None) -> np.ndarray:
    """Unit vector to the camera: height over the horizon, direction around the vertical from x (or y if x is up)."""
    if camera is None:
        return stage.front()
    up = stage.up
    side = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    side = side - (side @ up) * up
    side /= np.linalg.norm(side)
    height, around = np.radians(camera)
    height = np.clip(height, -1.5, 1.5)
    return np.sin(height) * up + np.cos(height) * (np.cos(around) * side + np.sin(around) * np.cross(up, side))


def _round_length(length: float) -> float:
    """The nearest of 1, 2, 5 times a power of ten, from below."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(power * max(x for x in (1.0, 2.0, 5.0) if x * power <= length * (1.0 + 1e-9)))
