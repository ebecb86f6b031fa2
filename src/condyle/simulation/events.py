"""Events of a run: a member that stopped, a coordinate that went too far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ..errors import CondyleWarning


class StoppedWarning(CondyleWarning):
    """A run, or members of a batch, failed before the end: they diverged, lost rank or left a domain."""


@dataclass(frozen=True)
class Stop:
    """Why a member of a batch stopped, and when.

    Attributes
    ----------
    time : float
        Of its last good state [s].
    reason : str
    """

    time: float
    reason: str

    def __str__(self) -> str:
        return f"stopped at t = {self.time:.6g} s: {self.reason}"


End = TypeVar("End", bound=Stop)


@dataclass(frozen=True)
class Stopped(Stop):
    """Why and when a member of a batch stopped; `q` and `v` are its last good state.

    Attributes
    ----------
    q, v : ndarray
        The last good state.
    """

    q: np.ndarray
    v: np.ndarray


@dataclass(frozen=True)
class Outside:
    """A coordinate that left its joint's domain or its range, when it first did, and how far it went.

    Attributes
    ----------
    coordinate : str
    time : float
        When it first left [s].
    reached : float
        The farthest value [rad or m].
    domain : tuple of two float
        What it left.
    """

    coordinate: str
    time: float
    reached: float
    domain: tuple[float, float]

    def __str__(self) -> str:
        low, high = self.domain
        return f"{self.coordinate} left [{low:g}, {high:g}] at t = {self.time:.4g} s and reached {self.reached:.4g}"


@dataclass(frozen=True, eq=False)
class Impact:
    """One passage of a corner of a joint, or the end of a motion in one.

    Attributes
    ----------
    time : float
        [s]
    coordinate : str
        Whose corner it is.
    corner : float
        Where, by that coordinate [its unit].
    q : ndarray, shape (nq,)
        All coordinates at that time.
    arriving, leaving : ndarray, shape (nv,)
        Velocities just before and just after.
    impulse : ndarray, shape (6,)
        Of the joint on its body [N m s, N s], in the body's axes, about its origin.
    lost : float
        Energy [J].
    member : tuple of int
        Of a batch: whose it is; () for a single run.
    """

    time: float
    coordinate: str
    corner: float
    q: np.ndarray
    arriving: np.ndarray
    leaving: np.ndarray
    impulse: np.ndarray
    lost: float
    member: tuple[int, ...] = ()


@dataclass(frozen=True)
class SlipChange:
    """A coordinate with dry friction that begins to slide, or to stick.

    Attributes
    ----------
    time : float
        [s]
    coordinate : str
    way : int
        1 and −1: it slides as its coordinate grows or falls; 0: it sticks.
    member : tuple of int
        Of a batch: whose it is; () for a single run.
    """

    time: float
    coordinate: str
    way: int
    member: tuple[int, ...] = ()


def by_member(stops: Sequence[End | None], batch: tuple[int, ...]) -> End | np.ndarray | None:
    """What a trajectory says of its members' ends: None if none stopped, that of a single one, or an array of them."""
    if not batch:
        return stops[0]
    out = np.full(len(stops), None, dtype=object)
    out[:] = stops
    return out.reshape(batch) if any(stop is not None for stop in stops) else None


def described_stops(stopped) -> str:
    """What stopped, in words: of a batch how many members did, and the one that did first; nothing if none did.

    `stopped` is None, an event with a time, or an array of these.
    """
    if not isinstance(stopped, np.ndarray):
        return "" if stopped is None else str(stopped)
    found = [(index, s) for index, s in np.ndenumerate(stopped) if s is not None]
    if not found:
        return ""
    index, first = min(found, key=lambda pair: pair[1].time)
    return f"{len(found)} of {stopped.size} members stopped, first member {list(index)}, which {first}"


def stopped_words(end: float, stopped) -> str:
    """The warning of a run that was to go on until `end` [s]."""
    return (
        f"the simulation did not reach its end, t = {end:.6g} s: {described_stops(stopped)} "
        "(records after that are NaN; trajectory.stopped says when and why)"
    )
