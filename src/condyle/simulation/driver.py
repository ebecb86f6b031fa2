"""One simulation under way: current states, records, and what stopped whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import numpy as np

from ..dynamics.arguments import States, wrench_rows
from ..dynamics.forward_inverse import forward_dynamics
from ..dynamics.kernels.layout import KINDS
from ..model import Model
from ..numeric import one_by_one, over_lanes
from .callbacks import control_forces, stop_flags
from .domain_exits import first_outside, outside
from .integrators import stepper
from .kernels.status import ASKED, INTERRUPTED, LEFT_DOMAIN
from .prescribed_motion import put_prescribed
from .progress import Pace, progress_bar
from .schedule import Plan, forces, require_memory
from .status import reason
from .trajectory import Stopped, Trajectory

__all__ = ["Run"]


class Run:
    """Marches the states of `s` through a plan."""

    def __init__(self, model: Model, s: States, plan: Plan, integrator, control, tolerance, land, threads) -> None:
        self.model, self.s, self.plan, self.threads = model, s, plan, threads
        self.q, self.v = s["q"].copy(), s["v"].copy()
        if model.prescribed:
            put_prescribed(model, plan.start, self.q, self.v)
        if model.constraints:  # a start that does not satisfy them gets its words here
            forward_dynamics(model, s.shaped(self.q, model.nq), s.shaped(self.v, model.nv), t=plan.start)
        self.W = wrench_rows(model, s)
        self.tau = forces(model, s, control, plan)
        require_memory(s.count, plan.records, model.nq + model.nv)
        self.q_records = np.empty((s.count, plan.records, model.nq))
        self.v_records = np.empty((s.count, plan.records, model.nv))
        self.q_records[:, 0], self.v_records[:, 0] = self.q, self.v
        self.status, self.ended = np.zeros((s.count, 1)), np.zeros((s.count, 1))
        self.step = stepper(model, plan, integrator, tolerance, land, s.count)

    def march(self, control: Callable | None, stop: Callable | None, progress: bool, at_stages: bool) -> None:
        """Advance to the end, or until all members have stopped.

        Compiled code returns to Python at every step if there is a control, at records if there is a stop condition,
        and at least about ten times a second, so that Ctrl-C is answered; how often does not change the results.
        """
        base, pace = 0, Pace()
        with progress_bar(self.plan.steps, progress) as advanced:
            while base < self.plan.steps and not (self.status > 0).all():
                steps = self._next(base, pace, control, stop)
                began = perf_counter()
                if control and at_stages:
                    self._stages(control, base)
                else:
                    self._advance(base, steps, self._forces(control, base, steps))
                pace.took(steps, perf_counter() - began)
                base += steps
                if stop and base % self.plan.every == 0:
                    self._stop_where(stop, base)
                advanced(steps)

    def _next(self, base: int, pace: Pace, control: Callable | None, stop: Callable | None) -> int:
        """How many steps to take at once."""
        left = self.plan.steps - base
        if control:
            return 1
        return min(pace.steps, self.plan.every - base % self.plan.every if stop else left, left)

    def _forces(self, control: Callable | None, base: int, steps: int) -> np.ndarray:
        """Forces (count, 1 or steps, nv) of the coming steps."""
        if control:
            return self.controlled(control, self._time(base), self.q, self.v)[:, None]
        if self.tau.shape[1] == 1:
            return self.tau
        return np.ascontiguousarray(self.tau[:, base : base + steps])

    def _advance(self, base: int, steps: int, tau: np.ndarray) -> None:
        """March `steps` steps from step `base` in compiled code."""

        records = self.q_records, self.v_records, self.status, self.ended

        def call(z, start, stop):
            self.step(z, base, steps, (self.q, self.v, tau, self.W, *records), start, stop)

        if self.model.constraints:
            one_by_one(call, self.s.count, self.threads)
        else:
            over_lanes(call, self.s.count, self.s.single, self.threads)

    def _stages(self, control: Callable, base: int) -> None:
        """One rk4 step whose forces are asked for at every stage."""
        from .control_at_stages import rk4_stages

        good = self.status[:, 0] == 0
        q, v, bad = rk4_stages(self, control, self._time(base), self.plan.step)
        self.status[good, 0] = bad[good]
        good = self.status[:, 0] == 0
        self.q[good], self.v[good] = q[good], v[good]
        if (base + 1) % self.plan.every == 0:
            r = (base + 1) // self.plan.every
            self.q_records[:, r], self.v_records[:, r] = self.q, self.v
        self.ended[good] += 1  # last: an interruption reads the records that it counts

    def _time(self, steps: int) -> float:
        return self.plan.start + self.plan.step * steps

    def shaped(self, x: np.ndarray) -> np.ndarray:
        """A copy in the caller's batch shape."""
        return self.s.shaped(x.copy(), x.shape[-1])

    def controlled(self, control: Callable, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The forces (count, nv) that the user's function gives."""
        given = control(t, self.shaped(q), self.shaped(v))
        return control_forces(given, t, self.s.batch, self.model.nv, self.status[:, 0] > 0)

    def _stop_where(self, stop: Callable, done: int) -> None:
        t = self._time(done)
        ends = stop_flags(stop(t, self.shaped(self.q), self.shaped(self.v)), t, self.s.batch)
        self.status[ends & (self.status[:, 0] == 0), 0] = ASKED

    def interrupt(self) -> None:
        """End all members that still run at their last records: whatever was under way, these are whole."""
        going = np.flatnonzero(self.status[:, 0] == 0)
        for i in going:
            last = int(self.ended[i, 0]) // self.plan.every
            self.status[i, 0], self.ended[i, 0] = INTERRUPTED, last * self.plan.every
            self.q[i], self.v[i] = self.q_records[i, last], self.v_records[i, last]
        steps = int(self.ended.max(initial=0.0)) // self.plan.every * self.plan.every
        self.plan = replace(self.plan, steps=steps)
        self.q_records, self.v_records = (x[:, : self.plan.records] for x in (self.q_records, self.v_records))

    def trajectory(self) -> Trajectory:
        """Records in the caller's shape, NaN after a member stopped."""
        self._stop_outside()
        stops = np.array([self._stopped(i) for i in range(self.s.count)], dtype=object)
        q, v = (x.reshape(*self.s.batch, *x.shape[1:]) for x in (self.q_records, self.v_records))
        stopped = stops[0] if self.s.single else (stops.reshape(self.s.batch) if any(stops) else None)
        return Trajectory(
            self.model, self.plan.times, q, v, stopped, outside(self.model, self.plan.times, self.q_records)
        )

    def _stop_outside(self) -> None:
        """Members end where a joint that refuses to be extended left its domain."""
        for body, records in first_outside(self.model, self.q_records):
            for i in np.flatnonzero(records >= 0):
                steps = max(0, int(records[i]) - 1) * self.plan.every
                if self.status[i, 0] == 0 or steps < self.ended[i, 0]:
                    self.status[i, 0], self.ended[i, 0] = LEFT_DOMAIN + KINDS * body, steps
                    self.q[i], self.v[i] = (x[i, int(records[i]) - 1] for x in (self.q_records, self.v_records))

    def _stopped(self, i: int) -> Stopped | None:
        if self.status[i, 0] == 0:
            return None
        steps = int(self.ended[i, 0])
        after = steps // self.plan.every + 1
        self.q_records[i, after:], self.v_records[i, after:] = np.nan, np.nan
        q, v = self.q[i].copy(), self.v[i].copy()
        return Stopped(self._time(steps), reason(self.model, int(self.status[i, 0]), q, v), q, v)
