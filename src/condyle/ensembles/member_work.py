"""What is done for the members: a function of their parameters, or simulations of a model."""

from __future__ import annotations

import inspect
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..errors import BadShape, BadValue, CondyleError, CondyleWarning, require, unknown_name
from ..model import Model
from ..model.parameters import checked_values, parameters_of, shape_of
from ..simulation import OutsideDomainWarning, OutsideRangeWarning, StoppedWarning, Trajectory, simulate
from ..simulation.schedule import Plan, make_plan
from .designs import Design

Outputs = dict[str, np.ndarray]
OURS = str(Path(__file__).parents[1])  # condyle's own code


@dataclass
class Done:
    """What became of some members: outputs of those that went well, why the others did not, and what to warn of."""

    outputs: dict[int, Outputs] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)
    seconds: float = 0.0
    notes: set[str] = field(default_factory=set)


class Work(Protocol):
    """Something that is done for members; it can be pickled."""

    @property
    def plan(self) -> Plan | None:
        """When records are made, if it is known."""
        ...

    def run(self, design: Design, members: Sequence[int]) -> Done:
        """Do it for some members of a design; errors of one are told and leave the others alone."""
        ...


def generator(seed: int, member: int) -> np.random.Generator:
    """The random numbers of a member, whichever process runs it: child `member` of SeedSequence(seed)."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(member,)))


def error_words(error: BaseException) -> str:
    """An error in a line, with the place in the user's code."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(OURS)]
    where = f" ({frames[-1].filename.rsplit('/', 1)[-1]}, line {frames[-1].lineno})" if frames else ""
    words = str(error).removeprefix("member [0]: ")  # of the one member that was run by itself
    return f"{type(error).__name__}: {words}{where}"


@dataclass
class FunctionWork:
    """A function of a member's parameters, or of these and its random numbers."""

    function: Callable
    seed: int
    plan = None

    def __post_init__(self) -> None:
        self.random = takes_generator(self.function)

    def run(self, design: Design, members: Sequence[int]) -> Done:
        """Member by member."""
        done = Done()
        for i in members:
            try:
                given = (design.member(i), generator(self.seed, i)) if self.random else (design.member(i),)
                done.outputs[i] = as_outputs(self.function(*given))
            except Exception as error:  # whatever the user's function raises is that member's end only
                done.failed[i] = error_words(error)
        return done


def takes_generator(function: Callable) -> bool:
    """Whether a function takes a member's random numbers beside its parameters."""
    require(callable(function), "an ensemble is of a model or of a function", BadValue, got=function)
    try:
        given = inspect.signature(function)
    except (TypeError, ValueError):
        return False
    for count in (1, 2):
        try:
            given.bind(*[None] * count)
        except TypeError:
            continue
        return count == 2
    raise BadValue(f"the function of an ensemble takes (parameters) or (parameters, rng); got {given}")


def as_outputs(found: Any) -> Outputs:
    """What a function returned, as named arrays; a number or an array alone is called "value"."""
    named = found if isinstance(found, Mapping) else {"value": found}
    require(len(named) > 0, "the function of an ensemble returned no outputs", BadValue)
    out = {}
    for name, x in named.items():
        array = np.asarray(x)
        good = isinstance(name, str) and array.dtype.kind in "fiub"
        require(good, f"output {name!r} must be real numbers", BadValue, got=x)
        out[name] = array.astype(float)
    return out


@dataclass
class ModelWork:
    """Simulations of a model: parameters of the design are those of the model, or coordinates where members start."""

    model: Model
    outputs: Mapping[str, Callable[[Trajectory], Any] | str]
    options: Mapping[str, Any]
    q: np.ndarray
    v: np.ndarray

    @property
    def plan(self) -> Plan:
        """Equal steps and records, as `simulate` takes them."""
        o = self.options
        return make_plan(o.get("t0", 0.0), o["duration"], o.get("step", 1e-3), o.get("record"))

    def run(self, design: Design, members: Sequence[int]) -> Done:
        """All at once; if that raises, one by one."""
        try:
            return self._together(design, members)
        except CondyleError as error:
            if len(members) == 1:
                return Done(failed={members[0]: error_words(error)})
        done = Done()
        for i in members:
            one = self.run(design, [i])
            done.outputs |= one.outputs
            done.failed |= one.failed
            done.notes |= one.notes
        return done

    def _together(self, design: Design, members: Sequence[int]) -> Done:
        chosen = np.asarray(members, dtype=int)
        q, v, parameters = self._start(design, chosen)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", CondyleWarning)
            run = simulate(self.model, q, v, parameters=parameters or None, threads=self.options.get("threads"),
                           **{k: x for k, x in self.options.items() if k != "threads"})  # fmt: skip
        done = Done(notes=_notes(run, caught))
        known = {name: run[f] for name, f in self.outputs.items() if isinstance(f, str)}
        for k, (i, stop) in enumerate(zip(members, run.stops(), strict=True)):
            if stop is not None and "stop condition" not in stop.reason:
                done.failed[i] = str(stop)
                continue
            try:
                done.outputs[i] = self._outputs_of(run, k, known)
            except Exception as error:
                done.failed[i] = error_words(error)
        return done

    def _start(self, design: Design, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        q, v = (np.tile(x, (len(chosen), 1)) for x in (self.q, self.v))
        parameters = {}
        for name, x in design.values.items():
            if name in self.model.name_forms:
                q[:, self.model.q_index(name)] = x[chosen]
            elif name.startswith(VELOCITY):
                v[:, self.model.v_index(name.removeprefix(VELOCITY))] = x[chosen]
            else:
                parameters[name] = x[chosen]
        return q, v, parameters

    def _outputs_of(self, run: Trajectory, k: int, known: Mapping[str, np.ndarray]) -> Outputs:
        """Outputs of member k."""
        one = Member(run, k)
        return as_outputs({name: known[name][k] if isinstance(f, str) else f(one) for name, f in self.outputs.items()})


class Member(Trajectory):
    """One member of a batch for the user's function; its own model is made when it is asked for."""

    _run: Trajectory
    _k: int

    def __init__(self, run: Trajectory, k: int) -> None:
        stopped = run.stopped[k] if isinstance(run.stopped, np.ndarray) else run.stopped
        given = {"t": run.t, "q": run.q[k], "v": run.v[k], "stopped": stopped, "outside": (), "members": None}
        self.__dict__.update(given, _run=run, _k=k)

    @cached_property
    def model(self) -> Model:  # pyright: ignore[reportIncompatibleVariableOverride]
        """With the parameters of the member."""
        members = self._run.members
        return self._run.model if members is None else members.model(self._k)

    def __getitem__(self, coordinate: str) -> np.ndarray:
        """A coordinate over time (T,), by name."""
        return self.q[..., self._run.model.q_index(coordinate)]


def _notes(run: Trajectory, caught: list[warnings.WarningMessage]) -> set[str]:
    """What to warn of once for all members: which coordinates left their domains or ranges, and all else that was said.

    Times and places, which differ from chunk to chunk, are left out; who stopped is told member by member.
    """
    told = (OutsideDomainWarning, OutsideRangeWarning, StoppedWarning)
    notes = {str(w.message) for w in caught if not issubclass(w.category, told)}
    notes |= {
        f"{x.coordinate} left the domain {x.domain} of its joint, which was extended linearly" for x in run.outside
    }
    return notes | {
        f"{x.coordinate} left its range {x.domain}, which does not act in a simulation" for x in run.beyond_range
    }


VELOCITY = "velocity of "


def model_work(model: Model, outputs: Any, options: Mapping[str, Any]) -> ModelWork:
    """The work of simulating a model; `options` are those of `simulate`, q and v among them."""
    options = dict(options)
    q, v = options.pop("q", None), options.pop("v", None)
    q = model.neutral() if q is None else np.asarray(q, float)
    v = np.zeros(model.nv) if v is None else np.asarray(v, float)
    fits = q.shape == (model.nq,) and v.shape == (model.nv,)
    require(fits, f"an ensemble starts at one q ({model.nq},) and v ({model.nv},), which the design may vary", BadShape,
            q=q.shape, v=v.shape)  # fmt: skip
    refused = sorted({"record_to", "resume", "parameters", "progress"} & set(options))
    require(not refused, "these are arguments of cd.ensemble itself, not of its simulations", BadValue, got=refused)
    known = set(inspect.signature(simulate).parameters)
    for name in options:
        if name not in known:
            raise unknown_name("argument", name, known, "cd.simulate")
    require(
        "duration" in options, "an ensemble of a model needs the duration of its simulations (duration=…)", BadValue
    )
    return ModelWork(model, _named_outputs(model, outputs), options, q, v)


def _named_outputs(model: Model, outputs: Any) -> dict[str, Any]:
    """Outputs by name: coordinates over time, or functions of a trajectory."""
    if outputs is None:
        return {name: name for name in model.coordinates}
    named = dict(outputs) if isinstance(outputs, Mapping) else {name: name for name in outputs}
    require(len(named) > 0, "an ensemble needs outputs", BadValue)
    for name, x in named.items():
        if isinstance(x, str):
            model.q_index(x)  # an unknown coordinate gets its words here
        else:
            require(callable(x), f"output {name!r} is a coordinate or a function of a trajectory", BadValue, got=x)
    return named


def check_design(model: Model, design: Design) -> None:
    """Every name of a design means something in the model, and has its shape."""
    for name, x in design.values.items():
        coordinate = name.removeprefix(VELOCITY)
        if name in model.name_forms or name.startswith(VELOCITY):
            model.q_index(coordinate)
            require(x.ndim == 1, f"{name!r} has one number per member", BadShape, shape=x.shape)
        elif name not in parameters_of(model) and "[" not in name:
            known = [*parameters_of(model), *model.coordinates, *(VELOCITY + c for c in model.coordinates)]
            raise unknown_name("parameter", name, known, "this model")
        else:
            parameter, index, one = checked_values(model, name, x[0])
            shape = () if index is not None else shape_of(model, parameter)
            require(one.shape == shape, f"{name!r} has shape (members, {', '.join(map(str, shape))})", BadShape,
                    shape=x.shape)  # fmt: skip
