"""Colours of lit surfaces, sky and ground. The player's shaders (`player/picture.js`) compute the same."""

from __future__ import annotations

import numpy as np

from ..setting import FILL, GROUND, SKY, SUN, Setting

GAMMA = 2.2


def linear(color) -> np.ndarray:
    """Amounts of light of a colour as it is seen on a screen."""
    return np.asarray(color, dtype=float) ** GAMMA


def displayed(color: np.ndarray) -> np.ndarray:
    """Colours as they are shown, from 0 to 1."""
    return np.clip(color, 0.0, 1.0)


def toned(light: np.ndarray) -> np.ndarray:
    """Light as it is seen on a screen: bright light saturates softly."""
    return (light * (1.0 + 0.12 * light) / (1.0 + 0.35 * light) * 1.18) ** (1.0 / GAMMA)


def lit(setting: Setting, color: np.ndarray, normals: np.ndarray, towards: np.ndarray, sun: np.ndarray) -> np.ndarray:
    """Colours (n, 3) of surfaces with unit normals, seen along `towards`, of which a share `sun` is in the sun."""
    slope = np.maximum(normals @ setting.sun, 0.0) * sun
    facing = np.clip(np.einsum("pi,pi->p", normals, towards), 0.0, 1.0)
    half = towards + setting.sun
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    gloss = 0.16 * np.maximum(np.einsum("pi,pi->p", normals, half), 0.0) ** 36 * sun
    rim = 0.10 * (1.0 - facing) ** 3 * (0.6 + 0.4 * (normals @ setting.up))
    above = 0.5 + 0.5 * (normals @ setting.up)
    sky = (0.28 + 0.42 * above)[:, None] * (linear(FILL) * 1.25)
    light = sky + np.outer(0.78 * slope, linear(SUN)) + (0.16 * facing)[:, None]
    return toned(linear(color) * light + gloss[:, None] + rim[:, None] * linear(FILL))


def background(rise: np.ndarray) -> np.ndarray:
    """The sky for directions that rise by that much (the sine of their height)."""
    share = np.clip((rise + 0.30) / 0.60, 0.0, 1.0)[..., None] ** 1.2
    return (1.0 - share) * np.array(SKY[1]) + share * np.array(SKY[0])


def ground_color(setting: Setting, places: np.ndarray, footprint: np.ndarray, dark: np.ndarray, sky) -> np.ndarray:
    """Squares of the ground at places (n, 3), darkened by shadows, lost in the sky far away."""
    side = np.cross(setting.up, setting.front)
    side /= np.linalg.norm(side)
    squares = _checker(places @ side / setting.tile, places @ np.cross(setting.up, side) / setting.tile,
                       footprint / setting.tile)  # fmt: skip
    color = squares[:, None] * np.array(GROUND[0]) + (1.0 - squares)[:, None] * np.array(GROUND[1])
    color = color * (1.0 - dark)[:, None] ** 0.8
    away = np.linalg.norm(places - setting.center, axis=1) / setting.radius
    share = np.exp(-((away / 4.5) ** 2))[:, None]
    return share * color + (1.0 - share) * sky


def _checker(x: np.ndarray, y: np.ndarray, width: np.ndarray) -> np.ndarray:
    """From 0 to 1 by turns of unit squares, blurred over a width."""
    a, b = (np.clip((np.abs(c % 2.0 - 1.0) - 0.5) / np.maximum(width, 1e-6), -0.5, 0.5) for c in (x, y))
    return 0.5 + 2.0 * a * b
