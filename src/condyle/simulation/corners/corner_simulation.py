"""`simulate` for models whose joints have corners: member by member, on smooth pieces, with impulses at the corners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...dynamics import forward_dynamics
from ...dynamics.arguments import States, states
from ...errors import CondyleError, Interrupted, NotSupported, require
from ...model import Model
from ...model.kernels.status import ASKED
from ...typing import Progress
from ..callbacks import stop_flags
from ..domain_exits import outside
from ..driver import Run, driven, unexplained
from ..events import Impact, Stopped, by_member
from ..friction.dry_friction import DryFriction, Rubbing, rubbing
from ..friction.friction_motion import FrictionMotion
from ..run_progress import progress_bar
from ..schedule import Plan, forces, make_plan, require_memory
from ..stop_reasons import WANTED
from ..trajectory import Trajectory
from ..tree_engine import Method, TreeEngine
from .corner_motion import MOST, CornerMotion, Pieces, StoppedBetween, cornered

LONGEST = 2000  # steps of one leg
RESTING = 200  # … in which something rests in a corner
TAKEN = ("rk4", "adaptive", "semi-implicit", "euler")


def has_corners(model: Model) -> bool:
    """Whether a joint of the model has corners."""
    return any(body.joint.corners for body in model.bodies)


def require_without_corners(model: Model, what: str) -> None:
    """Refuse joints with corners where nothing is known of them."""
    named = [b.joint_name for b in model.bodies if b.joint.corners]
    words = f"{what}: joint {', '.join(map(repr, named))} has corners; only a plain cd.simulate passes them"
    require(not named, words, NotSupported)


def through_corners(
    model: Model,
    s: States,
    plan: Plan,
    method: Method,
    calls: tuple[Any, Callable | None, Progress],
    friction: Mapping[str, Any] | None = None,
) -> Trajectory:
    """The trajectory of every member; `calls` are control, stop and progress."""
    control, stop, progress = calls
    _require_leading(model)
    rubs = () if friction is None else rubbing(model, friction)
    if rubs:
        method = _with_friction(model, rubs, method, control)
    words = "a model with friction" if rubs else "a model with corners"
    require(not model.constraints, f"{words} cannot have constraints: its impulses are those of a tree", NotSupported)
    require(method.integrator in TAKEN, f"{words} takes the integrators {', '.join(TAKEN)}", NotSupported,
            integrator=method.integrator)  # fmt: skip
    single = s.single or not callable(control)
    require(single, f"{words} takes a control function for one motion, not for a batch; simulate each", NotSupported)
    require_memory(s.count, plan.records, model.nq + model.nv)
    tau = forces(model, s, None if callable(control) else control, plan)
    pieces = Pieces(model)
    with progress_bar(plan.steps * s.count, progress) as advanced:
        members = [_Member(pieces, s, i, plan, method, _control(control, tau[i], plan), rubs) for i in range(s.count)]
        try:
            for member in members:
                member.march(stop, advanced)
        except KeyboardInterrupt:
            found = _trajectory(model, plan, members, s.batch)
            raise Interrupted("the simulation was interrupted", found) from None
        except CondyleError as error:  # about what the user's functions returned
            error.trajectory = _trajectory(model, plan, members, s.batch)
            raise
    return _trajectory(model, plan, members, s.batch)


def _require_leading(model: Model) -> None:
    """Refuse corners of a coordinate that follows another: a run lands on those of coordinates in q only."""
    for x in model.followers:
        joint = model.bodies[x.body].joint
        words = (
            f"simulate: {x.name!r}, a coordinate with corners, follows {x.driver!r}; couple them the other way round"
        )
        require(not (joint.corners and joint.corners[x.coordinate]), f"{words}, so that {x.name!r} leads", NotSupported)


def _with_friction(model: Model, rubs: tuple[Rubbing, ...], method: Method, control: Any) -> Method:
    """The method, whose forces are asked for at stages; what friction does not go with is named."""
    words = "simulate: friction"
    require(method.integrator == "rk4", f"{words} takes the integrator 'rk4'", NotSupported, got=method.integrator)
    held = callable(control) and not method.at_stages
    require(not held, f"{words} takes a control function at stages: give control_at='stages'", NotSupported)
    constant = callable(control) or control is None or np.ndim(control) == 1
    require(constant, f"{words} takes constant forces (nv,) or a function, no table of steps", NotSupported)
    bent = [p.name for p in cornered(model)]
    if bent:
        alone = len(rubs) == 1 and bent == [rubs[0].name]
        given = ", ".join(p.name for p in rubs)
        words = f"{words} of {given} beside corners of {', '.join(bent)}: an impulse is decided for one coordinate"
        require(alone, f"{words}; give friction to the only one with corners, and to no other", NotSupported)
    return method._replace(at_stages=True)


def _control(control: Any, tau: np.ndarray, plan: Plan) -> Any:
    """What one member's legs take: a function, or constant forces (nv,)."""
    if callable(control):
        return control
    if len(tau) == 1:
        return tau[0]
    return lambda t, q, v: tau[min(int((t - plan.start) / plan.step + 1e-6), len(tau) - 1)]


def _trajectory(model: Model, plan: Plan, members: list[_Member], batch: tuple[int, ...]) -> Trajectory:
    q, v = (np.stack([getattr(m, name) for m in members]) for name in ("qs", "vs"))
    places = [tuple(int(k) for k in np.unravel_index(i, batch)) if batch else () for i in range(len(members))]
    impacts = [replace(x, member=at) for m, at in zip(members, places, strict=True) for x in m.impacts]
    stopped = by_member([m.stopped for m in members], batch)
    exits = outside(model, plan.times, q)
    q, v = (x.reshape(*batch, *x.shape[1:]) for x in (q, v))
    rubbed = [m.motion for m in members if isinstance(m.motion, FrictionMotion)]
    slips = [replace(x, member=at) for m, at in zip(rubbed, places, strict=False) for x in m.changes]
    work = np.reshape([m.works for m in members], (*batch, -1)) if rubbed else None
    return Trajectory(
        model, plan.times, q, v, stopped, exits, impacts=tuple(impacts), slips=tuple(slips), friction_work=work
    )


class _Legs:
    """`simulate` without its warnings, for one smooth model of one member."""

    def __init__(self, method: Method, control: Any, wrenches: np.ndarray | None) -> None:
        self.method, self.control, self.wrenches = method, control, wrenches
        self.rubbed: Callable | None = None  # all forces of a model at a stage, where there is friction

    def forces(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """What the user gave (nv,)."""
        return np.asarray(self.control(t, q, v) if callable(self.control) else self.control, float)

    def __call__(self, model: Model, q, v, *, duration: float, step: float, t0: float, stop: Callable | None = None):
        s, plan = states(model, q, v=v, wrenches=self.wrenches), make_plan(t0, duration, step, None)
        control = self.control if self.rubbed is None else partial(self.rubbed, model)
        called = control if callable(control) else None
        run = Run(TreeEngine(model, s, plan, self.method, control), plan)
        return driven(run, called, stop, False, unexplained)

    def rates(self, model: Model, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The accelerations (T, nv) of coordinates at times (T,)."""
        if model.prescribed:
            return np.stack([self._rates(model, *one) for one in zip(t, q, v, strict=True)])
        called = callable(self.control)
        tau = [self.control(*x) for x in zip(t, q, v, strict=True)] if called else self.control
        return forward_dynamics(model, q, v, np.asarray(tau, float), self.wrenches)

    def _rates(self, model: Model, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return forward_dynamics(model, q, v, self.forces(t, q, v), self.wrenches, t=t)


class _Member:
    """One member of a run: its records, its impacts and its end."""

    def __init__(
        self, pieces: Pieces, s: States, i: int, plan: Plan, method: Method, control: Any, rubs: tuple[Rubbing, ...]
    ) -> None:
        wrenches = s["wrenches"][i].reshape(-1, 6) if "wrenches" in s.arrays else None
        self.plan, self.stopped = plan, None
        self.legs = _Legs(method, control, wrenches)
        start = pieces, self.legs, s["q"][i], s["v"][i]
        self.works = np.full(plan.records, np.nan)  # of friction
        self.motion = CornerMotion(*start)
        if rubs:
            self.motion = FrictionMotion(*start, DryFriction(rubs, wrenches), self.legs.forces)
            self.legs.rubbed, self.works[0] = self.motion.rubbed, 0.0
            self.motion.begin(plan.start)
        model = pieces.model
        self.qs, self.vs = (np.full((plan.records, n), np.nan) for n in (model.nq, model.nv))
        self.qs[0], self.vs[0] = s["q"][i], s["v"][i]
        strict = [p for p in pieces.places if model.bodies[p.body].joint.outside == "error" and not p.period]
        self.ends = [(p.q, p.name, p.edges[0], p.edges[-1]) for p in strict]
        self.done, self.stop = 0, None

    @property
    def impacts(self) -> list[Impact]:
        return self.motion.impacts

    def march(self, stop: Callable | None, advanced: Callable[[int], None]) -> None:
        """Leg after leg."""
        self.stop = stop
        while self.done < self.plan.steps and self.stopped is None:
            before = self.done
            self.motion.leave(self.plan.time(self.done))
            self._leg()
            if self.done < self.plan.steps and self.stopped is None and self.done < before + LONGEST:
                self._between()
            advanced(self.done - before)

    def _leg(self) -> None:
        """Move on smooth pieces until a corner is passed, or for a while."""
        m, t = self.motion, self.plan.time(self.done)
        n = min(self.plan.steps - self.done, RESTING if m.holds() else LONGEST)
        passed = {"stop": lambda t, q, v: bool((m.past(q, v) > 0.0).any())}
        try:
            leg = self.legs(m.model(), m.q, m.v, duration=n * self.plan.step, step=self.plan.step, t0=t, **passed)
        except StoppedBetween as trouble:
            self._end(str(trouble))
            return
        works = m.works(self.plan.step) if isinstance(m, FrictionMotion) else np.zeros(0)
        good = np.isfinite(leg.q).all(axis=1) & ~(m.past(leg.q, leg.v) > 0.0).any(axis=1)
        good[good] = ~m.released(leg.t[good], leg.q[good], leg.v[good])
        last = len(good) - 1 if good.all() else int(np.argmin(good)) - 1
        for k in range(1, last + 1):
            if isinstance(m, FrictionMotion):
                m.work += works[k - 1]
            self._store(leg.q[k], leg.v[k])
            if self.stopped is not None:
                return
        ended = leg.stopped
        if ended is not None and not (m.past(ended.q, ended.v) > 0.0).any():
            self._end(ended.reason)

    def _between(self) -> None:
        """One step with corners in it, or with something held in one."""
        t = self.plan.time(self.done)
        try:
            self.motion.crossed(t, self.plan.step)
        except StoppedBetween as trouble:
            self._end(str(trouble))
            return
        if self.motion.arrived > MOST:
            self._end(f"more than {MOST} impacts within one step: it comes to rest in a corner")
            return
        self._store(self.motion.q, self.motion.v)

    def _store(self, q: np.ndarray, v: np.ndarray) -> None:
        """One more step is done."""
        beyond = [(name, a, b) for at, name, a, b in self.ends if not a - 1e-9 <= q[at] <= b + 1e-9]
        if beyond:
            name, a, b = beyond[0]
            self._end(f"coordinate {name!r} left its domain [{a:g}, {b:g}], which its joint refuses (outside='error')")
            return
        self.motion.q, self.motion.v, self.done = q.copy(), v.copy(), self.done + 1
        record, rest = divmod(self.done, self.plan.every)
        if rest == 0:
            self.qs[record], self.vs[record] = q, v
            if isinstance(self.motion, FrictionMotion):
                self.works[record] = self.motion.work
            t = self.plan.time(self.done)
            if self.stop is not None and stop_flags(self.stop(t, q.copy(), v.copy()), t, ())[0]:
                self._end(WANTED[ASKED])

    def _end(self, reason: str) -> None:
        m = self.motion
        self.stopped = Stopped(self.plan.time(self.done), reason, m.q.copy(), m.v.copy())


def failed(trajectory: Trajectory) -> bool:
    """Whether a member stopped that nobody asked to."""
    return any(s is not None and s.reason not in WANTED.values() for s in trajectory.stops())
