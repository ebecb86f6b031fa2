"""The laws of forces along paths: their constants by OpenSim's names, with OpenSim's defaults, and checks of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import acos, isfinite, pi
from types import MappingProxyType
from typing import Any

from ...errors import BadValue, UnknownName, require, unknown_name

_MUSCLE = {
    "max_isometric_force": 1000.0,  # N
    "optimal_fiber_length": 0.1,  # m
    "tendon_slack_length": 0.2,  # m
    "pennation_angle_at_optimal": 0.0,  # rad
    "max_contraction_velocity": 10.0,  # optimal fibre lengths per second
    "ignore_tendon_compliance": 0.0,  # 1: the tendon is rigid
    "ignore_activation_dynamics": 0.0,  # 1: the activation is the excitation
    "min_control": 0.0,
    "max_control": 1.0,
}
_THELEN = {
    "activation_time_constant": 0.015,  # s
    "deactivation_time_constant": 0.050,
    "minimum_activation": 0.01,
    "maximum_pennation_angle": acos(0.1),
    "FmaxTendonStrain": 0.04,
    "FmaxMuscleStrain": 0.6,
    "KshapeActive": 0.45,
    "KshapePassive": 5.0,
    "Af": 0.25,
    "Flen": 1.4,
    "fv_linear_extrap_threshold": 0.95,
}
_MILLARD = {
    "activation_time_constant": 0.010,
    "deactivation_time_constant": 0.040,
    "minimum_activation": 0.01,
    "maximum_pennation_angle": acos(0.1),
    "fiber_damping": 0.1,
    "active_min_norm_active_fiber_length": 0.4441,
    "active_transition_norm_fiber_length": 0.73,
    "active_max_norm_active_fiber_length": 1.8123,
    "active_shallow_ascending_slope": 0.8616,
    "active_minimum_value": 0.1,
    "velocity_concentric_slope_at_vmax": 0.0,
    "velocity_concentric_slope_near_vmax": 0.25,
    "velocity_isometric_slope": 5.0,
    "velocity_eccentric_slope_at_vmax": 0.0,
    "velocity_eccentric_slope_near_vmax": 0.15,
    "velocity_max_eccentric_velocity_force_multiplier": 1.4,
    "velocity_concentric_curviness": 0.6,
    "velocity_eccentric_curviness": 0.9,
    "passive_strain_at_zero_force": 0.0,
    "passive_strain_at_one_norm_force": 0.7,
    "passive_stiffness_at_low_force": 0.2,
    "passive_stiffness_at_one_norm_force": None,  # 2 / (strain at one − strain at zero)
    "passive_curviness": 0.75,
    "tendon_strain_at_one_norm_force": 0.049,
    "tendon_stiffness_at_one_norm_force": None,  # 1.375 / strain
    "tendon_norm_force_at_toe_end": 2.0 / 3.0,
    "tendon_curviness": 0.5,
}
_DE_GROOTE = {
    "activation_time_constant": 0.015,
    "deactivation_time_constant": 0.060,
    "minimum_activation": 0.0,
    "maximum_pennation_angle": acos(0.1),
    "active_force_width_scale": 1.0,
    "fiber_damping": 0.0,
    "ignore_passive_fiber_force": 0.0,
    "passive_fiber_strain_at_one_norm_force": 0.6,
    "tendon_strain_at_one_norm_force": 0.049,
}
# points (x, y) of curves, as OpenSim has them: cubic pieces through all points, lines beyond
_ACTIVE_POINTS = (
    (-5.307692, -4.307692, -1.923077, -0.884615, -0.269231, 0.230769, 0.461538, 0.52725, 0.62875, 0.71875, 0.86125,
     1.045, 1.2175, 1.43875, 1.5, 1.615385, 2.0, 2.961538, 3.692308, 5.461538, 9.901902),
    (0.012188, 0.021899, 0.036466, 0.052493, 0.075312, 0.114158, 0.157859, 0.226667, 0.636667, 0.856667, 0.95,
     0.993333, 0.77, 0.246667, 0.193821, 0.133252, 0.072683, 0.044417, 0.036341, 0.021899, 0.007332),
)  # fmt: skip
_PASSIVE_POINTS = (
    (-5.0, 0.998, 0.999, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.601, 1.602, 5.0),
    (0.0, 0.0, 0.0, 0.0, 0.035, 0.12, 0.26, 0.55, 1.17, 2.0, 2.0, 2.0, 2.0),
)
_TENDON_POINTS = (
    (-10.0, -0.002, -0.001, 0.0, 0.00131, 0.00281, 0.00431, 0.00581, 0.00731, 0.00881, 0.0103, 0.0118, 0.0123, 9.2,
     9.201, 9.202, 20.0),
    (0.0, 0.0, 0.0, 0.0, 0.0108, 0.0257, 0.0435, 0.0652, 0.0915, 0.123, 0.161, 0.208, 0.227, 345.0, 345.0, 345.0,
     345.0),
)  # fmt: skip
_VELOCITY_POINTS = (
    (-1.001, *(round(0.05 * k, 2) for k in range(-20, 21))),
    (0.0, 0.0, 0.010417, 0.021739, 0.034091, 0.047619, 0.0625, 0.078947, 0.097222, 0.117647, 0.140625, 0.166667,
     0.196429, 0.230769, 0.270833, 0.318182, 0.375, 0.444444, 0.53125, 0.642857, 0.791667, 1.0, 1.482014, 1.601571,
     1.655791, 1.686739, 1.706751, 1.720753, 1.731099, 1.739055, 1.745365, 1.75049, 1.754736, 1.758312, 1.761364,
     1.763999, 1.766298, 1.768321, 1.770115, 1.771717, 1.773155, 1.774455),
)  # fmt: skip
_SCHUTTE = {
    "time_scale": 0.1,  # s
    "activation1": 7.667,
    "activation2": 1.459854,
    "damping": 0.1,
    "active_force_length_curve": _ACTIVE_POINTS,  # over fibre lengths
    "passive_force_length_curve": None,  # exp(8 (x − 1) − 4)
    "tendon_force_length_curve": _TENDON_POINTS,  # over strain
}
LAWS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "path": {},
        "thelen": _MUSCLE | _THELEN,
        "millard": _MUSCLE | _MILLARD,
        "de_groote_fregly": _MUSCLE | _DE_GROOTE,
        "schutte": _MUSCLE | _SCHUTTE,
        "rigid_tendon": _MUSCLE
        | {
            "active_force_length_curve": _ACTIVE_POINTS,
            "passive_force_length_curve": _PASSIVE_POINTS,
            "force_velocity_curve": _VELOCITY_POINTS,
        },
        "path_spring": {"stiffness": 0.0, "resting_length": 0.0, "dissipation": 0.0},
        "blankevoort": {
            "linear_stiffness": 1.0,  # N per strain
            "slack_length": 0.1,
            "transition_strain": 0.06,
            "damping_coefficient": 0.003,
        },
        "ligament": {"pcsa_force": 0.0, "resting_length": 0.0, "force_length_curve": _PASSIVE_POINTS},
        "path_actuator": {"optimal_force": 1.0},
        "mckibben": {"number_of_turns": 1.5, "thread_length": 200.0, "cord_length": 0.0},  # its control is a pressure
    }
)
MUSCLES = ("thelen", "millard", "de_groote_fregly", "schutte", "rigid_tendon")
LEAST_POINTS = 2  # of a curve
POSITIVE = frozenset(
    {"max_isometric_force", "optimal_fiber_length", "tendon_slack_length", "max_contraction_velocity", "slack_length",
     "activation_time_constant", "deactivation_time_constant", "FmaxTendonStrain", "FmaxMuscleStrain", "KshapeActive",
     "KshapePassive", "Af", "active_force_width_scale", "passive_fiber_strain_at_one_norm_force",
     "tendon_strain_at_one_norm_force", "transition_strain", "optimal_force", "time_scale",
     "damping", "number_of_turns", "thread_length"}
)  # fmt: skip
UNUSED = {"schutte": {"max_contraction_velocity"}}  # its speeds are in optimal fibre lengths per time_scale
NOT_NEGATIVE = frozenset(
    {"stiffness", "resting_length", "dissipation", "fiber_damping", "linear_stiffness", "damping_coefficient",
     "minimum_activation", "pcsa_force", "cord_length"}
)  # fmt: skip


def check_law(who: str, law: str, constants: Mapping[str, Any]) -> None:
    """Raise if there is no such law, or if a constant is not one of it or not a number that it can have."""
    if law not in LAWS:
        raise UnknownName(f"{who}: {unknown_name('law', law, LAWS, 'condyle.muscles.LAWS')}")
    for name, value in constants.items():
        if name not in LAWS[law]:
            raise UnknownName(f"{who}: {unknown_name('constant', name, LAWS[law], f'law {law!r}')}")
        if name not in UNUSED.get(law, ()):
            _check_constant(f"{who}: {name}", name, value)
    long = law != "ligament" or constants.get("resting_length", 0.0) > 0
    require(long, f"{who}: resting_length must be positive", BadValue, got=constants.get("resting_length", 0.0))
    angle = constants.get("pennation_angle_at_optimal", 0.0)
    require(
        0.0 <= angle < pi / 2, f"{who}: pennation_angle_at_optimal must be from 0 to below π/2", BadValue, got=angle
    )


def _check_curve(who: str, value: Any) -> None:
    """Raise if points of a curve are not x that rise and as many y."""
    try:
        x, y = ([float(v) for v in part] for part in value)
    except (TypeError, ValueError):
        x, y = [], [0.0]
    good = len(x) == len(y) >= LEAST_POINTS and all(map(isfinite, x + y)) and all(a < b for a, b in pairwise(x))
    require(good, f"{who} must be (x, y): finite numbers, as many of both, x rising", BadValue, got=value)


def _check_constant(who: str, name: str, value: Any) -> None:
    if name.endswith("_curve"):
        _check_curve(who, value)
        return
    number = isinstance(value, (int, float)) and isfinite(value)
    require(number, f"{who} must be a finite number", BadValue, got=value)
    require(name not in POSITIVE or value > 0, f"{who} must be positive", BadValue, got=value)
    require(name not in NOT_NEGATIVE or value >= 0, f"{who} must not be negative", BadValue, got=value)


def complete(law: str, constants: Mapping[str, Any]) -> dict[str, Any]:
    """The constants with the law's defaults for those left out."""
    return {**LAWS[law], **constants}
