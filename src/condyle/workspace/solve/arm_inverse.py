"""From a goal of the wrist to postures: all elbow curves, all solutions along them, and the best one.

For a goal out of reach it is the nearest place.
"""

from __future__ import annotations

import threading
import warnings
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...errors import BadShape, BadValue, CondyleWarning, OutOfReach, require
from ...numeric import run_chunks
from ...spatial.arrays import for_kernels
from ...typing import ArrayLike
from ..kernels.contour_curves import Curves
from ..kernels.goal_search import MET, POSITION
from ..kernels.goal_solutions import NO_CURVE, TRACE, Goals, curve_places, postures_at, solve_goals
from ..kernels.nearest import nearest_place
from ..kernels.posture import FREE
from ..kernels.posture_rows import COMFORT, CURVE, CURVES, FIRST, LEFT, OUTSIDE, PROVEN, SECOND, STAGE, WIDTH
from ..posture import ON_RIM, Posture, posture_of
from .arm_forward import posture_at
from .arm_tables import Scratch, make_scratch
from .questions import Z_AXIS, Question, asked_of_hand, checked_radius, read_goals, require_one_of

if TYPE_CHECKING:
    from ..arm import Arm


_held = threading.local()
FAR = 20.0  # lengths of the arm: more is another unit
FLAGGED = 1.0  # degrees of orientation given up for a measured elbow that are told
AT_REACH = 1e-10  # a goal this near [m] to the border of the reach is on it


@dataclass(frozen=True, eq=False)
class ElbowCurve:
    """One curve of elbow positions for a goal: refined points in order, and any point between them.

    Attributes
    ----------
    arm : Arm
    goal : ndarray, shape (3,)
        [m]
    radius : float
        Distance of the elbows from the goal [m].
    places : ndarray, shape (n, 2)
        In the surface's domain.
    patches : ndarray of int, shape (n,)
        Triangles of the surface.
    closed : bool
    """

    arm: Arm
    goal: np.ndarray
    radius: float
    places: np.ndarray
    patches: np.ndarray
    closed: bool

    def __len__(self) -> int:
        return len(self.places)

    @property
    def elbows(self) -> np.ndarray:
        """Elbow positions (n, 3) at the points."""
        return self.arm.rigid_elbow(self.places)

    def at(self, parameters: ArrayLike) -> np.ndarray:
        """Domain places (m, 2) at real parameters, 0 at the first point, n at the first again if closed.

        Parameters
        ----------
        parameters : array_like, shape (m,)

        Returns
        -------
        ndarray, shape (m, 2)
        """
        return self._at(parameters)[0]

    def postures(self, parameters: ArrayLike | None = None, orientation: ArrayLike | None = None) -> Posture:
        """The posture at every point of the curve (or at real parameters), with wrist angles for an orientation.

        Parameters
        ----------
        parameters : array_like, shape (m,), optional
            By default one at every point.
        orientation : array_like, shape (3, 3) or (m, 3, 3), optional
            The hand's rotation.

        Returns
        -------
        Posture
        """
        wanted = (
            np.arange(len(self), dtype=float) if parameters is None else np.atleast_1d(np.asarray(parameters, float))
        )
        places, patches = self._at(wanted)
        hand = asked_of_hand(orientation, None, None, (len(wanted),))
        rows = np.zeros((len(wanted), WIDTH))
        asked = Goals(np.tile(self.goal, (len(wanted), 1)), self.radius, *hand, 0, 0)
        postures_at(self.arm.tables, patches, places, asked, False, rows)
        return posture_of(self.arm, rows)

    def _at(self, parameters):
        parameters = np.atleast_1d(np.asarray(parameters, float))
        places, patches = np.zeros((len(parameters), 2)), np.zeros(len(parameters), np.int64)
        one = Curves(self.places, self.patches, np.array([0, len(self)]), np.array([int(self.closed)]))
        curve_places(self.arm.tables, self.goal, self.radius, one, 0, parameters, places, patches)
        return places, patches


def elbow_curves(arm, goal, *, radius: float | None = None) -> list[ElbowCurve]:
    """Every curve of elbow positions a forearm (or `radius` [m]) from a goal (3,); none if out of reach."""
    goal = read_goals(goal)
    require(goal.shape == (3,), "elbow curves are of one goal", BadShape, shape=goal.shape)
    radius = checked_radius(arm, radius)
    work = thread_scratch(arm)
    rows = np.zeros((1, WIDTH))
    asked = Goals(goal[None], radius, TRACE, np.zeros((1, 9)), Z_AXIS, 0, 0)
    solve_goals(arm.tables, arm.grid, asked, work, rows, 0, 1)
    count = int(rows[0, CURVES])
    runs = zip(work.starts[:count], work.starts[1 : count + 1], work.closed[:count], strict=True)
    return [
        ElbowCurve(arm, goal, radius, work.points[a:b].copy(), work.patches[a:b].copy(), bool(c)) for a, b, c in runs
    ]


def solutions(arm, goal, *, orientation=None) -> Posture:
    """The postures at all points of all curves of a goal (3,), those outside the limits too."""
    found = [curve.postures(orientation=orientation).rows for curve in elbow_curves(arm, goal)]
    for number, rows in enumerate(found):
        rows[:, CURVE] = number
    return posture_of(arm, np.vstack([np.zeros((0, WIDTH)), *found]))


def solve(arm, goal, question: Question, threads: int | None = None) -> Posture:
    """The best posture for each goal (..., 3); options as in `Arm.solve`."""
    question.check()
    return _solved(arm, read_goals(goal), arm.lengths.forearm, question, threads)


def aim(arm, target, distance: float, question: Question, threads: int | None = None) -> Posture:
    """Postures whose forearm points at each target (..., 3) from `distance` [m] between elbow and target."""
    require_one_of("outside", question.outside, ("raise", "nan"))
    question.check()
    return _solved(arm, read_goals(target), checked_radius(arm, distance), question, threads)


def _solved(arm, goals, radius, question: Question, threads) -> Posture:
    """Among measured elbows first; goals that have none there, among all unless these are refused."""
    shape = goals.shape[:-1]
    flat = for_kernels(goals.reshape(-1, 3))
    hand = asked_of_hand(question.orientation, question.hand_axis, question.about, shape)
    kept = int(question.keep == "orientation")
    asked = Goals(flat, radius, *hand, 1, kept)
    rows = _run(arm, asked, threads)
    lost = _lost(rows)
    if len(lost) and arm.region is not None and question.unmeasured == "flag":
        rows[lost] = _run(arm, _some(asked, lost, trimmed=0), threads)
    anywhere = _anywhere(arm, asked, rows, threads) if question.unmeasured == "flag" else rows[:, LEFT].copy()
    _out_of_reach(arm, asked, rows, question)
    return posture_of(arm, rows.reshape(*shape, WIDTH), anywhere.reshape(shape))


def _anywhere(arm, asked: Goals, rows, threads) -> np.ndarray:
    """Angles left of the orientation with any elbow; warn where a measured one gives up more than another would."""
    left = rows[:, LEFT].copy()
    given_up = np.flatnonzero((left > 1e-9) & (rows[:, OUTSIDE] <= ON_RIM))
    if arm.region is None or not len(given_up):
        return left
    again = _run(arm, _some(asked, given_up, trimmed=0), threads)
    found = np.setdiff1d(np.arange(len(again)), _lost(again))
    left[given_up[found]] = np.minimum(left[given_up[found]], again[found, LEFT])
    more = np.degrees(rows[:, LEFT] - left)
    if more.max() > FLAGGED:
        n = int(np.argmax(more))
        warnings.warn(
            f"solve: goal {n} gives up {np.degrees(rows[n, LEFT]):.3g} degrees of orientation to keep an elbow that "
            f"was measured; one that was not would leave {np.degrees(left[n]):.3g} (`anywhere` of the posture; "
            f"{np.count_nonzero(more > FLAGGED)} such goals)",
            CondyleWarning,
            stacklevel=5,
        )
    return left


def _run(arm, asked: Goals, threads) -> np.ndarray:
    rows = np.zeros((len(asked.positions), WIDTH))

    def part(start, stop):
        solve_goals(arm.tables, arm.grid, asked, thread_scratch(arm), rows, start, stop)

    run_chunks(part, len(rows), 1, threads, grain=16)
    return rows


def _some(asked: Goals, which, *, trimmed: int) -> Goals:
    """Some of the goals."""
    return asked._replace(
        positions=for_kernels(asked.positions[which]), turns=for_kernels(asked.turns[which]), trimmed=trimmed
    )


def _lost(rows: np.ndarray) -> np.ndarray:
    """The numbers of rows without an answer."""
    return np.flatnonzero((rows[:, STAGE] == NO_CURVE) | (rows[:, STAGE] == POSITION))


def thread_scratch(arm) -> Scratch:
    """This thread's memory for this arm; the kernels leave it as they found it."""
    arm_of, work = getattr(_held, "work", (lambda: None, None))
    if work is None or arm_of() is not arm:
        work = make_scratch(arm.grid, len(arm.surface.complex.triangles))
        _held.work = weakref.ref(arm), work
    return work


def _out_of_reach(arm, asked: Goals, rows, question: Question) -> None:
    """Raise for the first goal out of reach, or replace such rows."""
    bad, measured = _lost(rows), question.unmeasured == "refuse"
    if asked.radius == arm.lengths.forearm:
        bad = [n for n in bad if not _on_the_border(arm, _some(asked, [n], trimmed=0), rows[n : n + 1], measured)]
    if question.outside == "nan":
        rows[bad] = np.nan
    if not len(bad) or question.outside == "nan":
        return
    if question.outside == "nearest":
        for n in bad:
            near = nearest_reachable(arm, asked.positions[n], measured=measured)
            rows[n] = posture_at(arm, near.place, near.twist, near.flexion, (0.0, 0.0, 0.0)).rows
        return
    raise _explained(arm, asked, rows, bad, measured)


def _on_the_border(arm, asked: Goals, row, measured: bool) -> bool:
    """Whether a goal is on the very border of the reach, where rounding decides; then its posture is written."""
    goal = asked.positions[0]
    if not _near_the_border(arm, goal, row[0]):
        return False
    near = nearest_reachable(arm, goal, measured=measured)
    if near.distance > AT_REACH:
        return False
    patch = arm.surface.complex.locate(near.place[None])[0]
    for clamp in (False, True):
        postures_at(arm.tables, patch, near.place[None], asked, clamp, row)
        if row[0, SECOND] <= MET:
            break
    if asked.mode == FREE and row[0, FIRST] > MET:  # straight but for rounding: the twist is free
        comfort = row[0, COMFORT]
        row[0] = posture_at(arm, near.place, near.twist, near.flexion, (0.0, 0.0, 0.0)).rows
        row[0, COMFORT] = comfort
    row[0, PROVEN] = 1.0  # there is no other elbow
    return True


def _near_the_border(arm, goal, row) -> bool:
    """A cheap test that keeps batches of goals far out of reach fast."""
    near = 0.2 * arm.lengths.forearm  # some grid vertex is nearer than that to any elbow
    if row[STAGE] == POSITION:  # at a limit, or straight, where the twist is free and just beside it is not
        return row[FIRST] < 1e-8 or np.linalg.norm(arm.straight_wrists - goal, axis=1).min() < 2 * near
    return np.abs(np.linalg.norm(arm.grid.elbow - goal, axis=1) - arm.lengths.forearm).min() < 0.2 * near


def _explained(arm, asked: Goals, rows, bad, measured: bool) -> OutOfReach:
    first, goals = int(bad[0]), asked.positions
    goal = ", ".join(f"{x:.4f}" for x in goals[first])
    which = f" (goal {first}, {len(bad)} of {len(goals)})" if len(goals) > 1 else ""
    why = _why(arm, asked, rows, first)
    if asked.radius != arm.lengths.forearm:
        words = (
            f"no elbow position is {asked.radius:.4f} m from ({goal}) inside the limits{which}; try another distance"
        )
        return OutOfReach(words)
    far = float(np.linalg.norm(goals[first])) / sum(arm.lengths)
    if far > FAR:
        why += f" ({far:.0f} times its length away: goals are in metres)"
    near = nearest_reachable(arm, goals[first], measured=measured)
    point = ", ".join(f"{x:.4f}" for x in near.point)
    error = OutOfReach(
        f"goal ({goal}) m is out of reach{which}: {why}; the nearest reachable point is ({point}), "
        f'{near.distance:.4f} m away (outside="nearest" goes there)'
    )
    error.nearest = near
    return error


def _why(arm, asked: Goals, rows, n: int) -> str:
    """What keeps the arm from a goal."""
    if arm.region is not None:
        free = _run(arm, _some(asked, [n], trimmed=0), 1)
        if not len(_lost(free)):
            off = 100 * free[0, OUTSIDE]
            return f'its elbow would be {off:.1f} cm outside the measured workspace (unmeasured="flag" allows it)'
    return "the arm cannot get there" if rows[n, STAGE] == NO_CURVE else "the limits of twist or flexion forbid it"


class NearestPoint(NamedTuple):
    """The wrist position nearest to a goal, and how to get there.

    Attributes
    ----------
    point : ndarray, shape (3,)
        [m]
    distance : float
        From the goal [m].
    place : ndarray, shape (2,)
        In the surface's domain.
    twist : float
        Share 0 … 1 of the twist range.
    flexion : float
        Of the elbow [rad].
    outside : float
        How far the elbow is outside the measured workspace [m].
    """

    point: np.ndarray
    distance: float
    place: np.ndarray
    twist: float
    flexion: float
    outside: float = 0.0


def nearest_reachable(arm, goal, *, measured: bool = False) -> NearestPoint:
    """The nearest point that the wrist can reach inside the limits of twist and flexion."""
    goal, out = read_goals(goal), np.zeros(5)
    require(goal.shape == (3,), "the nearest reachable point is of one goal", BadShape, shape=goal.shape)
    nearest_place(arm.tables, arm.grid.at, goal, int(measured), out)
    require(np.isfinite(out[4]), "no vertex of the arm's grid is inside the measured workspace; raise level", BadValue)
    span = posture_at(arm, out[:2], 0.0, 0.0, (0.0, 0.0, 0.0)).twist_range
    share = min(float(out[2] / span), 1.0)
    posture = posture_at(arm, out[:2], share, out[3], (0.0, 0.0, 0.0))
    distance = float(np.linalg.norm(posture.wrist - goal))
    return NearestPoint(posture.wrist, distance, out[:2].copy(), share, float(out[3]), float(posture.outside))
