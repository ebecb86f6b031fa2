"""Statuses of the compiled recursions into words and errors."""

from __future__ import annotations

import numpy as np

from ..errors import BadValue, InconsistentLoop, NotConverged, NotFinite, RankLost, require
from ..model import Model
from .kernels.layout import KINDS, LOOP_CONFLICT, LOOP_MOVES, LOOP_OPEN, NOT_CLOSED, NOT_FINITE, RANK_LOST

__all__ = ["describe", "raise_status"]

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
            "1e-08 of their size. Bring them onto it with q, v = cd.project(model, q, v)"
        )
    if kind == LOOP_CONFLICT:
        return (
            f"{who} cannot be held together with the others, or with prescribed motion: no forces give such "
            "accelerations. The mechanism is over-constrained or at a dead point; drop a constraint or prescribe less"
        )
    return f"{who} could not be closed from here; start nearer to a configuration that it allows"


def describe(model: Model, status: int, size: float | None = None) -> str:
    """A status in words; `size` is the gap of a constraint, if known."""
    if status % KINDS >= LOOP_OPEN:
        return describe_constraint(model, status % KINDS, status // KINDS, size)
    kind, body = status % KINDS, model.bodies[status // KINDS]
    if kind == RANK_LOST:
        return (
            f"joint {body.joint_name!r} has a direction without inertia: its Jacobian lost rank here, or the bodies it "
            "carries are massless. cd.joints.check(joint) shows where"
        )
    if kind == NOT_FINITE:
        return f"the motion of body {body.name!r} is no longer a finite number"
    return f"status {status}"


def raise_status(
    model: Model, status: np.ndarray, batch: tuple[int, ...], errors: str, *results: np.ndarray, sizes=None
) -> None:
    """Raise for the first bad state (`sizes`: gaps of constraints), or write NaN into the results of all bad ones."""
    require(errors in ("raise", "nan"), "errors must be 'raise' or 'nan'", BadValue, errors=errors)
    codes = status.ravel().astype(int)
    bad = np.flatnonzero(codes)
    if not len(bad):
        return
    if errors == "nan":
        for x in results:
            x[bad] = np.nan
        return
    code = int(codes[bad[0]])
    where = ""
    if batch:
        index = tuple(int(i) for i in np.unravel_index(bad[0], batch))
        where = f"state {list(index)} ({len(bad)} of {len(codes)} states failed): "
    raise ERRORS[code % KINDS](where + describe(model, code, None if sizes is None else float(sizes[bad[0]])))
