"""Inertias of files: what rounding made impossible is mended with a warning, what it does not explain is refused."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import numpy as np

from ..errors import unknown_name
from ..formats.doubts import doubt
from ..spatial import Inertia
from ..spatial.inertia_checks import ROUND_OFF, moment_matrix
from ..spatial.second_moments import principal_moments, shortfall

WAYS = ("check", "repair", "keep")
WAY_OUT = 'cd.load(path, inertias="repair"), on the command line --inertias repair, takes the nearest body'
SHARE = 0.01  # of a moment: inertias of files are not known better
FEW_DIGITS = 0.05  # of a moment: the most that is put down to rounding to few digits
SMALLEST = 1e-6  # [m]: a mass within this of its centre is a point


def checked_way(inertias: str | None, default: str = "check") -> str:
    """What to do with inertias that no body has, by default `default`."""
    if inertias is not None and inertias not in WAYS:
        raise unknown_name("way with inertias", inertias, WAYS, "cd.load")
    return inertias or default


def file_inertia(
    mass: float, com, moment, who: str, way: str = "check", room: float = 0.0, tell: Callable[[str], None] | None = None
) -> Inertia:
    """The inertia that a file gives `who`, or the nearest that a body has, with a warning that tells the change.

    A change that rounding explains is made: up to 1 % of the largest moment, or half a unit of the last digit written;
    so is one that does not matter, up to `room` [kg m²]. Others need `way` "repair", else BadInertia is raised. The way
    "keep" takes all moments as they are. `tell` is called with the warning instead.
    """
    moment = moment_matrix(moment)
    if mass >= 0.0 and shortfall(moment) <= ROUND_OFF:
        return Inertia(mass, com, moment)
    tell = tell or (lambda words: doubt(f"{who}: {words}"))
    moments = principal_moments(moment)[0]
    if way == "keep" and mass >= 0.0:
        why = "two sum to less than the third" if moments.min() >= 0.0 else "one about a principal axis is negative"
        tell(f"its moments of inertia are taken as written, though {why}, as in no body")
        return Inertia._made(mass, com, moment)
    nearest = Inertia.nearest(mass, com, moment)
    change = float(np.abs(nearest.moment - moment).max())
    small = mass >= 0.0 and change <= max(_rounding(moment), room, mass * SMALLEST**2)
    if not small and way != "repair":
        return Inertia(mass, com, moment)  # which says why there is no such body
    lost = f"; its mass {mass:.6g} kg becomes 0" if mass < 0.0 else ""
    was = ", ".join(f"{x:.4g}" for x in moments)
    tell(
        f"no body has the principal moments {was} kg m²; they are replaced by the nearest that one has, "
        f"{change:.3g} kg m² away{lost}"
    )
    return nearest


def room_beside(whole: Inertia) -> float:
    """What a moment may change by unnoticed [kg m²] in a rigid body with the inertia `whole`."""
    return SHARE * float(whole.principal()[0][0])


def _rounding(moment: np.ndarray) -> float:
    """What rounding explains [kg m²]: a share of the largest moment, or half a unit of the finest digit written."""
    largest = float(np.abs(principal_moments(moment)[0]).max())
    written = [float(x) for x in moment[np.triu_indices(3)] if x != 0.0]
    unit = min((10.0 ** int(Decimal(repr(x)).normalize().as_tuple().exponent) for x in written), default=0.0)
    return max(SHARE * largest, min(0.5 * unit * (1.0 + 1e-9), FEW_DIGITS * largest))
