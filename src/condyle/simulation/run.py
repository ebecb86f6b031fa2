"""One simulation under way: current states, records, and what stopped whom."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import contextmanager

import numpy as np

from ..dynamics.api import forward_dynamics, wrench_rows
from ..dynamics.kernels.layout import KINDS
from ..dynamics.states import States
from ..errors import BadShape, NotFinite, require
from ..model import Model
from ..numeric import one_by_one, over_lanes
from .outside import OutsideDomainWarning, first_outside, outside
from .plan import Plan, forces
from .status import ASKED, LEFT_DOMAIN, reason
from .stepper import stepper
from .trajectory import Stopped, Trajectory

__all__ = ["Run"]

CHUNKS = 100  # how often a progress bar moves


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
        self.q_records = np.empty((s.count, plan.records, model.nq))
        self.v_records = np.empty((s.count, plan.records, model.nv))
        self.q_records[:, 0], self.v_records[:, 0] = self.q, self.v
        self.status, self.ended = np.zeros((s.count, 1)), np.zeros((s.count, 1))
        self.step = stepper(model, plan, integrator, tolerance, land, s.count)

    def march(self, control: Callable | None, stop: Callable | None, progress: bool, at_stages: bool) -> None:
        """Advance to the end, touching Python only as often as control, stop or the progress bar ask for."""
        total = self.plan.steps
        chunk = 1 if control else self.plan.every if stop else max(1, total // CHUNKS) if progress else total
        with progress_bar(total, progress) as advanced:
            for base in range(0, total, chunk):
                steps = min(chunk, total - base)
                if control and at_stages:
                    self._stages(control, base)
                else:
                    self._advance(base, steps, self._forces(control, base, steps))
                if stop and (base + steps) % self.plan.every == 0:
                    self._stop_where(stop, base + steps)
                advanced(steps)
                if (self.status > 0).all():
                    break

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
        from .stages import rk4_stages

        good = self.status[:, 0] == 0
        q, v, bad = rk4_stages(self, control, self._time(base), self.plan.step)
        self.status[good, 0] = bad[good]
        good = self.status[:, 0] == 0
        self.q[good], self.v[good] = q[good], v[good]
        self.ended[good] += 1
        if (base + 1) % self.plan.every == 0:
            r = (base + 1) // self.plan.every
            self.q_records[:, r], self.v_records[:, r] = self.q, self.v

    def _time(self, steps: int) -> float:
        return self.plan.start + self.plan.step * steps

    def shaped(self, x: np.ndarray) -> np.ndarray:
        """A copy in the caller's batch shape."""
        return self.s.shaped(x.copy(), x.shape[-1])

    def controlled(self, control: Callable, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The forces (count, nv) that the user's function gives."""
        given, expected = control(t, self.shaped(q), self.shaped(v)), (*self.s.batch, self.model.nv)
        require(given is not None, f"control returned None at t = {t:g} s; it must return forces {expected}", BadShape)
        tau = np.asarray(given, dtype=float)
        words = f"control returned shape {tau.shape} at t = {t:g} s, expected {expected}"
        require(tau.shape[-1:] == expected[-1:] or expected == (1,), words, BadShape)
        try:
            tau = np.broadcast_to(tau, expected)
        except ValueError:
            raise BadShape(words) from None
        good = np.isfinite(tau).all(axis=-1).reshape(-1) | (self.status[:, 0] > 0)
        require(good.all(), f"control returned a NaN or an infinity at t = {t:g} s", NotFinite)
        return np.nan_to_num(np.ascontiguousarray(tau.reshape(self.s.count, self.model.nv)))

    def _stop_where(self, stop: Callable, done: int) -> None:
        ends = np.asarray(stop(self._time(done), self.shaped(self.q), self.shaped(self.v)), dtype=bool)
        ends = np.broadcast_to(ends, self.s.batch).reshape(-1)
        self.status[ends & (self.status[:, 0] == 0), 0] = ASKED

    def trajectory(self) -> Trajectory:
        """Records in the caller's shape, NaN after a member stopped."""
        self._stop_outside()
        stops = np.array([self._stopped(i) for i in range(self.s.count)], dtype=object)
        q, v = (x.reshape(*self.s.batch, *x.shape[1:]) for x in (self.q_records, self.v_records))
        stopped = stops[0] if self.s.single else (stops.reshape(self.s.batch) if any(stops) else None)
        left = outside(self.model, self.plan.times, self.q_records)
        for found in left:
            warnings.warn(f"{found}; its joint was extended linearly", OutsideDomainWarning, stacklevel=3)
        return Trajectory(self.model, self.plan.times, q, v, stopped, left)

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
        why = reason(self.model, int(self.status[i, 0]))
        return Stopped(self._time(steps), why, self.q[i].copy(), self.v[i].copy())


def put_prescribed(model: Model, t: float, q: np.ndarray, v: np.ndarray) -> None:
    """Put prescribed coordinates where their motion is at time t."""
    q_of = {k: at for _, at, k in (model.place_of(name) for name in model.coordinates)}
    for k, motion in model.prescribed.items():
        q[:, q_of[k]], v[:, k], _ = motion.at(t)


@contextmanager
def progress_bar(total: int, shown: bool):
    """A function that moves a bar in the terminal, or does nothing."""
    if not shown:
        yield lambda steps: None
        return
    from rich.progress import Progress

    with Progress() as bar:
        task = bar.add_task("simulating", total=total)
        yield lambda steps: bar.advance(task, steps)
