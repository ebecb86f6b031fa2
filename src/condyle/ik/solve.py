"""`solve`: coordinates for targets, one by one or in batches; and its result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..dynamics.arguments import states
from ..errors import BadShape, BadValue, NotConverged, require, unknown_name
from ..model import Model
from ..progress import Report, reporting, silent
from ..typing import ArrayLike, Progress
from .bounded_steps import METHODS
from .problem import Problem, require_closed
from .search import ESCAPES, SearchResult, first_steps, is_compiled, search
from .targets import AnyTarget, CoordinateTarget, Target

PIECE, STAGE = 2048, "poses"  # members between two reports of progress, and what they are
MOST_AT_ONCE = 1 << 16  # searches from other starts


@dataclass(frozen=True)
class Solution:
    """Coordinates and how well they reach the targets, for each member of a batch.

    Attributes
    ----------
    q : ndarray, shape (..., nq)
    residual : ndarray, shape (...)
        Norm of all weighted residuals [m, rad].
    reached : ndarray of bool, shape (...)
        Whether the largest residual is below the tolerance.
    stationary : ndarray of bool, shape (...)
        Whether no small change of q inside its limits helps.
    iterations : ndarray of int, shape (...)
        Of the start that was kept.
    restarts : ndarray of int, shape (...)
        Further starts tried.
    """

    q: np.ndarray
    residual: np.ndarray
    reached: np.ndarray
    stationary: np.ndarray
    iterations: np.ndarray
    restarts: np.ndarray

    def require(self) -> Solution:
        """Return the solution itself if every target was reached.

        Returns
        -------
        Solution

        Raises
        ------
        NotConverged
            Else, with the worst residual.
        """
        if not np.all(self.reached):
            raise NotConverged(str(self))
        return self

    def shaped(self, batch: tuple[int, ...]) -> Solution:
        """The same members in another batch shape.

        Parameters
        ----------
        batch : tuple of int

        Returns
        -------
        Solution
        """
        q = self.q.reshape(*batch, self.q.shape[-1])
        rest = (getattr(self, name).reshape(batch) for name in Solution.__dataclass_fields__ if name != "q")
        return Solution(q, *rest)

    def __str__(self) -> str:
        count, good = self.reached.size, int(np.sum(self.reached))
        if not count:
            return "an empty batch: no targets"
        if good == count:
            return f"reached in {int(np.max(self.iterations))} iterations; residual {np.max(self.residual):.3g}"
        worst = float(np.max(self.residual))
        which = "the target is" if count == 1 else f"{count - good} of {count} targets are"
        halted = self.stationary[~self.reached] if self.reached.ndim else self.stationary
        nearest = np.all(halted)
        why = (
            "the nearest pose found is kept" if nearest else "the iteration limit ended the search; raise `iterations`"
        )
        return f"{which} not reached: residual {worst:.3g} (weighted metres and radians); {why}"


def solve(
    model: Model,
    targets: AnyTarget | Sequence[AnyTarget],
    q0: ArrayLike | None = None,
    *,
    limits: bool | Collection[str] = True,
    method: str = "damped",
    tolerance: float = 1e-10,
    iterations: int = 100,
    restarts: int = 0,
    seed: int = 0,
    saddles: bool = True,
    progress: Progress = False,
) -> Solution:
    """The q nearest to `targets` (one or several of cd.ik.position, orientation, pose, points, coordinate).

    Minimises the sum of squares of all weighted residuals from `q0`, with exact Jacobians through every joint. `limits`
    keeps coordinates in their ranges (else the domains of their splines). `method`: "damped" least squares, or "qp",
    which solves each bounded step exactly (daqp), as both do along closed loops. Targets and q0 may be batches. A
    target that cannot be reached ends at a stationary point and its residual is told; `restarts` tries so many other
    starts for those not reached, and searches to the end only where none of them does. Members of a batch search side
    by side, and the answer of each does not depend on the others.
    Constraints of the model hold to 1e-10 in every answer; a q0 that leaves loops open is brought onto them first.

    Parameters
    ----------
    model : Model
    targets : Target, CoordinateTarget or sequence of them
        From `position`, `orientation`, `pose`, `points` or `coordinate`.
    q0 : array_like, shape (..., nq), optional
        Where the search starts; the model's own start if left out.
    limits : bool or collection of str, optional
        Keep coordinates in their ranges: all, none, or those that are named.
    method : {"damped", "qp"}
        Damped least squares, or each bounded step exactly.
    tolerance : float, optional
        Residual below which a target counts as reached [m, rad].
    iterations : int, optional
        At most so many steps.
    restarts : int, optional
        Most other starts, spread evenly inside the limits, for targets that were not reached.
    seed : int, optional
        Which starts these are.
    saddles : bool, optional
        Search on beside saddles where targets are not reached. Starts that are near the answer, as along a motion, do
        without: it costs a second search.
    progress : bool or callable, optional
        True for a bar in a terminal, or a function of (stage, done, total).

    Returns
    -------
    Solution
        `q`, `reached`, `residual`, `stationary`, `iterations`, in the batch shape.

    Raises
    ------
    UnknownName
        If a target's body or coordinate, or the method, does not exist.
    BadValue
        If tolerance, iterations or restarts make no sense.
    BadShape
        If batch shapes of targets and q0 do not go together.

    Examples
    --------
    >>> import condyle as cd
    >>> rod = cd.Inertia.point(1.0, (1, 0, 0))
    >>> b = cd.ModelBuilder().add_body("upper", joint=cd.joints.revolute("z"), inertia=rod)
    >>> elbow = cd.SE3.from_translation([1, 0, 0])
    >>> model = b.add_body("lower", "upper", cd.joints.revolute("z"), rod, placement=elbow).build()
    >>> goal = cd.ik.position("lower", [1, 1, 0], at=[1, 0, 0])
    >>> found = cd.ik.solve(model, goal, q0=[0.1, 0.5])
    >>> bool(found.reached), found.q.round(4) + 0.0
    (True, array([0.    , 1.5708]))
    """
    how = Search.checked(method, tolerance, iterations, restarts, seed, saddles)
    targets = checked_targets(model, targets)
    s = states(model, model.neutral() if q0 is None else q0)
    batch = _batch(s.batch, targets)
    start = np.broadcast_to(s.shaped(s["q"], model.nq), (*batch, model.nq))
    start = start.reshape(int(np.prod(batch, dtype=int)), model.nq)
    problem = Problem.of(model, targets, batch, limits)
    with reporting(progress) as report:
        return _in_pieces(how, problem, start, report).shaped(batch)


def _in_pieces(how: Search, problem: Problem, start: np.ndarray, report: Report) -> Solution:
    """The solutions of all members, some thousand at once if somebody watches: none depends on the others."""
    if report is silent or len(start) <= PIECE:
        found = how.solution(problem, start)
        report(STAGE, len(start), len(start))
        return found
    pieces = []
    for first in range(0, len(start), PIECE):
        rows = np.arange(first, min(first + PIECE, len(start)))
        pieces.append(how.solution(problem.subset(rows), start[rows]))
        report(STAGE, int(rows[-1]) + 1, len(start))
    fields = ([getattr(found, name) for found in pieces] for name in Solution.__dataclass_fields__)
    return Solution(*(np.concatenate(parts) for parts in fields))


class Search(NamedTuple):
    """How to search: the options of `solve`."""

    step: Callable
    tolerance: float
    iterations: int
    restarts: int
    seed: int
    saddles: bool

    @staticmethod
    def checked(
        method: str = "damped",
        tolerance: float = 1e-10,
        iterations: int = 100,
        restarts: int = 0,
        seed: int = 0,
        saddles: bool = True,
    ) -> Search:
        """The options, if they make sense."""
        words = "tolerance, iterations > 0 and restarts ≥ 0 expected"
        good = tolerance > 0 and iterations >= 1 and restarts >= 0
        require(good, words, BadValue, tolerance=tolerance, iterations=iterations, restarts=restarts)
        if method not in METHODS:
            raise unknown_name("method", method, METHODS, "inverse kinematics")
        return Search(METHODS[method], tolerance, iterations, restarts, seed, saddles)

    def solution(self, problem: Problem, start: np.ndarray) -> Solution:
        """The solutions of all members of a problem, from their rows of `start`."""
        start = np.clip(start, problem.low, problem.high)
        start = require_closed(problem, start) if problem.is_held else start
        found, tried = self._from_several_starts(problem, start) if self.restarts else (self._search(problem, start), 0)
        reached = (found.largest <= self.tolerance) & np.isfinite(found.residual)
        tried = np.broadcast_to(tried, reached.shape).copy()
        return Solution(found.q, found.residual, reached, found.stationary, found.iterations, tried)

    def _search(self, problem: Problem, q: np.ndarray) -> SearchResult:
        """The whole search from q."""
        return search(problem, q, self.step, self.tolerance, self.iterations, ESCAPES if self.saddles else 0)

    def _from_several_starts(self, problem: Problem, start: np.ndarray) -> tuple[SearchResult, np.ndarray]:
        """What was found, and how many further starts each member had."""
        if not is_compiled(problem, self.step):
            found = self._search(problem, start)
            return found, self._restart(problem, found, self._search)
        found = self._first_steps(problem, start)
        tried = self._restart(problem, found, self._first_steps)
        left = found.improvable(self.tolerance)
        if len(left):
            some, kept = problem.subset(left), found.at(left)
            for q in (start[left], kept.q.copy()):
                other = self._search(some, q)
                kept.update_where(np.arange(len(left)), other.residual <= kept.residual, other)
            found.update_where(left, np.ones(len(left), bool), kept)
        return found, tried

    def _first_steps(self, problem: Problem, q: np.ndarray) -> SearchResult:
        return first_steps(problem, q, self.tolerance, self.iterations)

    def _restart(self, problem: Problem, found: SearchResult, search_from: Callable) -> np.ndarray:
        """Try other starts where the target was not reached, some at once; how many each member had.

        Of those that reach it the first is kept, else the nearest: neither depends on what else is in the batch.
        """
        tried = np.zeros(len(found.q), dtype=int)
        first, at_once = 0, 4
        while first < self.restarts:
            members = found.improvable(self.tolerance)
            if not len(members):
                break
            count = min(at_once, self.restarts - first, max(1, MOST_AT_ONCE // len(members)))
            rows = np.repeat(members, count)
            some, starts = problem.subset(rows), problem.starts(first, count, self.seed)
            other = search_from(some, some.onto(np.tile(starts, (len(members), 1)), found.q[rows]))
            pick, used = _first_or_nearest(other, count, self.tolerance)
            other = other.at(pick)
            found.update_where(members, other.residual < found.residual[members], other)
            tried[members] += used
            first, at_once = first + count, min(2 * at_once, 32)
        return tried


def _first_or_nearest(found: SearchResult, count: int, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """(row, how many were needed) of the first of each `count` starts in a row that reached, else of the nearest."""
    reached = (found.largest <= tolerance).reshape(-1, count)
    nearest = np.argmin(found.residual.reshape(-1, count), axis=1)
    which = np.where(reached.any(axis=1), np.argmax(reached, axis=1), nearest)
    return np.arange(len(reached)) * count + which, np.where(reached.any(axis=1), which + 1, count)


def checked_targets(model: Model, targets) -> list[AnyTarget]:
    """The targets as a list, if a model has their bodies and coordinates."""
    targets = [targets] if isinstance(targets, AnyTarget) else list(targets)
    require(targets, "give at least one target: cd.ik.position, orientation, pose, points or coordinate", BadShape)
    for k, target in enumerate(targets):
        words = f"target {k} must come from cd.ik: position, orientation, pose, points, coordinate"
        require(isinstance(target, AnyTarget), words, BadValue, got=target)
        if isinstance(target, CoordinateTarget):
            _require_plain(model, target)
        else:
            model.body_index(target.body)
    return targets


def _require_plain(model: Model, target: CoordinateTarget) -> None:
    plain = model.place_of(target.coordinate)[1] in model.plain_places[0]
    words = f"coordinate {target.coordinate!r} is a quaternion; give its body an orientation: cd.ik.orientation"
    require(plain, words, BadValue)


def _batch(batch: tuple[int, ...], targets: list[AnyTarget]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(batch, *(t.batch for t in targets))
    except ValueError:
        names = (t.body if isinstance(t, Target) else t.coordinate for t in targets)
        shapes = ", ".join(f"{name} {t.batch}" for name, t in zip(names, targets, strict=True))
        raise BadShape(f"the batch shapes of q0 {batch} and the targets ({shapes}) do not go together") from None
