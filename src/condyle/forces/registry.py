"""All laws of force by name and by number: what builders, files, kernels and pages read."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import unknown_name
from .kernels.declaration import Law
from .kernels.laws.bushing import BUSHING
from .kernels.laws.constant_force import CONSTANT_FORCE
from .kernels.laws.coordinate_spring import COORDINATE_SPRING
from .kernels.laws.damper import DAMPER
from .kernels.laws.dry_friction import DRY_FRICTION
from .kernels.laws.exponential_limit import EXPONENTIAL_LIMIT
from .kernels.laws.gradual_limit import GRADUAL_LIMIT
from .kernels.laws.hertz import HERTZ
from .kernels.laws.hunt_crossley import HUNT_CROSSLEY
from .kernels.laws.limit import LIMIT
from .kernels.laws.smooth_contact import SMOOTH_CONTACT
from .kernels.laws.soft_limit import SOFT_LIMIT
from .kernels.laws.spring import SPRING

# the place of a law is its code in packed models: append, and never change the order
ALL = (COORDINATE_SPRING, LIMIT, DAMPER, CONSTANT_FORCE, SOFT_LIMIT, GRADUAL_LIMIT, SPRING, BUSHING, HERTZ,
       SMOOTH_CONTACT, HUNT_CROSSLEY, EXPONENTIAL_LIMIT, DRY_FRICTION)  # fmt: skip
LAWS: dict[str, Law] = {law.name: law for law in ALL}
CODES: dict[str, int] = {law.name: code for code, law in enumerate(ALL)}
READINGS: dict[str, str] = {law.name: law.reading for law in ALL}


def find_law(name: str) -> Law:
    """The law of a name.

    Parameters
    ----------
    name : str
        One of the keys of `LAWS`.

    Returns
    -------
    Law

    Raises
    ------
    UnknownName
        If there is no such law; the message has the nearest name.
    """
    if name not in LAWS:
        raise unknown_name("law of force", name, LAWS, "condyle.forces.LAWS")
    return LAWS[name]


def laws_on(reading: str) -> Iterable[Law]:
    """The laws that act on a reading, in the order of their codes."""
    return (law for law in ALL if law.reading == reading)
