"""Why a member of a batch stopped."""

from __future__ import annotations

import numpy as np

from ..dynamics.failure_messages import describe
from ..dynamics.forward_inverse import forward_dynamics
from ..errors import CondyleError
from ..model import Model
from ..model.body import Body
from ..model.kernels.status import ASKED, BLOWN_UP, INTERRUPTED, KINDS, LEFT_DOMAIN, NOT_SOLVED, STUCK, TOO_MANY
from .domain_exits import domain_of

WANTED = {ASKED: "the stop condition was met", INTERRUPTED: "interrupted"}  # what the user asked for, in words
SMALLER = (
    "Try a smaller step (`condyle check` and cd.simulation.stable_steps tell how small it must be for springs and "
    "dampers) or integrator='adaptive'"
)
WORDS = {
    NOT_SOLVED: "the equations of the variational step found no solution: the motion turns or bends too sharply within "
    "one step{fastest}. Try a smaller step (cd.simulation.stable_steps tells how small springs and dampers ask for)",
    STUCK: "the error control needed a step below 1e-13 s: the motion is too stiff or not smooth here{fastest}",
    TOO_MANY: "the error control needed more than a million steps for one interval: the motion is too stiff for this "
    "tolerance{fastest}. Give a shorter `step`, which is the interval, or a larger tolerance",
}


def reason(model: Model, status: int, q: np.ndarray, v: np.ndarray) -> str:
    """A status in words; q and v are the last good state."""
    kind = status % KINDS
    if kind in WORDS:
        return WORDS[kind].format(fastest=_fastest(model, q, v))
    if kind == BLOWN_UP:
        before = _fastest_before(model, status // KINDS, v)
        return f"the motion diverged: {_owner(model, status)} exceeded 1e9 rad/s or m/s{before}. {SMALLER}"
    if kind == LEFT_DOMAIN:
        return _left(model, status // KINDS)
    return describe(model, status)


def _owner(model: Model, status: int) -> str:
    """The joint that a status names, and its body if that has another name."""
    return _named(model.bodies[status // KINDS])


def _left(model: Model, at: int) -> str:
    """Which coordinate left which domain; it is at index `at` of q."""
    i, name, low, high = domain_of(model, at)
    return (
        f"coordinate {name!r} left its domain [{low:g}, {high:g}], which {_named(model.bodies[i])} refuses "
        "(outside='error')"
    )


def _named(body: Body) -> str:
    return f"joint {body.joint_name!r}" + ("" if body.joint_name == body.name else f" of body {body.name!r}")


def _fastest(model: Model, q: np.ndarray, v: np.ndarray) -> str:
    """Which joint changes fastest there, relative to its speed; nothing if that cannot be told."""
    try:
        a = np.abs(forward_dynamics(model.without_muscles(), q, v, on_failure="nan")) / (1.0 + np.abs(v))
    except CondyleError:  # the last good state is where a joint or a constraint refuses to be
        return ""
    if not (a.size and np.isfinite(a).all()):
        return ""
    return f" ({_named(model.bodies[body_of(model, int(a.argmax()))])} changes fastest)"


def _fastest_before(model: Model, named: int, v: np.ndarray) -> str:
    """Which joint had the largest velocity in the last good state, if it is another one than that named."""
    speeds = np.abs(v)
    if not (np.isfinite(speeds).all() and speeds.any()):
        return ""
    k = int(speeds.argmax())
    i = body_of(model, k)
    return "" if i == named else f" (in the last good state {_named(model.bodies[i])} was the fastest: {v[k]:.3g})"


def body_of(model: Model, k: int) -> int:
    """The body whose joint has the velocity k."""
    starts = zip(model.joint_starts, model.freedoms, strict=True)
    return next(i for i, ((_, v), nv) in enumerate(starts) if v <= k < v + nv)
