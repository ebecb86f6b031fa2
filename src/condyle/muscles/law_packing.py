"""The laws of a model's muscles as the two arrays that kernels read."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sin
from typing import Any

import numpy as np

from ..errors import NotInModel, warn
from ..joints.functions.simm_spline import simm_spline
from ..joints.packing import TableBuilder
from ..model import Model
from ..model.memo import once_per_model
from ..model.muscle_paths.muscle_laws import complete
from ..model.muscle_paths.paths import Muscle
from .kernels import law_layout as at
from .kernels.spline_curves import STRIDE, SplineRecord
from .millard_curves import active_curve, passive_curve, tendon_curve, velocity_curve

UNDAMPED = 0.001  # damping below this counts as none


@once_per_model
def packed_laws(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """The arrays `codes` and `numbers` of the laws of all muscles; those that condyle has no law for are named."""
    _warn_of_lawless(model)
    tables = TableBuilder()
    tables.reserve(1 + at.LAW_SIZE * len(model.muscles))
    records = [_record(tables, m) for m in model.muscles]
    tables.codes[0] = len(records)
    tables.codes[1 : 1 + at.LAW_SIZE * len(records)] = [x for r in records for x in r]
    if not tables.numbers:
        tables.floats([0.0])
    return tables.arrays()


def _warn_of_lawless(model: Model) -> None:
    """Name what pulls in the .osim file of a model, but has a class without a law here."""
    forces = {} if model.opensim is None else {f.name: f for f in model.opensim.forces if f.applies}
    lawless = [m.name for m in model.muscles if m.law == "path" and m.name in forces]
    if lawless:
        kinds = ", ".join(sorted({forces[name].kind for name in lawless}))
        more = f" and {len(lawless) - 1} more" if len(lawless) > 1 else ""
        warn(
            f"{lawless[0]!r}{more} pull with no force here, unlike in OpenSim: condyle has no law of {kinds}",
            NotInModel,
        )


def _record(tables: TableBuilder, muscle: Muscle) -> at.LawRecord:
    """The record of one law."""
    constants = complete(muscle.law, muscle.constants)
    direct = int(constants.get("ignore_activation_dynamics", 0) != 0)
    packed = _PACKED[muscle.law](tables, constants)
    return packed._replace(direct=max(direct, packed.direct))


def is_muscle(muscle: Muscle) -> bool:
    """Whether a law is that of a muscle with an activation."""
    return "max_isometric_force" in complete(muscle.law, {})


def is_elastic(muscle: Muscle) -> bool:
    """Whether a muscle has a fibre length of its own."""
    rigid = complete(muscle.law, muscle.constants).get("ignore_tendon_compliance", 0.0) != 0
    return is_muscle(muscle) and not rigid and muscle.law != "rigid_tendon"


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


def _curve(tables: TableBuilder, points: Any) -> int:
    """Where the record of a curve through points begins."""
    f = simm_spline(*(np.array(x, dtype=float) for x in points))
    rows, breaks = f.term.constants, f.grid.breaks[0]
    table = np.zeros((len(rows), STRIDE))
    table[:, : rows.shape[1]], table[:, 4] = rows, f.grid.centers(0)
    return tables.records([SplineRecord(*tables.lookup(breaks), tables.floats(table))])


UNNAMED = {"maximum_pennation_angle": 1.57, "minimum_activation": 0.0, "deactivation_time_constant": 1.0}


def _schutte(tables: TableBuilder, c: dict[str, Any]) -> at.LawRecord:
    scale = c["time_scale"]
    common = {**UNNAMED, **c, "max_contraction_velocity": 1.0 / scale, "activation_time_constant": scale}
    numbers = [*_common(common, 0.0, 0.0), c["damping"], c["activation1"], c["activation2"]]
    passive = c["passive_force_length_curve"]
    return at.LawRecord(
        at.SCHUTTE,
        tables.floats(numbers),
        int(c["ignore_tendon_compliance"] != 0),
        _curve(tables, c["active_force_length_curve"]),
        0 if passive is None else _curve(tables, passive),
        _curve(tables, c["tendon_force_length_curve"]),
    )


def _rigid_tendon(tables: TableBuilder, c: dict[str, Any]) -> at.LawRecord:
    numbers = _common({**UNNAMED, **c, "activation_time_constant": 1.0}, 0.0, 0.0)
    names = ("active_force_length", "passive_force_length", "force_velocity")
    active, passive, velocity = (_curve(tables, c[f"{name}_curve"]) for name in names)
    rigid = direct = 1
    return at.LawRecord(at.RIGID_TENDON, tables.floats(numbers), rigid, active, passive, 0, velocity, direct)


def _ligament(tables: TableBuilder, c: dict[str, Any]) -> at.LawRecord:
    numbers = tables.floats([c["pcsa_force"], c["resting_length"]])
    return at.LawRecord(at.LIGAMENT, numbers, passive=_curve(tables, c["force_length_curve"]))


def _plain(law: int, *names: str) -> Callable[[TableBuilder, dict[str, Any]], at.LawRecord]:
    """How a law is packed whose constants are a list."""
    return lambda tables, c: at.LawRecord(law, tables.floats([c[name] for name in names]))


_PACKED: dict[str, Callable[[TableBuilder, dict[str, Any]], at.LawRecord]] = {
    "path": lambda tables, c: at.LawRecord(at.PATH, 0),
    "thelen": _thelen,
    "millard": _millard,
    "de_groote_fregly": _de_groote_fregly,
    "schutte": _schutte,
    "rigid_tendon": _rigid_tendon,
    "ligament": _ligament,
    "mckibben": _plain(at.MCKIBBEN, "number_of_turns", "thread_length", "cord_length"),
    "path_spring": _plain(at.PATH_SPRING, "stiffness", "resting_length", "dissipation"),
    "blankevoort": _plain(
        at.BLANKEVOORT, "linear_stiffness", "slack_length", "transition_strain", "damping_coefficient"
    ),
    "path_actuator": _plain(at.PATH_ACTUATOR, "optimal_force"),
}
