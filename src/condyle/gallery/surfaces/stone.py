"""A stone that rocks in a dish: two spline surfaces in contact, one of them inverted, rolling without slip.

Each surface is the graph of a B-spline of order 6 and carries a frame with its z axis along the normal, so that
A(x, y) · spin · half turn · B(a, b)⁻¹ is a joint of five coordinates (`joints.on` and `joints.contact`). It keeps its
rank while the stone is rounder than the dish is hollow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import NdBSpline

from ...joints import Joint, contact, on
from ...model import ModelBuilder
from ...model.constraints import roll
from ...model.look.overlays import Sheet
from ...spatial import Inertia
from ...splines import even_knots, greville
from ..scene import PALETTE, SHEET, Scene

ORDER = 6
CONTROLS = 9  # each way
DISH, STONE = 0.5, 0.16  # [m] half widths of the two graphs
LIGHT = (0.95, 0.93, 0.88)  # colour of a mark that shows how the stone turns
SHOWN = 0.38  # [m] half width of the part of the dish that is drawn


def _side(half: float) -> np.ndarray:
    """Places of the control points of clamped knots."""
    return greville(_knots(half), ORDER)


def _knots(half: float) -> np.ndarray:
    return even_knots(-half, half, CONTROLS, ORDER)


def dish_heights() -> np.ndarray:
    """Control heights of the dish [m]: a bowl with gentle waves."""
    x, y = np.meshgrid(_side(DISH), _side(DISH), indexing="ij")
    return 0.5 * x * x + 0.35 * y * y + 0.008 * np.sin(6.0 * x) * np.cos(5.0 * y)


def stone_heights() -> np.ndarray:
    """Control heights of the stone's underside [m], seen from below: a dome, longer and askew one way."""
    x, y = np.meshgrid(_side(STONE), _side(STONE), indexing="ij")
    return -2.2 * x * x - 3.4 * y * y - 0.5 * x * y


def graph_spline(heights: np.ndarray, half: float) -> NdBSpline:
    """The surface z(x, y) on [−half, half]²."""
    return NdBSpline((_knots(half), _knots(half)), heights, ORDER - 1)


def graph(heights: np.ndarray, half: float, names=("x", "y")) -> Joint:
    """A frame on a graph, z along its normal."""
    return on(graph_spline(heights, half), names=names)


def stone(slip: bool = False, start: ArrayLike = (0.16, -0.12, 0.5, 0.05, -0.03)) -> Scene:
    """A stone of 2 kg let go aslant in a dish.

    Parameters
    ----------
    slip : bool, optional
        Slide without friction instead of rolling.
    start : sequence of 5 floats, optional
        Place on the dish (x, y) [m], spin [rad], place on the stone (a, b) [m].

    Returns
    -------
    Scene
    """
    dish, under = graph(dish_heights(), DISH), graph(stone_heights(), STONE, names=("a", "b"))
    b = ModelBuilder()
    inertia = Inertia.box(2.0, (0.26, 0.20, 0.07), com=(0.0, 0.0, -0.045))
    b.add_body("stone", joint=contact(dish, under), inertia=inertia)
    if not slip:
        b.add_constraint(roll("stone", dish))
    seen = {"sheets": (_hollow(), *_body()), "camera": (34, -60), "moments": (0.0, 0.8, 2.7)}
    return Scene("stone", b.build(), np.array(start), np.zeros(5), duration=3.0, **seen)


def _hollow(count: int = 17) -> Sheet:
    """The middle of the dish."""
    x, y = np.meshgrid(*(np.linspace(-SHOWN, SHOWN, count),) * 2, indexing="ij")
    height = graph_spline(dish_heights(), DISH)(np.stack([x, y], axis=-1))
    return Sheet(None, np.stack([x, y, height], axis=-1), SHEET, 0.92)


def _body() -> tuple[Sheet, ...]:
    """The stone as drawn: the part of its underside above a flat top, that top, a mark on it; an ellipse around."""
    r, a = np.meshgrid(np.linspace(0.0, 1.0, 9), np.linspace(0.0, 2.0 * np.pi, 33), indexing="ij")
    x, y = 0.15 * r * np.cos(a), 0.11 * r * np.sin(a)
    under = np.stack([x, y, graph_spline(stone_heights(), STONE)(np.stack([x, y], axis=-1))], axis=-1)
    top = under * (1.0, 1.0, 0.0) + (0.0, 0.0, under[-1, :, 2].min() - 0.02)
    wall = np.stack([under[-1], top[-1]])
    mark = [[(x, y, top[0, 0, 2] - 0.002) for x in (0.0, 0.14)] for y in (-0.011, 0.011)]
    parts = ((under, PALETTE[0]), (wall, PALETTE[0]), (top, PALETTE[0]), (mark, LIGHT))
    return tuple(Sheet("stone", part, color, 1.0, False) for part, color in parts)


def check() -> None:
    """Energy stays while it rolls."""
    assert np.ptp(stone().run(0.2, record=0.05).energy().total) < 1e-7
