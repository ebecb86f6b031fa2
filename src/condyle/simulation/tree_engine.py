"""The engine of models in minimal coordinates: its batch, its forces and its records, for the driver."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from ..dynamics.arguments import States, wrench_rows
from ..dynamics.forward_inverse import forward_dynamics
from ..model import Model
from ..model.model_batch import ModelBatch
from ..model.packing.member_tables import MemberBlocks, MemberTables, pack_members
from ..numeric import one_by_one, over_lanes, run_chunks
from .callbacks import control_forces
from .control_at_stages import rk4_stages
from .domain_exits import domain_status, outside, refused
from .events import Stopped
from .integrators import FIXED, stepper
from .prescribed_motion import driven_tables, put_prescribed
from .run_progress import SECONDS
from .schedule import Plan, forces, require_memory, require_table_memory
from .stop_reasons import reason
from .trajectory import Trajectory

AFFORDED = 100_000  # steps of one body that take well below a second
CALL_SECONDS = 1e-3  # what has a table of its own is a call of its own, which should be long enough to be worth it


class Method(NamedTuple):
    """How to step: the integrator with its tolerance and whether it lands on knots, where a control is asked."""

    integrator: str
    tolerance: float
    land: bool
    at_stages: bool
    threads: int | None


class TreeEngine:
    """Marches the states of `s`; see `driver.Engine`. Its buffers hold `room` records, from step `origin` on."""

    parts: tuple[str, ...] = ("q", "v")

    def __init__(
        self, model: Model, s: States, plan: Plan, method: Method, control=None, room: int | None = None,
        members: ModelBatch | None = None,
    ) -> None:  # fmt: skip
        self.model, self.s, self.plan, self.method, self.batch = model, s, plan, method, s.batch
        self.q, self.v = s["q"].copy(), s["v"].copy()
        if model.prescribed:
            put_prescribed(model, plan.start, self.q, self.v)
        if model.constraints:  # a start that does not satisfy them gets its words here
            start = s.shaped(self.q, model.nq), s.shaped(self.v, model.nv)
            forward_dynamics(model.without_muscles(), *start, t=plan.start, parameters=members and members.values)
        self.members = members
        tables = self._member_tables()
        self.W = wrench_rows(model, s, members, None if tables is None else tables.frames)
        self.tau = forces(model, s, control, plan)
        self.origin, room = 0, plan.records if room is None else room
        require_memory(s.count, room, model.nq + model.nv)
        self.q_records = np.empty((s.count, room, model.nq))
        self.v_records = np.empty((s.count, room, model.nv))
        self.q_records[:, 0], self.v_records[:, 0] = self.q, self.v
        self.domains = refused(model)
        self.status, self.ended = domain_status(self.domains, self.q)[:, None], np.zeros((s.count, 1))
        adaptive = method.integrator == "adaptive"  # an interval may take any number of steps
        self.first_steps = 1 if adaptive else max(1, AFFORDED // (model.nbodies * max(1, s.count)))
        self.clocks = np.tile([float(plan.start), float(plan.step)], (s.count, 1))
        self.blocks = None if tables is None else self._blocks(tables)
        self.steps = self._steppers() if self.blocks is None else []
        self.patience = max(SECONDS, CALL_SECONDS * (len(self.steps) if self.blocks is None else self.blocks.blocks))

    def _member_tables(self) -> MemberTables | None:
        """Tables of members, computed for all at once; None where there are none, or each has a model of its own."""
        return pack_members(self.members) if self.members is not None and self.s.batch else None

    def _blocks(self, tables: MemberTables) -> MemberBlocks:
        require_table_memory(self.s.count, tables.varied)
        driven = driven_tables(self.model, self.plan.start, self.plan.end, (tables.codes, tables.numbers))
        return tables.blocks(driven, together=not self.model.constraints)

    def _steppers(self) -> list[Callable]:
        """One for all, or for every member."""
        members = self.members
        models = (self.model,) if members is None else (members.model(i) for i in range(self.s.count))
        return [self._stepper(one) for one in models]

    def _stepper(self, model: Model, tables: tuple | None = None) -> Callable:
        """That of a model, or of members with tables of their own."""
        return stepper(
            model, self.plan, self.method.integrator, self.method.tolerance, self.method.land, self.clocks, tables
        )

    def advance(self, base: int, steps: int, control: Callable | None) -> None:
        """March `steps` steps from step `base`: in compiled code, or with a control that is asked at every stage."""
        if control and self.method.at_stages:
            self._stages(control, base)
        else:
            self._compiled(base, steps, self._forces(control, base, steps))

    def _forces(self, control: Callable | None, base: int, steps: int) -> np.ndarray:
        """Forces (count, 1 or steps, nv) of the coming steps."""
        if control:
            return self.controlled(control, self.plan.time(base), self.q, self.v)[:, None]
        if self.tau.shape[1] == 1:
            return self.tau
        return np.ascontiguousarray(self.tau[:, base : base + steps])

    def _compiled(self, base: int, steps: int, tau: np.ndarray) -> None:
        records = self.q_records, self.v_records, self.status, self.ended, self.domains
        arrays = self.q, self.v, tau, self.W, *records

        def call(z, start, stop):
            self.steps[0](z, base, steps, self.origin, arrays, start, stop)

        def each(start, stop):
            for i in range(start, stop):
                self.steps[i](0.0, base, steps, self.origin, arrays, i, i + 1)

        def prepared(pair):
            step = self._stepper(self.model, pair)
            return lambda z, start, stop: step(z, base, steps, self.origin, arrays, start, stop)

        if self.blocks is not None:
            self.blocks.each(prepared, self.method.threads)
        elif self.members is not None:
            run_chunks(each, self.s.count, 1, self.method.threads)
        elif self.model.constraints and self.method.integrator not in FIXED:
            one_by_one(call, self.s.count, self.method.threads)
        else:
            over_lanes(call, self.s.count, self.s.single, self.method.threads)

    def _stages(self, control: Callable, base: int) -> None:
        """One rk4 step whose forces are asked for at every stage."""
        good = self.status[:, 0] == 0
        q, v, bad = rk4_stages(self, control, self.plan.time(base), self.plan.step)
        self.status[good, 0] = bad[good]
        good = self.status[:, 0] == 0
        self.q[good], self.v[good] = q[good], v[good]
        if (base + 1) % self.plan.every == 0:
            r = (base + 1 - self.origin) // self.plan.every
            self.q_records[:, r], self.v_records[:, r] = self.q, self.v
        self.ended[good] += 1  # last: an interruption reads the records that it counts

    def shaped(self, x: np.ndarray) -> np.ndarray:
        """A copy in the caller's batch shape."""
        return self.s.shaped(x.copy(), x.shape[-1])

    def controlled(self, control: Callable, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The forces (count, nv) that the user's function gives."""
        given = control(t, self.shaped(q), self.shaped(v))
        return control_forces(given, t, self.batch, self.model.nv, self.status[:, 0] > 0)

    def seen(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities."""
        return self.shaped(self.q), self.shaped(self.v)

    def state(self, i: int) -> tuple[np.ndarray, ...]:
        """Coordinates and velocities of member i."""
        return self.q[i], self.v[i]

    def records(self, i: int) -> tuple[np.ndarray, ...]:
        """Those of its records."""
        return self.q_records[i], self.v_records[i]

    def kept(self) -> dict[str, np.ndarray]:
        """States, and the times and next steps of error control."""
        return {"q": self.q, "v": self.v, "clocks": self.clocks}

    def go_on(self, kept: Mapping[str, np.ndarray]) -> None:
        """From what was kept."""
        self.q[:], self.v[:], self.clocks[:] = kept["q"], kept["v"], kept["clocks"]

    def rows(self, first: int, stop: int) -> Iterator[np.ndarray]:
        """Coordinates, then velocities."""
        for x in (self.q_records, self.v_records):
            yield from (x[:, first:stop, k] for k in range(x.shape[2]))

    def stopped(self, i: int, time: float, words: str | None) -> Stopped:
        """The end of member i."""
        q, v = self.q[i].copy(), self.v[i].copy()
        model = self.model if self.members is None else self.members.model(i)
        return Stopped(time, words or reason(model, int(self.status[i, 0]), q, v), q, v)

    def trajectory(self, plan: Plan, stopped) -> Trajectory:
        """Records in the caller's shape."""
        records = self.q_records[:, : plan.records], self.v_records[:, : plan.records]
        q, v = (x.reshape(*self.batch, *x.shape[1:]) for x in records)
        exits = outside(self.model, plan.times, records[0])
        return Trajectory(self.model, plan.times, q, v, stopped, exits, self.members)
