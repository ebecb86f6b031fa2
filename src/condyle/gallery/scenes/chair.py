"""A wooden chair to sit on."""

from __future__ import annotations

import numpy as np

from ...model.look.overlays import Sheet

WOOD = (0.62, 0.42, 0.26)
HALF, THICK, BACK, POST = 0.2, 0.03, 0.45, 0.015  # [m] of the seat's width, of boards, of the back's height, of a leg


def chair(x: float, height: float, up: str = "y") -> tuple[Sheet, ...]:
    """Seat, back and four legs; x is ahead, the middle of the seat's face at (x, height) [m] in the plane of `up`."""
    back = [(-HALF, 0.0), (-HALF - 0.02, BACK), (-HALF - 0.05, BACK), (-HALF - THICK, -THICK)]
    edge = [(x + ahead, height + above) for ahead, above in ((HALF, 0.0), *back, (HALF, -THICK))]
    boards = [[[(*p, side) for side in (-HALF, HALF)] for p in ends]
              for ends in zip(edge, edge[1:] + edge[:1], strict=True)]  # fmt: skip
    sides = [[[(*edge[i], side), (*edge[j], side)] for i, j in ((0, 5), (1, 4), (2, 3))] for side in (-HALF, HALF)]
    legs = [_post(x + ahead, side, height) for ahead in (0.17, -0.19) for side in (-0.17, 0.17)]
    return tuple(Sheet(None, _placed(grid, up), WOOD, 1.0) for grid in (*boards, *sides, *legs))


def _post(x: float, side: float, height: float) -> list:
    ring = [(1, 1), (1, -1), (-1, -1), (-1, 1), (1, 1)]
    return [[(x + POST * a, y, side + POST * b) for y in (0.0, height)] for a, b in ring]


def _placed(grid: list, up: str) -> np.ndarray:
    """Ahead, up and to the right as x, y, z; or where z is up as x, −z, y."""
    ahead, above, right = np.moveaxis(np.array(grid), -1, 0)
    return np.stack([ahead, above, right] if up == "y" else [ahead, -right, above], axis=-1)
