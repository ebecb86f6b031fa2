"""Masses and moments of inertia of scaled bodies, by OpenSim's rules."""

from __future__ import annotations

import numpy as np

from .bodies import PRODUCTS
from .edited import set_property
from .osim_document import Node


def scale_masses(
    bodies: dict[str, Node], factors: dict[str, np.ndarray], mass: float | None, keep_distribution: bool
) -> None:  # fmt: skip
    """Scale masses, centres of mass and moments of bodies; `mass` is that of all together [kg], None leaves it.

    With `keep_distribution` masses keep their ratios, else each changes with the volume of its body.
    """
    for name, node in bodies.items():
        _scale_body(node, factors[name], not keep_distribution)
    total = sum(node.number("mass", 0.0) for node in bodies.values())
    if mass is None or total <= 0.0:
        return
    for node in bodies.values():
        set_property(node, "mass", node.number("mass", 0.0) * mass / total)
        _set_moments(node, moments_of(node) * mass / total)


def moments_of(node: Node) -> np.ndarray:
    """Moments and products of a body [kg m²]: xx, yy, zz, xy, xz, yz."""
    if node.child("inertia") is not None:
        return node.vector("inertia", 6, [0.0] * 6)
    return np.array([node.number(f"inertia_{p}", 0.0) for p in PRODUCTS])


def _set_moments(node: Node, moments: np.ndarray) -> None:
    if node.child("inertia") is not None:
        set_property(node, "inertia", moments)
        return
    for product, value in zip(PRODUCTS, moments, strict=True):
        set_property(node, f"inertia_{product}", value)


def _scale_body(node: Node, factors: np.ndarray, with_volume: bool) -> None:
    before = node.number("mass", 0.0)
    after = before * abs(float(np.prod(factors))) if with_volume else before
    set_property(node, "mass", after)
    set_property(node, "mass_center", node.vector("mass_center", 3, [0.0] * 3) * factors)
    _set_moments(node, scaled_moments(moments_of(node), before, after, factors))


def scaled_moments(moments: np.ndarray, before: float, after: float, factors: np.ndarray) -> np.ndarray:
    """Moments and products of a body that is stretched and whose mass changes.

    Stretched alike along all axes they change with the square of it. Else the body is taken for a cylinder about the
    axis of its smallest moment, whose other two moments become equal.
    """
    if before <= 0.0:
        return np.zeros(6)
    if factors[0] == factors[1] == factors[2]:
        return moments * (after / before) * factors[0] ** 2
    axis = int(np.argmin(moments[:3]))
    other = 1 if axis == 0 else 0
    radius2 = max(2.0 * moments[axis] / before, 0.0)
    length2 = max(12.0 * (moments[other] / before - 0.25 * radius2), 0.0)
    radius2 *= float(np.prod(np.delete(factors, axis)))
    length2 *= factors[axis] ** 2
    out = moments * (after / before)
    out[:3] = after * (length2 / 12.0 + 0.25 * radius2)
    out[axis] = 0.5 * after * radius2
    x, y, z = factors
    out[3:] *= (x * y, x * z, y * z)
    return out
