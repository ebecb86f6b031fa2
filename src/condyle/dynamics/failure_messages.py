"""Statuses of the compiled recursions into words and errors."""

from __future__ import annotations

import numpy as np

from ..errors import BadValue, InconsistentLoop, NotConverged, NotFinite, RankLost, shown
from ..model import Model
from ..model.kernels.status import KINDS, LOOP_CONFLICT, LOOP_MOVES, LOOP_OPEN, NOT_CLOSED, NOT_FINITE, RANK_LOST
from .arguments import States, first_bad

ERRORS = {
    RANK_LOST: RankLost,
    NOT_FINITE: NotFinite,
    LOOP_OPEN: InconsistentLoop,
    LOOP_MOVES: InconsistentLoop,
    LOOP_CONFLICT: InconsistentLoop,
    NOT_CLOSED: NotConverged,
}


def describe_constraint(model: Model, kind: int, index: int, size: float | None) -> str:
    """A status of a constraint in words; `size` is the gap or its rate."""
    c = model.constraints[index]
    who, by = f"constraint {index} ({c.label})", "" if size is None else f" by {size:.3g} {c.unit}"
    if kind == LOOP_OPEN:
        return (
            f"{who} is open{by}; it must hold within 1e-08. Check its points and frames, or close it with "
            "q, v = cd.project(model, q, v)"
        )
    if kind == LOOP_MOVES:
        return (
            f"{who}: the velocities v break it{by}{'' if size is None else ' per second'}; they must keep it within "
            "1e-08 of their size. Bring them onto it with q, v = cd.project(model, q, v)" + _rates(model)
        )
    if kind == LOOP_CONFLICT:
        return (
            f"{who} cannot be held together with the others, or with prescribed motion: no forces give such "
            "accelerations. The mechanism is over-constrained or at a dead point; drop a constraint or prescribe less"
        )
    return (
        f"{who} could not be closed from here; start nearer to a configuration that it allows. A run that comes to "
        "this was driven beyond the reach of its loop, or its step is too long"
    )


def _rates(model: Model) -> str:
    return ", v holding the rates of prescribed coordinates, which project does not change" if model.prescribed else ""


def describe(model: Model, status: int, size: float | None = None) -> str:
    """A status in words; `size` is the gap of a constraint, if known."""
    if status % KINDS >= LOOP_OPEN:
        return describe_constraint(model, status % KINDS, status // KINDS, size)
    kind, body = status % KINDS, model.bodies[status // KINDS]
    if kind == RANK_LOST:
        return _without_inertia(model, status // KINDS)
    if kind == NOT_FINITE:
        return f"the motion of body {body.name!r} is no longer a finite number"
    return f"status {status}"


def _without_inertia(model: Model, i: int) -> str:
    """Why forces cannot accelerate a coordinate of body i."""
    body = model.bodies[i]
    if not carries_inertia(model, i):
        return (
            f"body {body.name!r} and all it carries have neither mass nor moments of inertia, so forces on joint "
            f"{body.joint_name!r} give no accelerations; give it an inertia, weld it, or prescribe its motion"
        )
    return (
        f"joint {body.joint_name!r} has a direction without inertia: its Jacobian lost rank here "
        "(cd.joints.check(joint) shows where), or what it carries, with body "
        f"{body.name!r}, has no moment of inertia about that axis, as a point or a thin rod about itself"
    )


def carries_inertia(model: Model, i: int) -> bool:
    """Whether body i or any body that it carries has a mass or a moment of inertia."""
    carried = {i}
    for k in range(i, model.nbodies):
        if k == i or model.bodies[k].parent in carried:
            carried.add(k)
            inertia = model.bodies[k].inertia
            if inertia.mass > 0.0 or inertia.moment.any():
                return True
    return False


def raise_status(
    model: Model, status: np.ndarray, s: States, on_failure: str, *results: np.ndarray, sizes=None
) -> None:
    """Raise for the first bad state (`sizes`: gaps of constraints), or write NaN into the results of all bad ones."""
    _check_choice(on_failure)
    _leave_out(s, results)
    if not status.any():
        return
    codes = status.ravel().astype(int)
    bad = np.flatnonzero(codes)
    if on_failure == "nan":
        for x in results:
            x[bad] = np.nan
        return
    code = int(codes[bad[0]])
    size = None if sizes is None else float(sizes[bad[0]])
    raise ERRORS[code % KINDS](first_bad(bad, len(codes), s.batch) + describe(model, code, size))


def require_finite(model: Model, s: States, on_failure: str, what: str, *results: np.ndarray) -> None:
    """Raise for the first state whose `results` (count, …) overflowed, or write NaN into those of all such states."""
    _check_choice(on_failure)
    _leave_out(s, results)
    if all(np.isfinite(x).all() for x in results):
        return
    good = np.logical_and.reduce([np.isfinite(x).reshape(s.count, -1).all(axis=1) for x in results])
    bad = np.flatnonzero(~good)
    if on_failure == "raise":
        which = first_bad(bad, s.count, s.batch)
        raise NotFinite(f"{which}{what} is too large for a number: {s.largest(model, int(bad[0]))}")
    for x in results:
        x[bad] = np.nan


def _leave_out(s: States, results: tuple[np.ndarray, ...]) -> None:
    """NaN for states outside of domains, if they are not refused."""
    for x in results if s.outside is not None else ():
        x[s.outside] = np.nan


def _check_choice(on_failure: str) -> None:
    if on_failure not in ("raise", "nan"):
        raise BadValue(f"on_failure must be 'raise' or 'nan'; got {shown(on_failure)}")
