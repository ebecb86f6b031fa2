"""A crank and a rocker tied by a coupler: in closed form, by hand, and as a model with a loop closed by a point."""

import numpy as np

import condyle as cd

GROUND, CRANK, COUPLER, ROCKER = 1.0, 0.3, 1.0, 0.7
PEN = (0.5, 0.3)  # a point of the coupler
BOX = cd.Inertia.box(1.0, (0.1, 0.1, 0.1))


def model(**ranges):
    """Crank and coupler in a chain, the rocker by itself, the coupler's end on the rocker's."""
    return builder(**ranges).build()


def builder(**ranges):
    """The builder of `model`."""
    b = cd.ModelBuilder()
    b.add_body("crank", None, cd.joints.revolute("z"), BOX)
    b.add_body("coupler", "crank", cd.joints.revolute("z"), BOX, cd.SE3.from_translation((CRANK, 0, 0)))
    b.add_body("rocker", None, cd.joints.revolute("z"), BOX, cd.SE3.from_translation((GROUND, 0, 0)))
    b.add_constraint(cd.constraints.point("coupler", (COUPLER, 0, 0), "rocker", (ROCKER, 0, 0)))
    for name, (low, high) in ranges.items():
        b.set_range(name, low, high)
    return b


def angles(crank, side=1.0):
    """Crank, coupler (from the crank) and rocker angles of a crank angle, by the law of cosines; two ways to close."""
    crank = np.asarray(crank, dtype=float)
    x, y = GROUND - CRANK * np.cos(crank), -CRANK * np.sin(crank)
    d, to = np.hypot(x, y), np.arctan2(y, x)
    lift = np.arccos((COUPLER**2 + d**2 - ROCKER**2) / (2 * COUPLER * d))
    coupler = to + side * lift
    end = CRANK * np.exp(1j * crank) + COUPLER * np.exp(1j * coupler)
    return np.stack([crank, coupler - crank, np.angle(end - GROUND)], axis=-1)


def pen(q):
    """Where the coupler's pen is, (x, y, 0)."""
    crank, bend = np.moveaxis(np.asarray(q), -1, 0)[:2]
    at = CRANK * np.exp(1j * crank) + complex(*PEN) * np.exp(1j * (crank + bend))
    return np.stack([at.real, at.imag, 0 * at.real], axis=-1)


def gap(q):
    """How far the loop is from closed, by hand."""
    crank, bend, rocker = np.moveaxis(np.asarray(q), -1, 0)
    end = CRANK * np.exp(1j * crank) + COUPLER * np.exp(1j * (crank + bend))
    return np.abs(end - GROUND - ROCKER * np.exp(1j * rocker))
