"""Functions of OpenSim as functions of condyle, which read the coordinates 0, 1, … in the order they are named."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....joints import functions
from ....joints.functions import Function, Sum
from ....joints.functions.function import total
from ....joints.functions.simm_spline import pieces_function, simm_spline
from ....joints.segments import POLYNOMIAL, Grid, Term
from ..osim_document import Node
from .osim_splines import natural_spline

DEEPEST = 20  # multipliers within multipliers
MOST_TERMS = 10_000  # of a polynomial
NEAR = 1e-12  # of the span of a spline: points that are one point
SPLINE_POINTS = 100_000


def function_in(node: Node, name: str = "function") -> Node | None:
    """The function that a property holds: inside the element of that name, or an object with that attribute.

    An object without a name is taken for the property `function`, whatever its class, so that none is passed over.
    """
    holder = node.child(name)
    inside = [] if holder is None else list(holder.children())
    named = [child for child in node.children() if child.name == name]
    objects = [child for child in node.children() if child.tag[:1].isupper() or child.tag in FUNCTIONS]
    found = [*named, *inside, *(objects if name == "function" else [])]
    return found[0] if found else None


def function_of(node: Node, count: int = 1, depth: int = 0) -> Function | Sum:
    """The function that a node describes, of `count` coordinates; refused with the line if it is not known."""
    if depth > DEEPEST:
        node.fail(f"functions more than {DEEPEST} deep")
    if node.tag not in FUNCTIONS:
        node.fail(f"condyle does not know this function; it knows {', '.join(FUNCTIONS)}")
    if node.tag == "MultiplierFunction":
        return _multiplier(node, count, depth)
    if node.tag in SEVERAL:
        return SEVERAL[node.tag](node, count)
    if count > 1 and node.tag != "Constant":
        node.fail(f"a function of one coordinate is given {count}")
    if count == 0 and node.tag != "Constant":
        node.fail("a function that is not constant needs a coordinate")
    return ONE[node.tag](node)


def _multiplier(node: Node, count: int, depth: int) -> Function | Sum:
    inner = function_in(node)
    if inner is None:
        node.fail("a multiplier needs a function")
    return function_of(inner, count, depth + 1) * node.number("scale", 1.0)


def _linear(node: Node, count: int) -> Function | Sum:
    """slope · x + offset; for several coordinates one slope for each, then the offset."""
    c = _coefficients(node, [1.0, 0.0])
    if count == 0:
        node.require(not c[:-1].any(), "a linear function needs a coordinate")
        return functions.constant(float(c[-1]))
    node.require(len(c) == count + 1, f"coefficients must be {count + 1} numbers; got {len(c)}")
    parts = [functions.linear(k, scale=float(slope)) for k, slope in enumerate(c[:-1])]
    parts[-1] = functions.linear(count - 1, scale=float(c[-2]), offset=float(c[-1]))
    return total(parts)


def _polynomial(node: Node) -> Function:
    """Highest power first."""
    return functions.polynomial(_coefficients(node, [1.0])[::-1])


def _coefficients(node: Node, default: list[float]) -> np.ndarray:
    found = node.numbers("coefficients")
    found = np.array(default) if found is None else found
    node.require(len(found) <= MOST_TERMS, f"more than {MOST_TERMS} coefficients")
    return found


def _multivariate(node: Node, count: int) -> Function:
    """Σ c x^i y^j … of a total order; the powers of the last coordinate run fastest."""
    dimension, order = int(node.number("dimension", count)), int(node.number("order", 0))
    node.require(dimension == count, f"dimension must be the number of coordinates, {count}; got {dimension}")
    few = 0 <= order <= 100 and 0 < count <= 6 and (order + 1) ** count <= MOST_TERMS
    node.require(few, f"at most 6 coordinates and {MOST_TERMS} powers; got order {order}")
    powers = [p for p in np.ndindex((order + 1,) * dimension) if sum(p) <= order]
    c = _coefficients(node, [0.0] * len(powers))
    node.require(len(c) == len(powers), f"coefficients must be {len(powers)} numbers; got {len(c)}")
    constants = np.zeros((order + 1,) * dimension)
    for power, value in zip(powers, c, strict=True):
        constants[power] = value
    return Function(Grid(), Term(POLYNOMIAL, tuple(range(dimension)), constants[None]), "MultivariatePolynomial")


def _points(node: Node, least: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """x rising and as many y."""
    x, y = node.numbers("x"), node.numbers("y")
    if x is None or y is None:
        node.fail("x and y are needed")
    node.require(len(x) == len(y) >= least, f"x and y must be as many, {least} or more; got {len(x)} and {len(y)}")
    node.require(len(x) <= SPLINE_POINTS, f"more than {SPLINE_POINTS} points")
    node.require((np.diff(x) > NEAR * np.ptp(x)).all(), "x must rise from point to point")
    return x, y


def _simm(node: Node) -> Function:
    return simm_spline(*_points(node))


def _gcv(node: Node) -> Function:
    """Without smoothing: the natural spline of degree 2 · half_order − 1."""
    half = int(node.number("half_order", 3))
    node.require(1 <= half <= 4, f"half_order must be 1 … 4; got {half}")
    variance = node.number("error_variance", 0.0)
    if variance > 0.0:
        node.fail(f"a GCVSpline that smooths its points (error_variance {variance:g}) is not known to condyle")
    x, y = _points(node, 2 * half)
    return natural_spline(x, y, half) if half > 1 else _straight(x, y)


def _piecewise_linear(node: Node) -> Function:
    return _straight(*_points(node))


def _straight(x: np.ndarray, y: np.ndarray) -> Function:
    """Lines between points; the first and the last go on."""
    slope = np.diff(y) / np.diff(x)
    local = np.stack([y[:-1], slope], axis=1)
    return pieces_function(x, local, [y[0], slope[0]], [y[-1], slope[-1]], "PiecewiseLinearFunction", len(x) > 2)


def _piecewise_constant(node: Node) -> Function:
    node.fail("a PiecewiseConstantFunction jumps, so that nothing can move by it")


def _step(node: Node) -> Function:
    """From one value to another by a quintic, constant before and after."""
    start, end = node.number("transition_start_time", 0.99), node.number("transition_end_time", 1.01)
    first, last = node.number("start_value", 0.0), node.number("end_value", 1.0)
    words = f"transition_start_time must be before transition_end_time; got {start:g} and {end:g}"
    node.require(start < end, words)
    width, rise = end - start, last - first
    local = np.array([[first, 0.0, 0.0, 10.0 * rise, -15.0 * rise, 6.0 * rise]]) / width ** np.arange(6)
    return pieces_function(np.array([start, end]), local, [first], [last], "StepFunction")


def _sine(node: Node) -> Function:
    names = (("amplitude", 1.0), ("omega", 1.0), ("phase", 0.0), ("offset", 0.0))
    amplitude, omega, phase, offset = (node.number(name, default) for name, default in names)
    return functions.sinusoid(amplitude, omega, phase, offset)


ONE: dict[str, Callable[[Node], Function]] = {
    "Constant": lambda node: functions.constant(node.number("value", 0.0)),
    "PolynomialFunction": _polynomial,
    "SimmSpline": _simm,
    "NaturalCubicSpline": _simm,
    "natCubicSpline": _simm,
    "GCVSpline": _gcv,
    "PiecewiseLinearFunction": _piecewise_linear,
    "PiecewiseConstantFunction": _piecewise_constant,
    "StepFunction": _step,
    "Sine": _sine,
}
SEVERAL: dict[str, Callable[[Node, int], Function | Sum]] = {
    "LinearFunction": _linear,
    "MultivariatePolynomialFunction": _multivariate,
}
FUNCTIONS = (*ONE, *SEVERAL, "MultiplierFunction")
