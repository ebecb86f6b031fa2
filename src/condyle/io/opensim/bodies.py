"""Masses and inertias of bodies."""

from __future__ import annotations

import numpy as np

from ...errors import BadInertia
from ...spatial import Inertia
from ..inertias import WAY_OUT, file_inertia
from .omissions import Report
from .osim_document import Node

PRODUCTS = ("xx", "yy", "zz", "xy", "xz", "yz")
ONE_INERTIA = 30500  # from this version on a body has one element with all moments


def inertia_of(node: Node, way: str, report: Report) -> Inertia:
    """Mass, centre of mass and moments of a body; those that no body has are treated as `cd.load` is told."""
    if node.numbers("mass") is None:
        node.fail("a body needs a mass [kg]")
    mass, com = node.number("mass", 0.0), node.vector("mass_center", 3, [0.0] * 3)
    if node.child("inertia") is not None:
        moment = node.vector("inertia", 6, [0.0] * 6)
    else:
        moment = np.array([node.number(f"inertia_{p}", 0.0) for p in PRODUCTS])
        if moment.any() and node.version >= ONE_INERTIA:
            report.add("bodies", node.name, "inertia_xx … are used, which OpenSim does not read in files this new")
    if mass == 0.0:
        if moment.any():
            report.add("bodies", node.name, "without mass, so their moments of inertia are not used, as in OpenSim")
        return Inertia.massless()
    try:
        return file_inertia(mass, com, moment, "", way, tell=lambda words: report.doubt("bodies", node.name, words))
    except BadInertia as error:
        node.fail(f"{error}; {WAY_OUT}")
