"""The laws of a model's muscles as the two arrays that kernels read."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sin
from typing import Any

import numpy as np

from ..joints.packing import TableBuilder
from ..model import Model
from ..model.memo import once_per_model
from ..model.muscle_laws import complete
from ..model.paths import Muscle
from .kernels import law_layout as at
from .millard_curves import active_curve, passive_curve, tendon_curve, velocity_curve

UNDAMPED = 0.001  # damping below this counts as none


@once_per_model
def packed_laws(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """The arrays `codes` and `numbers` of the laws of all muscles."""
    tables = TableBuilder()
    tables.reserve(1 + at.LAW_SIZE * len(model.muscles))
    records = [_PACKED[m.law](tables, complete(m.law, m.constants)) for m in model.muscles]
    tables.codes[0] = len(records)
    tables.codes[1 : 1 + at.LAW_SIZE * len(records)] = [x for r in records for x in r]
    if not tables.numbers:
        tables.floats([0.0])
    return tables.arrays()


def is_muscle(muscle: Muscle) -> bool:
    """Whether a law is that of a muscle with an activation."""
    return "max_isometric_force" in complete(muscle.law, {})


def _common(c: dict[str, Any], least: float, damping: float) -> list[float]:
    """The constants that all muscles have; `least` is the least fibre length that its curves allow."""
    length, width = c["optimal_fiber_length"], c["optimal_fiber_length"] * sin(c["pennation_angle_at_optimal"])
    shortest = width / sin(c["maximum_pennation_angle"]) if width > 0 else 0.01 * length
    return [
        c["max_isometric_force"], length, c["tendon_slack_length"], width, max(shortest, least * length),
        c["max_contraction_velocity"], damping, c["minimum_activation"], c["activation_time_constant"],
        c["deactivation_time_constant"],
    ]  # fmt: skip


def _thelen(tables: TableBuilder, c: dict[str, Any]) -> at.LawRecord:
    own = ("KshapeActive", "KshapePassive", "FmaxMuscleStrain", "FmaxTendonStrain", "Af", "Flen")
    numbers = [*_common(c, 0.0, 0.0), *(c[name] for name in own), c["fv_linear_extrap_threshold"]]
    return at.LawRecord(at.THELEN, tables.floats(numbers), int(c["ignore_tendon_compliance"] != 0))


def _millard(tables: TableBuilder, c: dict[str, Any]) -> at.LawRecord:
    damped = c["fiber_damping"] >= UNDAMPED
    rigid = c["ignore_tendon_compliance"] != 0
    fixed = damped or rigid  # then the curves may end at zero
    own = dict(c) if fixed else {**c, "minimum_activation": max(c["minimum_activation"], 0.01)}
    least = c["active_min_norm_active_fiber_length"]
    numbers = _common(own, least, c["fiber_damping"] if damped else 0.0)
    curves = [tables.floats(f(c, fixed)) for f in (active_curve, passive_curve, tendon_curve, velocity_curve)]
    return at.LawRecord(at.MILLARD, tables.floats(numbers), int(rigid), *curves)


def _de_groote_fregly(tables: TableBuilder, c: dict[str, Any]) -> at.LawRecord:
    rigid = c["ignore_tendon_compliance"] != 0
    stiffness = log((1.0 + 0.2) / 0.2) / c["tendon_strain_at_one_norm_force"]
    own = [c["active_force_width_scale"], c["passive_fiber_strain_at_one_norm_force"], stiffness]
    passive = 0.0 if c["ignore_passive_fiber_force"] else 1.0
    numbers = [*_common(c, 0.0, c["fiber_damping"] if rigid else 0.0), *own, passive]
    return at.LawRecord(at.DE_GROOTE, tables.floats(numbers), int(rigid))


def _plain(law: int, *names: str) -> Callable[[TableBuilder, dict[str, Any]], at.LawRecord]:
    """How a law is packed whose constants are a list."""
    return lambda tables, c: at.LawRecord(law, tables.floats([c[name] for name in names]))


_PACKED: dict[str, Callable[[TableBuilder, dict[str, Any]], at.LawRecord]] = {
    "path": lambda tables, c: at.LawRecord(at.PATH, 0),
    "thelen": _thelen,
    "millard": _millard,
    "de_groote_fregly": _de_groote_fregly,
    "path_spring": _plain(at.PATH_SPRING, "stiffness", "resting_length", "dissipation"),
    "blankevoort": _plain(
        at.BLANKEVOORT, "linear_stiffness", "slack_length", "transition_strain", "damping_coefficient"
    ),
    "path_actuator": _plain(at.PATH_ACTUATOR, "optimal_force"),
}
