"""`follow`: coordinates for targets that move, each answer the start of the next, or in strides and batches."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..dynamics.arguments import states
from ..errors import BadShape, BadValue, require
from ..model import Model
from ..progress import Report, reporting
from ..typing import ArrayLike, Progress
from .problem import Problem
from .solve import Search, Solution, checked_targets
from .targets import AnyTarget, CoordinateTarget


def follow(
    model: Model,
    targets: AnyTarget | Sequence[AnyTarget],
    q0: ArrayLike | None = None,
    *,
    stride: int = 1,
    limits: bool | Collection[str] = True,
    progress: Progress = False,
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
    limits : bool or collection of str, optional
        Keep coordinates in their ranges: all, none, or those that are named.
    progress : bool or callable, optional
        True for a bar in a terminal, or a function of (stage, done, total).
    **options
        The others of `solve`.

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
    targets, start = checked_targets(model, targets), states(model, model.neutral() if q0 is None else q0)
    lengths = {t.batch[0] for t in targets if t.batch}
    good = len(lengths) == 1 and min(lengths) > 0
    words = "follow: batched targets must share a first axis (time) of length ≥ 1"
    require(good, words, BadShape, lengths=sorted(lengths))
    good = isinstance(stride, int) and stride >= 1 and stride & (stride - 1) == 0
    require(good, "follow: a stride is a power of two", BadValue, got=stride)
    rest = np.broadcast_shapes(start.batch, *(t.batch[1:] for t in targets))
    batch = (lengths.pop(), *rest)
    problem = Problem.of(model, [_aligned(t, len(batch)) for t in targets], batch, limits)
    motions = int(np.prod(rest, dtype=int))
    q = np.broadcast_to(start.shaped(start["q"], model.nq), (*rest, model.nq)).reshape(motions, model.nq)
    with reporting(progress) as report:
        found = _Motions(problem, Search.checked(**options), batch[0], motions, report).solve_all(q, stride)
    return found.shaped(batch)


def _aligned(target: AnyTarget, axes: int) -> AnyTarget:
    """A target whose batch has so many axes, the first one time; others of one member are put behind it."""
    have = len(target.batch)
    if not 0 < have < axes:
        return target

    def wide(x: np.ndarray, own: int) -> np.ndarray:
        return x if x.ndim <= own else x.reshape(x.shape[0], *(1,) * (axes - x.ndim + own), *x.shape[1:])

    if isinstance(target, CoordinateTarget):
        return CoordinateTarget(target.coordinate, wide(target.value, 0), wide(target.weight, 0))
    R = target.rotation
    return replace(target, xyz=wide(target.xyz, 2), rotation=None if R is None else wide(R, 2))


class _Motions:
    """Motions of `count` records each, and what was found of them so far, (records, motions, …)."""

    def __init__(self, problem: Problem, how: Search, count: int, motions: int, report: Report) -> None:
        self.problem, self.how, self.count, self.motions, self.report = problem, how, count, motions, report
        self.done = 0
        self.found: list[tuple[np.ndarray, Solution]] = []
        self.q = np.empty((count, motions, problem.model.nq))

    def solve(self, records: np.ndarray, start: np.ndarray) -> None:
        """Solve some records, from starts (records, motions, nq)."""
        members = (records[:, None] * self.motions + np.arange(self.motions)).ravel()
        some = replace(self.problem.subset(members), is_single=len(members) == 1)
        found = self.how.solution(some, start.reshape(len(members), self.problem.model.nq))
        found = found.shaped((len(records), self.motions))
        self.q[records] = found.q
        self.found.append((records, found))
        self.done += len(records)
        self.report("records", self.done, self.count)

    def solve_all(self, start: np.ndarray, stride: int) -> Solution:
        """All records from the start (motions, nq) of the first, by strides and then by halves of them."""
        for k in range(0, self.count, stride):
            self.solve(np.array([k]), start[None])
            start = self.q[k]
        while stride > 1:
            records = np.arange(stride // 2, self.count, stride)
            if len(records):
                self.solve(records, self._expected(records, stride))
            stride //= 2
        order = np.argsort(np.concatenate([records for records, _ in self.found]))
        fields = ([getattr(found, name) for _, found in self.found] for name in Solution.__dataclass_fields__)
        return Solution(*(np.concatenate(parts)[order] for parts in fields))

    def _expected(self, records: np.ndarray, stride: int) -> np.ndarray:
        """Where every `stride`th record lets expect others: on a spline, or beyond the last as there.

        Quaternions, and series too short for a spline, are taken from the record before.
        """
        known = self.q[::stride]
        before = known[records // stride]
        if len(known) < 4 or self.problem.model.quaternions:
            return before
        from scipy.interpolate import CubicSpline  # slow to load

        spline = CubicSpline(stride * np.arange(len(known)), known, bc_type="natural")
        return np.where((records < stride * (len(known) - 1))[:, None, None], spline(records), before)
