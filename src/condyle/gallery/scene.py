"""A mechanism ready to be run, drawn and checked: its model and start, how it moves, and what shows its shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import NotSupported, amount
from ..joints import Joint
from ..model import Model
from ..model.look.overlays import Drawn, Frames, Line, Sheet
from ..plots import Panel
from ..simulation import Trajectory, simulate
from ..skeleton import Skeleton
from ..spatial import SE3
from ..typing import PathLike

PALETTE = (
    (0.75, 0.22, 0.17), (0.12, 0.47, 0.71), (0.16, 0.62, 0.29), (0.56, 0.27, 0.68),
    (0.85, 0.51, 0.00), (0.00, 0.55, 0.55), (0.69, 0.23, 0.48), (0.36, 0.43, 0.12),
)  # fmt: skip
SHEET = (0.42, 0.60, 0.78)  # colour of a surface that stands out from the ground
WIRE = 161  # points along a wire that is drawn round
FRONT = (0.0, -90.0)  # a camera for plane scenes


@dataclass(frozen=True, eq=False)
class Scene:
    """A mechanism with its start, how it moves, what to draw and what is claimed of it.

    Parameters
    ----------
    name : str
        Also the name of its files.
    model : Model or Skeleton
    q, v : ndarray, shapes (nq,) and (nv,), or None
        Where a run begins, for a model that is simulated.
    lines, sheets, frames : tuples of Line, Sheet and Frames, optional
        What is drawn beside the bodies.
    duration, step : float, optional
        How long it is worth watching, and the step it takes well [s].
    moving : callable, optional
        Of a run: sheets whose shape depends on it.
    about : str, optional
        What is to be seen, in a sentence.
    motion : callable, optional
        Of nothing: the motion of a scene that is not simulated from a start but directed, solved or recorded.
    words : callable, optional
        Of a run: what happened, in words (default: time, energy and failures).
    extras : mapping of str to callable, optional
        Further files by name; each is written by a function of (run, path).
    camera, moments, width : tuple, int or tuple, float, optional
        The picture: elevation and azimuth [degrees], how many moments or their times [s], a moment's width [inch].
    follow : str, optional
        A body that the camera follows.
    check : callable, optional
        Raises AssertionError if a claim of the scene does not hold.
    chart : bool, optional
        Whether the model's energy is drawn beside the picture; not where a part of what moves is not in the model.
    panels : tuple of Panel, optional
        Curves that are drawn beside the picture instead of the energy.
    """

    name: str
    model: Any
    q: Any
    v: Any
    lines: tuple[Line, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    duration: float = 4.0
    frames: tuple[Frames, ...] = ()
    moving: Callable[[Trajectory], tuple[Sheet, ...]] | None = None
    step: float = 1e-3
    about: str = ""
    motion: Callable[[], Any] | None = None
    words: Callable[[Any], str] | None = None
    extras: Mapping[str, Callable[[Any, Path], object]] = field(default_factory=dict)
    camera: tuple[float, float] = (18.0, -60.0)
    moments: int | tuple[float, ...] = 3
    width: float = 4.2
    follow: str | None = None
    check: Callable[[], None] | None = None
    chart: bool = True
    panels: tuple[Panel, ...] = ()

    @property
    def drawn(self) -> tuple[Drawn, ...]:
        """All there is to draw beside the bodies."""
        return (*self.lines, *self.sheets, *self.frames)

    def seen(self, run: Trajectory) -> Scene:
        """The scene with what a run adds to the picture.

        Parameters
        ----------
        run : Trajectory
            A run of this scene's model.

        Returns
        -------
        Scene
        """
        return self if self.moving is None else replace(self, sheets=(*self.sheets, *self.moving(run)), moving=None)

    def run(self, duration: float | None = None, **options: Any) -> Any:
        """Let it move: simulate it from its start, or give the motion that was found for it.

        Parameters
        ----------
        duration : float, optional
            [s]; by default that of the scene.
        **options
            Further arguments of `simulate`.

        Returns
        -------
        Trajectory
            Of a skeleton the skeleton's own.

        Raises
        ------
        NotSupported
            If a duration or options are given to a scene whose motion is not simulated here.
        """
        if self.motion is None:
            options = {"step": self.step, **options}
            return simulate(self.model, self.q, self.v, duration=duration or self.duration, **options)
        if duration is not None or options:
            given = ", ".join(["duration"] * (duration is not None) + list(options))
            raise NotSupported(f"scene '{self.name}' has one motion and takes no {given}; call run() without them")
        return self.motion()

    def told(self, run: Any) -> str:
        """What happened in a run, in words.

        Parameters
        ----------
        run : Trajectory
            A run of this scene's model, or of its skeleton.

        Returns
        -------
        str
        """
        return _energy_told(self, run) if self.words is None else self.words(run)

    def draw(self, run: Trajectory, path: PathLike, *, player: bool = False) -> Path:
        """Save a picture of a run: moments side by side, and the scene's curves or its energy over time.

        Parameters
        ----------
        run : Trajectory
            A run of this scene's model.
        path : path
            A PNG file.
        player : bool, optional
            Save a player beside it, an HTML file of the same name.

        Returns
        -------
        Path
            The file.
        """
        from ..formats.safe_files import write_bytes
        from ..plots.moments import draw_moments
        from ..view.files.html_player import html
        from ..view.files.still_pictures import moments_of
        from ..view.setting import Shot
        from ..view.skeleton_meshes import drawable

        shown, drawn = drawable(run, self.seen(run).drawn or None)
        shot = Shot(camera=self.camera, follow=self.follow)
        stage, pictures = moments_of(shown, drawn, shot, self.moments, self.width)
        energy = (
            stage.energy if isinstance(self.model, Model) and self.chart else {}
        )  # a skeleton's has joints and motors in it
        why = _energy_change(self.model, run)[1] if energy else ""
        draw_moments(pictures, stage.t, energy, Path(path), size=self.width, panels=self.panels, why=why)
        if player:
            page = html(stage, self.about or self.name, shot=shot)
            write_bytes(Path(path).with_suffix(".html"), lambda file: file.write(page.encode()))
        return Path(path)


def skeleton_scene(name: str, skeleton: Skeleton, **options) -> Scene:
    """A skeleton that is simulated with these options, a strip of its motion and a report of what it kept."""
    extras = {
        f"{name}-strip.png": lambda run, path: run.draw_strip(path),
        f"{name}-report.png": lambda run, path: run.report().figure(path, title=name),
    }
    motion = {"motion": lambda: skeleton.simulate(**options), "words": lambda run: f"{run!r}\n{run.report()}"}
    return Scene(name, skeleton, None, None, **motion, extras=extras)


def directed_scene(
    name: str, motion: Trajectory, words: str, panels: Sequence[Panel], drawn: Sequence[Drawn] = (), **picture: Any
) -> Scene:
    """A motion that was found, what was found of it, and curves; `drawn` are lines and sheets.

    `picture` says how it is seen: `camera`, `moments`, `width`.
    """
    lines = tuple(d for d in drawn if isinstance(d, Line))
    sheets = tuple(d for d in drawn if isinstance(d, Sheet))
    found = {"motion": lambda: motion, "words": lambda run: words, "panels": tuple(panels)} | picture
    scene = Scene(name, motion.model, motion.q[0], motion.v[0], lines, sheets, float(motion.t[-1]), **found)
    return replace(scene, extras={f"{name}-chart.png": scene.draw})


def _energy_told(scene: Scene, run: Trajectory) -> str:
    """How long, what the energy did and why, and what went wrong, if anything."""
    model, (kept, words) = scene.model, _energy_change(scene.model, run)
    words = f"energy {words}, of which up to {run.energy().kinetic.max():.3g} J were motion" if kept else words
    bodies, coordinates = amount(model.nbodies, "body", "bodies"), amount(model.nv, "coordinate")
    lines = [f"{bodies}, {coordinates}, {run.t[-1]:g} s: {words}."]
    lines += [str(run.stopped)] if run.stopped is not None else []
    return "\n".join([*lines, *map(str, run.outside)])


def _energy_change(model: Model, run: Trajectory) -> tuple[bool, str]:
    """Whether nothing but the integration changes the energy, and what did, or how well it was kept, in words."""
    energy = run.energy().total
    change, damped = energy[-1] - energy[0], _has_damping(model)
    if model.prescribed:
        return False, f"the prescribed motion gave {change:+.3g} J"
    if any(f.law == "constant_force" and any(f.constants) for f in model.forces):
        return False, f"constant forces {'and damping ' if damped else ''}gave {change:+.3g} J"
    if damped:
        return False, f"damping took {-change:.3g} J"
    return True, f"kept to {np.ptp(energy):.1e} J"


def _has_damping(model: Model) -> bool:
    """Whether a load of the model, by its constant of this name, takes energy."""
    lossy = ("damping", "dissipation", "friction")
    return any(x > 0.0 for f in model.forces for name, x in f.named.items() if any(word in name for word in lossy))


def path_of(joint: Joint, samples: int = 400, placement=None) -> np.ndarray:
    """Points (samples + 1, 3) that the origin of a joint's moving frame passes, over its single coordinate's domain."""
    low, high = joint.domain[0]
    low, high = (low, high) if np.isfinite([low, high]).all() else (-np.pi, np.pi)
    poses = joint.pose(np.linspace(low, high, samples + 1)[:, None])
    return (poses if placement is None else SE3.from_matrix(placement) @ poses).xyz


def wire_sheet(body: str | None, points: np.ndarray, normal, radius: float, color: tuple[float, float, float]) -> Sheet:
    """A round wire of a `radius` along points (n, 3) [m] of a plane with this normal, in the frame of a body."""
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    if len(points) > WIRE:
        even = np.linspace(0.0, way[-1], WIRE)
        points = np.stack([np.interp(even, way, x) for x in points.T], axis=1)
    steps = np.diff(points, axis=0)
    steps /= np.linalg.norm(steps, axis=1, keepdims=True)
    closed = np.linalg.norm(points[0] - points[-1]) < 1e-6
    before, after = (steps[-1:], steps[:1]) if closed else (steps[:1], steps[-1:])
    mean = np.concatenate([before, steps]) + np.concatenate([steps, after])
    across = 2.0 * np.cross(normal, mean) / np.sum(mean * mean, axis=1, keepdims=True)  # longer where the wire bends
    angle = np.linspace(0.0, 2.0 * np.pi, 13)[:, None]
    ring = across[:, None] * np.cos(angle) + np.asarray(normal, dtype=float) * np.sin(angle)
    return Sheet(body, points[:, None] + radius * ring, color, opacity=1.0, grid=False)


def sphere_points(radius: float) -> np.ndarray:
    """A grid (37, 19, 3) of a sphere [m], to be drawn as a sheet."""
    u, w = np.meshgrid(np.linspace(0, 2 * np.pi, 37), np.linspace(0, np.pi, 19), indexing="ij")
    return radius * np.stack([np.cos(u) * np.sin(w), np.sin(u) * np.sin(w), np.cos(w)], axis=-1)


def cross(at: np.ndarray, size: float) -> tuple[Line, ...]:
    """Three short lines that meet at a place [m]."""
    return tuple(Line(None, at + 0.5 * size * np.array([-e, e])) for e in np.eye(3))
