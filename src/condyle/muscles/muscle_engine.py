"""The engine of models that muscles drive, for the driver of simulations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..dynamics.arguments import States
from ..errors import BadShape
from ..model import Model
from ..model.kernels.status import FIBER_DIVERGED, KINDS, NO_PATH
from ..numeric import one_by_one, over_lanes
from ..simulation.domain_exits import outside
from ..simulation.events import Stopped
from ..simulation.prescribed_motion import driven_tables
from ..simulation.schedule import Plan, require_memory
from ..simulation.stop_reasons import reason
from ..simulation.tree_engine import Method, TreeEngine
from ..spatial.arrays import for_kernels, real_numbers
from .driven_states import driven_rows, elastic, optimal_lengths, tables_of
from .kernels.law_layout import OUT
from .law_packing import is_muscle
from .muscle_forces import checked_activation, law_values
from .muscle_trajectory import MuscleTrajectory
from .path_lengths import path_values

WORDS = {
    NO_PATH: "muscle {name!r}: fewer than two points of its path count, so it has no length",
    FIBER_DIVERGED: "muscle {name!r}: its fibre length or activation diverged. Muscles with elastic tendons and little "
    "activation are stiff: try integrator='adaptive', a smaller step, or a rigid tendon",
}


class Start(NamedTuple):
    """Muscles at the start, (count, muscles) each: activations, and fibre lengths [m]."""

    activation: np.ndarray
    fiber_length: np.ndarray


def excitation_rows(model: Model, s: States, given, plan: Plan) -> np.ndarray:
    """Excitations (count, 1 or steps, muscles), from one number, one for each muscle, or rows for all steps."""
    x, n = real_numbers(given, "excitations, if they are not a function (t, q, v),"), len(model.muscles)
    expected = f"excitations must be a function (t, q, v), or have shape (..., {n}) or (..., {plan.steps}, {n})"
    if x.ndim <= 1 or (x.ndim == len(s.batch) + 1 and x.shape[-2] != plan.steps):
        x = x[..., None, :] if x.ndim else x[None, None]
    if x.shape[-2] not in (1, plan.steps):
        raise BadShape(f"{expected}; got {x.shape}")
    try:
        x = np.broadcast_to(x, (*s.batch, x.shape[-2], n)).reshape(-1, n)
    except ValueError:
        raise BadShape(f"{expected}; got {x.shape} for states of batch shape {s.batch}") from None
    rows = States((len(x),), len(x), {})
    return for_kernels(checked_activation(model, rows, x, "excitation")).reshape(s.count, -1, n)


class MuscleEngine(TreeEngine):
    """Marches bodies and muscles together; see `driver.Engine`."""

    def __init__(self, model: Model, s: States, plan: Plan, method: Method, controls: tuple, start: Start) -> None:
        control, excitations = controls
        super().__init__(model, s, plan, method, control)
        n = len(model.muscles)
        self.control = control if callable(control) else None
        self.excitations = excitations if callable(excitations) else None
        require_memory(s.count, plan.records, model.nq + model.nv + 4 * n)
        given = start.activation[:, None] if self.excitations else excitation_rows(model, s, excitations, plan)
        self.U: np.ndarray = given
        self.used = np.empty((s.count, plan.records, n))
        self.used[:] = np.nan
        self.y = driven_rows(model, self.v, *start)
        self.v = self.y[:, : model.nv]
        self.y_records = np.empty((s.count, plan.records, self.y.shape[1]))
        self.y_records[:, 0], self.v_records = self.y, self.y_records[..., : model.nv]
        self.pairs = tables_of(model, driven_tables(model, plan.start, plan.start + plan.step * plan.steps))

    def advance(self, base: int, steps: int, control: Callable | None) -> None:
        """March `steps` steps from step `base`, in compiled code."""
        tau = self._forces(self.control, base, steps)
        self._march(base, steps, tau, self._excited(base, steps))

    def _excited(self, base: int, steps: int) -> np.ndarray:
        """Excitations (count, 1 or steps, muscles) of the coming steps; those of records are noted."""
        if self.excitations:
            t = self.plan.time(base)
            given: Any = self.excitations(t, *self.seen())
            u = checked_activation(self.model, self.s, given, f"excitation (at t = {t:g} s)")[:, None]
        elif self.U.shape[1] == 1:
            u = self.U
        else:
            u = np.ascontiguousarray(self.U[:, base : base + steps])
        every = self.plan.every
        for r in range(base // every + 1, (base + steps) // every + 1):
            self.used[:, r] = u[:, min(r * every - 1 - base, u.shape[1] - 1)]
        if base == 0:
            self.used[:, 0] = u[:, 0]
        return u

    def _march(self, base: int, steps: int, tau: np.ndarray, u: np.ndarray) -> None:
        from ..simulation.kernels.batch_block import Batch, Clock
        from ..simulation.kernels.fixed_step import EULER, RK4, SEMI_IMPLICIT
        from .kernels.muscle_steps import ADAPTIVE, constrained_muscle_steps, muscle_steps

        kinds = {"euler": EULER, "semi-implicit": SEMI_IMPLICIT, "rk4": RK4, "adaptive": ADAPTIVE}
        how = kinds[self.method.integrator], float(self.method.tolerance)
        clock = Clock(float(self.plan.start), float(self.plan.step), base, steps, self.plan.every)
        records = self.q_records, self.y_records, self.status, self.ended, self.domains
        batch = Batch(self.q, self.y, tau, self.W, *records)
        march = constrained_muscle_steps if self.model.constraints else muscle_steps

        def call(z, start, stop):
            march(z, how, self.pairs, clock, batch, (u, self.clocks), start, stop)

        if self.model.constraints:
            one_by_one(call, self.s.count, self.method.threads)
        else:
            over_lanes(call, self.s.count, self.s.single, self.method.threads)

    def state(self, i: int) -> tuple[np.ndarray, ...]:
        """Coordinates of member i, and its velocities with the states of its muscles."""
        return self.q[i], self.y[i]

    def records(self, i: int) -> tuple[np.ndarray, ...]:
        """Those of its records."""
        return self.q_records[i], self.y_records[i]

    def stopped(self, i: int, time: float, words: str | None) -> Stopped:
        """The end of member i."""
        status, q, v = int(self.status[i, 0]), self.q[i].copy(), self.v[i].copy()
        if words is None and status % KINDS in WORDS:
            words = WORDS[status % KINDS].format(name=self.model.muscles[status // KINDS].name)
        return Stopped(time, words or reason(self.model, status, q, v), q, v)

    def trajectory(self, plan: Plan, stopped) -> MuscleTrajectory:
        """Records in the caller's shape."""
        nv, n, count = self.model.nv, len(self.model.muscles), plan.records
        q, y = self.q_records[:, :count], self.y_records[:, :count]
        activation, fibers, work = (y[..., nv + k * n : nv + (k + 1) * n] for k in range(3))
        muscles = np.array([is_muscle(m) for m in self.model.muscles])
        activation = np.where(muscles | np.isnan(activation), activation, 0.0)
        fibers = self._fibers(q, activation, fibers * optimal_lengths(self.model))
        used = np.where(np.isnan(work), np.nan, self.used[:, :count])
        every = (q, y[..., :nv], activation, fibers, used, work)
        q_, v, *own = (np.ascontiguousarray(x).reshape(*self.batch, *x.shape[1:]) for x in every)
        named = dict(zip(("activation", "fiber_length", "excitation", "work"), own, strict=True))
        return MuscleTrajectory(self.model, plan.times, q_, v, stopped, outside(self.model, plan.times, q), **named)

    def _fibers(self, q: np.ndarray, activation: np.ndarray, fibers: np.ndarray) -> np.ndarray:
        """Fibre lengths at all records, those of rigid tendons' muscles by the pose."""
        good = np.isfinite(activation).all(axis=-1)
        rows = States((int(good.sum()),), int(good.sum()), {"q": for_kernels(q[good])})
        if not rows.count:
            return fibers
        lengths = path_values(self.model, rows, False, "nan", self.method.threads).lengths
        known = np.where(elastic(self.model), fibers[good], 1.0)
        zero = np.zeros_like(lengths)
        found = law_values(self.model, lengths, zero, activation[good], known, True, False, self.method.threads)
        fibers[good] = np.where(elastic(self.model), fibers[good], found[..., OUT.fiber_length])
        return fibers
