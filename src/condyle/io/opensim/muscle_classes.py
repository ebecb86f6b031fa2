"""Classes of forces along paths in .osim files, as laws of `condyle.muscles` with their constants."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ...model.muscle_paths.muscle_laws import LAWS
from .osim_records import Component, Force

CLASSES = {
    "Thelen2003Muscle": "thelen",
    "Millard2012EquilibriumMuscle": "millard",
    "Millard2012AccelerationMuscle": "",
    "DeGrooteFregly2016Muscle": "de_groote_fregly",
    "Schutte1993Muscle_Deprecated": "schutte",
    "Schutte1993Muscle": "schutte",
    "RigidTendonMuscle": "rigid_tendon",
    "Ligament": "ligament",
    "McKibbenActuator": "mckibben",
    "PathSpring": "path_spring",
    "Blankevoort1991Ligament": "blankevoort",
    "PathActuator": "path_actuator",
}
SPACING = 1e-7  # of two points of a curve at one x
SPLINES = ("SimmSpline", "NaturalCubicSpline", "natCubicSpline")
CURVES = {
    "ActiveForceLengthCurve": "active",
    "ForceVelocityCurve": "velocity",
    "FiberForceLengthCurve": "passive",
    "TendonForceLengthCurve": "tendon",
}


def law_of(force: Force) -> tuple[str, dict[str, Any]]:
    """The law of a force, "path" if condyle has none, and those of its properties that are constants of it."""
    law = CLASSES.get(force.kind, "")
    if not law:
        return "path", {}
    found: dict[str, Any] = _numbers(force.properties, LAWS[law])
    for name, prefix in CURVES.items():
        curve = force.get(name)
        if law == "millard" and isinstance(curve, Component):
            found |= _numbers({f"{prefix}_{key}": x for key, x in curve.properties.items()}, LAWS[law])
    for name, x in force.properties.items():
        if name in LAWS[law] and isinstance(x, Component):
            if x.kind not in SPLINES:
                return "path", {}
            found[name] = _points(*(tuple(map(float, x.properties[axis])) for axis in ("x", "y")))
    return law, found


def _points(x: tuple[float, ...], y: tuple[float, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The points of a curve; of two at one x, the second a little later, as OpenSim has them."""
    apart = [b + SPACING if a == b else b for a, b in pairwise(x)]
    return (*x[:1], *apart), y


def _numbers(properties: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, float]:
    """The properties that are constants of a law."""
    return {name: float(x) for name, x in properties.items() if name in known and isinstance(x, (int, float, bool))}
