"""Functions of condyle in the classes of OpenSim, where one of these is exactly the same function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ....joints.functions import Function
from ....joints.functions.simm_spline import simm_spline
from ....joints.segments import POLYNOMIAL, SINUSOID
from ..joints.osim_splines import natural_spline
from .xml_elements import element, numbers

SAME = 1e-10  # relative: two splines are one function
ONE = 1e-14  # OpenSim counts angles in degrees only where the slope is 1 or −1 to the last digit; unit axes are not


class Written(NamedTuple):
    """A function as an element, the coordinates of its joint that it reads, and whether it is one of these itself."""

    element: str
    coordinates: tuple[int, ...] = ()
    plain: bool = False  # linear of slope 1 or −1


def constant(value: float) -> Written:
    """A constant function."""
    return Written(element("Constant", numbers("value", value)))


def written(parts: Sequence[Function]) -> Written | None:
    """The sum of functions in one of OpenSim; None where no class of it is the same."""
    moving, offset = [f for f in parts if f.term.coordinates], sum(_constant(f) for f in parts if not f.coordinates)
    if not moving:
        return constant(float(offset))
    if all(f.term.code == POLYNOMIAL and not f.grid.breaks for f in moving):
        return _polynomial(moving, float(offset))
    if len(moving) > 1 or len(moving[0].term.coordinates) > 1:
        return None
    return _single(moving[0], float(offset))


def _constant(f: Function) -> float:
    return f.weight * float(f.term.constants.reshape(-1)[0])


def _polynomial(parts: Sequence[Function], offset: float) -> Written:
    read = tuple(dict.fromkeys(c for f in parts for c in f.term.coordinates))
    total = np.zeros([max(_order(f, c) for f in parts) for c in read])
    total[(0,) * len(read)] = offset
    for f in parts:
        c = np.transpose(f.term.constants[0], [f.term.coordinates.index(x) for x in read if x in f.term.coordinates])
        c = c.reshape([_order(f, x) for x in read])
        total[tuple(slice(0, n) for n in c.shape)] += f.weight * c
    if len(read) > 1:
        return Written(_multivariate(total), read)
    if len(total) <= 2:
        slope = float(total[1]) if len(total) > 1 else 0.0
        slope = round(slope) if abs(abs(slope) - 1.0) < ONE else slope
        return Written(element("LinearFunction", numbers("coefficients", [slope, total[0]])), read, abs(slope) == 1.0)
    return Written(element("PolynomialFunction", numbers("coefficients", total[::-1])), read)


def _order(f: Function, coordinate: int) -> int:
    """How many powers of a coordinate there are."""
    at = f.term.coordinates
    return f.term.constants.shape[1 + at.index(coordinate)] if coordinate in at else 1


def _multivariate(c: np.ndarray) -> str:
    """All powers up to a total order; those of the last coordinate run fastest."""
    order = int(max(sum(p) for p in np.argwhere(c != 0.0))) if c.any() else 0
    powers = [p for p in np.ndindex((order + 1,) * c.ndim) if sum(p) <= order]
    values = [c[p] if all(k < n for k, n in zip(p, c.shape, strict=True)) else 0.0 for p in powers]
    head = element("dimension", str(c.ndim)) + element("order", str(order))
    return element("MultivariatePolynomialFunction", numbers("coefficients", values), head)


def _single(f: Function, offset: float) -> Written | None:
    read = f.term.coordinates
    if f.term.code == SINUSOID and not f.grid.breaks:
        middle, amplitude, omega, phase = f.term.constants[0]
        values = {"amplitude": f.weight * amplitude, "omega": omega, "phase": phase,
                  "offset": f.weight * middle + offset}  # fmt: skip
        return Written(element("Sine", *(numbers(k, x) for k, x in values.items())), read)
    if f.term.code != POLYNOMIAL or f.grid.periodic[0]:
        return None
    x = f.grid.breaks[0]
    y = f(x) + offset
    makers = [("SimmSpline", lambda: simm_spline(x, y), "")]
    makers += [
        ("GCVSpline", lambda h=h: natural_spline(x, y, h), element("half_order", str(h)))
        for h in (2, 3, 4) if len(x) >= 2 * h
    ]  # fmt: skip
    for tag, make, extra in makers:
        if _same(make(), f, offset, x):
            return Written(element(tag, extra, numbers("x", x), numbers("y", y)), read)
    return None


def _same(spline: Function, f: Function, offset: float, x: np.ndarray) -> bool:
    """Whether two functions with knots at x are the same: seven points of every piece, and of as much beyond the ends.

    Not by coefficients, which rounding changes a lot where knots are close together.
    """
    ends = x[[0, -1]] + (x[-1] - x[0]) * np.array([-0.5, 0.5])
    between = np.linspace(0.0, 1.0, 7, endpoint=False)
    knots = np.array([ends[0], *x, ends[1]])
    at = (knots[:-1, None] + np.diff(knots)[:, None] * between).ravel()
    expected = f(at) + offset
    return bool(np.abs(spline(at) - expected).max() <= SAME * np.abs(expected).max())


def simm_element(x: np.ndarray, y: np.ndarray) -> str:
    """A SimmSpline through points."""
    return element("SimmSpline", numbers("x", x), numbers("y", y))


def scaled(f: Function, by: float) -> Function:
    """A function times a number."""
    return replace(f, weight=f.weight * by)
