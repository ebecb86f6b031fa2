"""Why a motion that failed could not go on: did a joint come to a place where its Jacobian loses rank?

There a motion of finite energy needs infinite speeds of the coordinates, after a finite time: no step is small enough.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from ..dynamics.arguments import states
from ..errors import CondyleError
from ..joints.rank_causes import cause_of
from ..joints.rank_search import lost_along
from ..model import Model
from ..model.body import Body
from ..model.kernels.status import ASKED, KINDS, LEFT_DOMAIN, TOO_MANY
from .driver import Run
from .schedule import Plan
from .trajectory import Stopped, Trajectory
from .tree_engine import TreeEngine

BACK, FINE = 50, 6400  # how many steps before the end to start again, and how many fine ones are affordable
AHEAD = np.concatenate([[0.0], 2.0 ** np.arange(-30.0, 3.0)])  # how far to look ahead, in steps


def explained(run: Run, trajectory: Trajectory) -> Trajectory:
    """The trajectory of one state without a control; if it failed because a joint lost its rank, its reason says so."""
    ended, engine = trajectory.stopped, run.engine
    assert isinstance(engine, TreeEngine)
    if not isinstance(ended, Stopped) or engine.status[0, 0] % KINDS in (ASKED, LEFT_DOMAIN, TOO_MANY):
        return trajectory
    why = None
    with suppress(CondyleError):  # places that the model refuses: a joint with outside="error", a loop that opened
        why = lost_rank(engine.model, *_last_steps_again(engine))
    return trajectory if why is None else replace(trajectory, stopped=replace(ended, reason=why))


def _last_steps_again(engine: TreeEngine) -> tuple[np.ndarray, np.ndarray, float]:
    """Coordinates and velocities (n, …) of the last steps, gone again with finer ones, and the length of these."""
    plan, steps = engine.plan, int(engine.ended[0, 0])
    record = max(0, steps - BACK) // plan.every
    wrenches = engine.s.arrays.get("wrenches")
    given = {"v": engine.v_records[0, record], "wrenches": None if wrenches is None else wrenches[0].reshape(-1, 6)}
    last = steps + 1 - record * plan.every
    parts = min(64, max(1, FINE // last))
    finer = Plan(plan.times[record], plan.step / parts, last * parts, 1)
    start = states(engine.model, engine.q_records[0, record], **given)
    again = TreeEngine(engine.model, start, finer, engine.method)
    Run(again, finer).march(None, None, False)
    good = int(again.ended[0, 0]) + 1
    q, v = (np.concatenate([x[0, :good], y]) for x, y in ((again.q_records, again.q), (again.v_records, again.v)))
    finite = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)
    return q[finite], v[finite], finer.step


def lost_rank(model: Model, q: np.ndarray, v: np.ndarray, step: float) -> str | None:
    """The joint that first loses rank along states q (T, nq), v (T, nv), a `step` apart [s], in words, or None."""
    found = []
    for i, (body, (first, first_v)) in enumerate(zip(model.bodies, model.joint_starts, strict=True)):
        joint = body.joint
        if joint.nq == joint.nv > 0 and not model.follower_numbers[i]:
            rates = v[:, first_v : first_v + joint.nv]
            found += _first_lost(body, q[:, first : first + joint.nq], rates, step)
    return _words(*min(found, key=lambda x: x[0])[1:]) if found else None


def _first_lost(
    body: Body, q: np.ndarray, v: np.ndarray, step: float
) -> list[tuple[int, Body, np.ndarray, np.ndarray]]:
    """After which state a joint is about to lose rank, and where: on the straight way of the next four steps."""
    S = body.joint.jacobian(q)
    if not np.ptp(S, axis=0).any():  # a hinge or a slide: always of full rank
        return []
    scale = np.maximum(np.linalg.norm(S, axis=1).max(axis=0), 1e-300)
    places, when = lost_along(body.joint, q[:, None] + AHEAD[:, None] * step * v[:, None], scale)
    return [(int(when[0]) // (len(AHEAD) - 1), body, places[0], scale)] if len(when) else []


def _words(body: Body, place: np.ndarray, scale: np.ndarray) -> str:
    joint = body.joint
    where = ", ".join(f"{name} = {x:.6g}" for name, x in zip(joint.coordinates, place, strict=True))
    return (
        f"joint {body.joint_name!r} came to {where}, where its Jacobian loses rank and its speeds have no bound: "
        f"{cause_of(joint, place, scale)} Or start so that it stays away from there"
    )
