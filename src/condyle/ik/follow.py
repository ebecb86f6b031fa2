"""`follow`: coordinates for targets that move, each answer the start of the next, or in strides and batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import BadShape, BadValue, require
from ..model import Model
from ..typing import ArrayLike
from .solve import AnyTarget, Solution, checked_targets, solve
from .targets import CoordinateTarget


def follow(
    model: Model,
    targets: AnyTarget | Sequence[AnyTarget],
    q0: ArrayLike | None = None,
    *,
    stride: int = 1,
    **options: Any,
) -> Solution:
    """`solve` along a motion: the first axis of the targets is time, and each solution starts the next one.

    With a `stride` above 1 only every so manieth record is solved after the one before it. The records half-way between
    those follow in one batch, from where a spline through the solutions expects them, then those half-way between them,
    and so on: many times as fast for records that are close in time.

    Parameters
    ----------
    model : Model
    targets : Target, CoordinateTarget or sequence of them
        Their first axis is time.
    q0 : array_like, shape (nq,), optional
        Where the first search starts.
    stride : int, optional
        A power of two: records from one search that waits for its predecessor to the next.
    **options
        Those of `solve`.

    Returns
    -------
    Solution
        With the time axis first.

    Raises
    ------
    BadShape
        If the targets do not share a first axis of time.
    BadValue
        If the stride is not a power of two.

    Examples
    --------
    >>> import condyle as cd
    >>> rod = cd.Inertia.point(1.0, (1, 0, 0))
    >>> model = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("z"), inertia=rod).build()
    >>> angles = np.linspace(0.0, 4.0, 5)
    >>> path = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    >>> cd.ik.follow(model, cd.ik.position("rod", path, at=(1, 0, 0))).q[:, 0].round(6)
    array([0., 1., 2., 3., 4.])
    """
    targets = checked_targets(model, targets)
    lengths = {t.batch[0] for t in targets if t.batch}
    good = len(lengths) == 1 and min(lengths) > 0
    words = "follow: batched targets must share a first axis (time) of length ≥ 1"
    require(good, words, BadShape, lengths=sorted(lengths))
    good = isinstance(stride, int) and stride >= 1 and stride & (stride - 1) == 0
    require(good, "follow: a stride is a power of two", BadValue, got=stride)
    count, q, known = lengths.pop(), q0, {}
    for k in range(0, count, stride):
        known[k] = solve(model, [_at(t, k) for t in targets], q, **options)
        q = known[k].q
    while (stride := stride // 2) >= 1:
        new = np.array([k for k in range(0, count, stride) if k not in known], dtype=int)
        if len(new):
            start = _expected(model, known, new)
            found = solve(model, [_at(t, new) for t in targets], start, **options)
            known |= {int(k): _member(found, i) for i, k in enumerate(new)}
    return Solution(*(np.stack([getattr(known[k], n) for k in range(count)]) for n in Solution.__dataclass_fields__))


def _at(target: AnyTarget, k: int | np.ndarray) -> AnyTarget:
    """The target at record k, or at several."""
    if not target.batch:
        return target
    if isinstance(target, CoordinateTarget):
        value, weight = (x[k] if x.ndim else x for x in (target.value, target.weight))
        return CoordinateTarget(target.coordinate, value, weight)
    xyz = target.xyz[k] if target.xyz.ndim > 2 else target.xyz
    R = target.rotation
    return replace(target, xyz=xyz, rotation=R[k] if R is not None and R.ndim > 2 else R)


def _member(found: Solution, i: int) -> Solution:
    return Solution(*(getattr(found, name)[i] for name in Solution.__dataclass_fields__))


def _expected(model: Model, known: dict[int, Solution], new: np.ndarray) -> np.ndarray:
    """Where the solutions at records `known` let expect those at `new`: by a spline, beyond the last one as there.

    Quaternions, and series too short for a spline, are taken from the record before.
    """
    records = np.array(sorted(known))
    q = np.stack([known[k].q for k in records])
    before = q[np.searchsorted(records, new, side="right") - 1]
    if len(records) < 4 or model.quaternions or q.ndim > 2:
        return before
    from scipy.interpolate import CubicSpline  # slow to load

    inside = (new < records[-1])[:, None]
    return np.where(inside, CubicSpline(records, q, bc_type="natural")(new), before)
