"""Which forces of a model act in inverse dynamics: those of its file that condyle has and a setup does not exclude."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..errors import warn
from ..io.opensim.forces import ACTUATORS
from ..io.opensim.osim_records import Force
from ..model import Model
from ..model.muscle_paths.paths import Muscle
from ..muscles.elastic_energy import is_stretched
from .setup_files.setups import DynamicsStep

NOT_EXCLUDED = (
    "forces_to_exclude does not name Muscles: OpenSim takes the forces of muscles at their default activation off the "
    "result, condyle does not"
)
DRIVEN = (*ACTUATORS, "McKibbenActuator")  # no force without a control


def with_forces_of(step: DynamicsStep, model: Model) -> tuple[Model, list[str]]:
    """The model with the forces that act in a setup, and notes; what acts in OpenSim and not here is warned of."""
    if step.without_forces:
        model = replace(model, forces=())
        return _slackened(model, [m.name for m in model.muscles]), []
    idle = _idle(model, step.excluded)
    model, notes, told = _without_forces(model, step.excluded) if step.excluded else (model, [], [])
    told += [NOT_EXCLUDED] if step.muscles_meant and model.opensim is not None and model.opensim.muscles else []
    if idle:
        some = ", ".join(f"{f.name} ({f.kind})" for f in idle)
        told.append(f"forces that act in OpenSim's inverse dynamics and exert none here: {some}")
    for words in told:
        warn(f"{step.source}: {words}")
    return model, notes + told


def _idle(model: Model, excluded: Iterable[str]) -> list[Force]:
    """The forces of a file that act in OpenSim by themselves, and not in the model; muscles are told of elsewhere."""
    forces = () if model.opensim is None else model.opensim.forces
    pulling = {m.name for m in model.muscles if is_stretched(m)} | set(excluded)
    by_themselves = (f for f in forces if f.applies and not (f.is_muscle or f.kind in DRIVEN))
    return [f for f in by_themselves if not f.acts and f.name not in pulling]


def _slackened(model: Model, names: Iterable[str]) -> Model:
    """The model in which ligaments and springs along paths of these names are mere paths."""

    def slack(m: Muscle) -> Muscle:
        return replace(m, law="path", constants={}) if is_stretched(m) and m.name in names else m

    return replace(model, muscles=tuple(slack(m) for m in model.muscles))


def _without_forces(model: Model, names: Iterable[str]) -> tuple[Model, list[str], list[str]]:
    """The model without the springs, limits, bushings and ligaments of these names; notes, and what to warn of."""
    names, forces = list(names), () if model.opensim is None else model.opensim.forces
    own = [f.name.split(":")[0] for f in model.forces]  # a contact force of a file is one of the model for each pair
    told = {m.name for m in model.muscles} | set(own)
    told |= {f.name for f in forces if not f.acts}
    notes = [f"forces that the setup excludes: {', '.join(n for n in names if n in told)}"] if told & set(names) else []
    others = [n for n in names if n not in told]
    unknown = [f"forces_to_exclude names {', '.join(others)}, which is not obeyed"] if others else []
    left = tuple(f for f, name in zip(model.forces, own, strict=True) if name not in names)
    return _slackened(replace(model, forces=left), names), notes, unknown
