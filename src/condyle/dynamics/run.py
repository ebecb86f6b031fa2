"""Running an entry point: one state in float64, a batch in lanes over threads; statuses into words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import BadValue, NotFinite, RankLost, require
from ..model import Model
from ..numeric import COMPILED, LANE_WIDTH, LANES, run_chunks
from .layout import KINDS, NOT_FINITE, RANK_LOST

__all__ = ["describe", "raise_status", "run"]

GRAIN = 8  # blocks of lanes below which a thread is not worth starting


def run(call: Callable, count: int, single: bool, threads: int | None = None) -> None:
    """call(z, start, stop) for all states."""
    if single or not COMPILED:
        call(0.0, 0, count)
        return
    run_chunks(lambda start, stop: call(LANES, start, stop), count, LANE_WIDTH, threads, grain=GRAIN)


def describe(model: Model, status: int) -> str:
    """A status in words."""
    kind, body = status % KINDS, model.bodies[status // KINDS]
    if kind == RANK_LOST:
        return (
            f"joint {body.joint_name!r} has a direction without inertia: its Jacobian lost rank here, or the bodies it "
            "carries are massless. cd.joints.check(joint) shows where"
        )
    if kind == NOT_FINITE:
        return f"the motion of body {body.name!r} is no longer a finite number"
    return f"status {status}"


def raise_status(model: Model, status: np.ndarray, batch: tuple[int, ...], errors: str, *results: np.ndarray) -> None:
    """Raise for the first bad state, or write NaN into the results of all bad ones."""
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
    kind = RankLost if code % KINDS == RANK_LOST else NotFinite
    where = ""
    if batch:
        index = tuple(int(i) for i in np.unravel_index(bad[0], batch))
        where = f"state {list(index)} ({len(bad)} of {len(codes)} states failed): "
    raise kind(where + describe(model, code))
