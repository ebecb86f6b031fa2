"""The laws of forces along paths: their constants by OpenSim's names, with OpenSim's defaults, and checks of them."""

from __future__ import annotations

from collections.abc import Mapping
from math import acos, isfinite, pi
from types import MappingProxyType
from typing import Any

from ..errors import BadValue, require, unknown_name

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
LAWS: Mapping[str, Mapping[str, float | None]] = MappingProxyType(
    {
        "path": {},
        "thelen": _MUSCLE | _THELEN,
        "millard": _MUSCLE | _MILLARD,
        "de_groote_fregly": _MUSCLE | _DE_GROOTE,
        "path_spring": {"stiffness": 0.0, "resting_length": 0.0, "dissipation": 0.0},
        "blankevoort": {
            "linear_stiffness": 1.0,  # N per strain
            "slack_length": 0.1,
            "transition_strain": 0.06,
            "damping_coefficient": 0.003,
        },
        "path_actuator": {"optimal_force": 1.0},
    }
)
MUSCLES = ("thelen", "millard", "de_groote_fregly")
POSITIVE = frozenset(
    {"max_isometric_force", "optimal_fiber_length", "tendon_slack_length", "max_contraction_velocity", "slack_length",
     "activation_time_constant", "deactivation_time_constant", "FmaxTendonStrain", "FmaxMuscleStrain", "KshapeActive",
     "KshapePassive", "Af", "active_force_width_scale", "passive_fiber_strain_at_one_norm_force",
     "tendon_strain_at_one_norm_force", "transition_strain", "optimal_force"}
)  # fmt: skip
NOT_NEGATIVE = frozenset(
    {"stiffness", "resting_length", "dissipation", "fiber_damping", "linear_stiffness", "damping_coefficient",
     "minimum_activation"}
)  # fmt: skip


def check_law(who: str, law: str, constants: Mapping[str, Any]) -> None:
    """Raise if there is no such law, or if a constant is not one of it or not a number that it can have."""
    if law not in LAWS:
        raise unknown_name(f"{who}: law", law, LAWS, "condyle.muscles.LAWS")
    for name, value in constants.items():
        if name not in LAWS[law]:
            raise unknown_name(f"{who}: constant", name, LAWS[law], f"law {law!r}")
        _check_constant(f"{who}: {name}", name, value)
    angle = constants.get("pennation_angle_at_optimal", 0.0)
    require(
        0.0 <= angle < pi / 2, f"{who}: pennation_angle_at_optimal must be from 0 to below π/2", BadValue, got=angle
    )


def _check_constant(who: str, name: str, value: Any) -> None:
    number = isinstance(value, (int, float)) and isfinite(value)
    require(number, f"{who} must be a finite number", BadValue, got=value)
    require(name not in POSITIVE or value > 0, f"{who} must be positive", BadValue, got=value)
    require(name not in NOT_NEGATIVE or value >= 0, f"{who} must not be negative", BadValue, got=value)


def complete(law: str, constants: Mapping[str, Any]) -> dict[str, Any]:
    """The constants with the law's defaults for those left out."""
    return {**LAWS[law], **constants}
