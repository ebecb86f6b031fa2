"""What a simulation is asked to do, checked: times, steps, forces."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from pathlib import Path

import numpy as np

from ..dynamics.arguments import States
from ..errors import BadShape, BadValue, NotFinite, NotSupported, require, unknown_name
from ..model import Model
from ..spatial.arrays import for_kernels, real_numbers
from .callbacks import first_true

INTEGRATORS = ("euler", "semi-implicit", "rk4", "adaptive", "variational")
MOST_STEPS = 10**12  # days of computing for the smallest model
NEGLIGIBLE = 1e7  # bytes of records for which the system is not asked whether it has them


@dataclass(frozen=True)
class Plan:
    """Equal intervals `step` from `start`; every `every`-th is recorded."""

    start: float
    step: float
    steps: int
    every: int

    @property
    def end(self) -> float:
        """When the last interval ends [s]."""
        return self.start + self.step * self.steps

    @property
    def times(self) -> np.ndarray:
        """Times of the records."""
        return self.start + self.step * np.arange(0, self.steps + 1, self.every)

    def record_times(self, start: int, stop: int) -> np.ndarray:
        """Times of the records start … stop."""
        return self.start + self.step * (np.arange(start, stop) * self.every)

    def time(self, steps: float) -> float:
        """After how many steps it is what time."""
        return self.start + self.step * steps

    @property
    def records(self) -> int:
        """How many records, the start included."""
        return self.steps // self.every + 1


def positive(value, name: str, unit: str = "s") -> float:
    """A positive finite number."""
    number = _number(value)
    good = number is not None and np.isfinite(number) and number > 0
    require(good, f"{name} must be a positive number [{unit}]", BadValue, **{name: value})
    return number  # type: ignore[return-value]


def _number(value) -> float | None:
    """One real number as Python or NumPy writes it; None if it is something else."""
    value = value[()] if isinstance(value, np.ndarray) and value.shape == () else value
    return float(value) if isinstance(value, Real) and not isinstance(value, (bool, np.bool)) else None


def make_plan(start: float, duration, step, record) -> Plan:
    """Equal steps of at most `step`, and equal record intervals of at most `record`, that make up `duration`.

    A `record` longer than the duration records the start and the end; one shorter than a step records every step.
    """
    duration, step, t0 = positive(duration, "duration"), positive(step, "step"), _number(start)
    require(step <= duration * (1 + 1e-9), "step must not be longer than duration", step=step, duration=duration)
    require(t0 is not None and np.isfinite(t0), "t0 must be finite", NotFinite, t0=start)
    require(
        duration / step <= MOST_STEPS,
        f"duration / step must not exceed {MOST_STEPS:.0e} steps; take longer steps or a shorter duration",
        duration=duration,
        step=step,
    )
    between = step if record is None else min(max(positive(record, "record"), step), duration)
    records = max(1, _ceil(duration / between))
    every = max(1, _ceil(duration / records / step))
    steps = records * every
    return Plan(t0, duration / steps, steps, every)  # type: ignore[arg-type]


def _ceil(x: float) -> int:
    """The next whole number; a whole number up to round-off is itself."""
    return int(np.ceil(x * (1.0 - 1e-12) - 1e-9))


def require_memory(members: int, records: int, numbers: int) -> None:
    """Refuse records that the memory at hand cannot hold, before they are begun."""
    way_out = (
        "record less often (record=…), let cd.simulate write them to a folder (record_to=…), or take fewer members"
    )
    _require_free(f"{records} records of {members} members", 8.0 * members * records * numbers, f"{way_out} at once")


def require_table_memory(members: int, numbers: int) -> None:
    """Refuse tables of members that the memory at hand cannot hold."""
    _require_free(f"the tables of {members} members", 8.0 * members * numbers, "take fewer members at once")


def _require_free(what: str, needed: float, way_out: str) -> None:
    there = np.inf if needed < NEGLIGIBLE else _memory()
    words = f"{what} need {needed / 1e9:.3g} GB, {there / 1e9:.3g} GB of memory are free; {way_out}"
    require(needed <= there, words)


def _memory() -> float:
    """The memory that is free for this process [bytes], infinite where the system does not say."""
    return min(_free_pages(), _unreserved())


def _free_pages() -> float:
    """What the system could give without swapping."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return 1024.0 * next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError, IndexError):
        return np.inf


def _unreserved() -> float:
    """What the limit on addresses (ulimit -v) leaves to this process."""
    try:
        import resource
    except ImportError:  # Windows
        return np.inf
    try:
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return np.inf
    return np.inf if limit == resource.RLIM_INFINITY else max(0.0, float(limit - pages * resource.getpagesize()))


def check_integrator(model: Model, integrator: str) -> None:
    """An integrator that exists and suits the model."""
    if integrator not in INTEGRATORS:
        raise unknown_name("integrator", integrator, INTEGRATORS, "condyle")
    require(
        integrator != "variational" or not (model.constraints or model.prescribed),
        "the variational integrator does not take constraints or prescribed motion; use rk4 or adaptive",
        NotSupported,
    )
    turning = [v + k for _, v, _ in model.quaternions for k in range(3)]
    words = "the variational integrator does not take armature of ball joints; use rk4 or adaptive"
    require(integrator != "variational" or not model.armature[turning].any(), words, NotSupported)


def forces(model: Model, s: States, control, plan: Plan) -> np.ndarray:
    """Generalised forces (count, 1 or steps, nv): none, or given as an array over steps."""
    if control is None or callable(control):
        return np.zeros((s.count, 1, model.nv))
    expected = f"control must be a function (t, q, v), or an array (..., nv) or (..., {plan.steps}, nv)"
    x = real_numbers(control, "control, if it is not a function (t, q, v),")
    require(x.ndim >= 1 and x.shape[-1] == model.nv, expected + f", nv = {model.nv}", BadShape, shape=x.shape)
    bad = ~np.isfinite(x)
    if bad.any():
        raise NotFinite(f"control must be finite; it is not at index {first_true(bad)}, of shape {x.shape}")
    if x.ndim == 1 or (x.ndim == len(s.batch) + 1 and x.shape[-2] != plan.steps):
        x = x[..., None, :]
    require(x.shape[-2] in (1, plan.steps), expected, BadShape, shape=x.shape)
    try:
        x = np.broadcast_to(x, (*s.batch, *x.shape[-2:]))
    except ValueError:
        raise BadShape(f"{expected}; got shape {x.shape} for states of batch shape {s.batch}") from None
    return for_kernels(x.reshape(s.count, *x.shape[-2:]))
