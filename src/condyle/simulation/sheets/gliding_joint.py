"""The joint of a body on a sheet: a place, a height and two slopes, of full rank wherever the slopes are finite."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...joints import Joint, functions, product

TURN_X, TURN_Y, _, X, Y, Z = np.eye(6)
ORDER = 12  # of the pieces of angles
HELD = ("height", "slope_u", "slope_v")


@lru_cache(maxsize=8)
def gliding_joint(size: tuple[float, float], radius: float, steepest: float) -> Joint:
    """A frame at (u, v, height) whose z axis is the normal of a graph with these slopes; it refuses to leave `size`."""
    box = (-steepest, steepest)
    places = [
        functions.from_callable(lambda x: x, (0.0, side), coordinates=(c,), order=4) for c, side in enumerate(size)
    ]
    about_y = functions.from_callable(lambda a: -np.arctan(a), box, coordinates=(3,), order=ORDER)
    about_x = functions.from_callable(
        lambda a, b: np.arctan(b / np.sqrt(1.0 + a * a)), (box, box), coordinates=(3, 4), order=ORDER
    )
    twists, moves = (X, Y, Z, TURN_Y, TURN_X), (*places, functions.linear(2), about_y, about_x)
    if radius:
        twists, moves = (*twists, Z), (*moves, functions.constant(radius))
    return product(twists, moves, coordinates=("u", "v", *HELD), outside="error", title="gliding")
