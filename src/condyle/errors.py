"""What condyle says when something is wrong: which object, what was got, what was expected, what to do."""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from collections.abc import Iterable
from typing import Any

__all__ = [
    "AmbiguousName",
    "Approximated",
    "BadCoordinates",
    "BadFile",
    "BadInertia",
    "BadKnots",
    "BadQuaternion",
    "BadSamples",
    "BadShape",
    "BadTree",
    "BadValue",
    "CondyleError",
    "CondyleWarning",
    "DamagedRecords",
    "FoldedSurface",
    "HalfTurn",
    "IdleMuscles",
    "InconsistentLoop",
    "Interrupted",
    "NeedsMoreFrames",
    "NotARotation",
    "NotConverged",
    "NotFinite",
    "NotInModel",
    "NotSupported",
    "OutOfReach",
    "OutsideDomain",
    "OutsideDomainWarning",
    "PrescribedMismatch",
    "RankLost",
    "TooFewPoses",
    "UnknownName",
    "UnsafeViewer",
    "require",
    "require_plain",
    "shown",
    "unknown_name",
    "warn",
]

HIDDEN = re.compile(r"[\u202a-\u202e\u2066-\u2069]")  # direction marks


class CondyleError(ValueError):
    """The root of every error that condyle raises on purpose.

    Attributes
    ----------
    trajectory : condyle.Trajectory, condyle.skeleton.Trajectory or None
        If it ended a simulation, as a `control` that returned NaN does: the records up to there, as in `Interrupted`.
    """

    trajectory: Any = None


class CondyleWarning(UserWarning):
    """The root of every warning: a result that may mislead, or work that will be done again."""


class NotInModel(CondyleWarning):
    """Parts of a foreign file that the model made from it does not do; the warning says what that means."""


class Approximated(CondyleWarning):
    """Joints that a foreign file cannot hold exactly, and how far those in the file are off."""


class DamagedRecords(CondyleWarning):
    """Files of a folder of records are damaged: they are left out, or computed again, as the warning says."""


class IdleMuscles(CondyleWarning):
    """Muscles of a model that do not act, because a function was not told how active they are."""


class NoStoredEnergy(CondyleWarning):
    """The law of a force gives no energy, so that energies of the model lack its share."""


class OutsideDomainWarning(CondyleWarning):
    """A coordinate left the domain of its joint and was extended linearly."""


class BadValue(CondyleError):
    """A number or option that makes no sense here."""


class BadShape(CondyleError):
    """An array of the wrong shape."""


class NotFinite(CondyleError):
    """A NaN or an infinity, given or computed."""


class UnknownName(CondyleError):
    """A body, joint, coordinate or option that does not exist."""


class AmbiguousName(CondyleError):
    """A short name that several things answer to."""


class NotARotation(CondyleError):
    """A matrix that is not a rigid pose or a rotation."""


class BadQuaternion(CondyleError):
    """A quaternion too far from unit norm to be meant as one."""


class BadKnots(CondyleError):
    """Knots or control points that make no spline of the order asked for."""


class HalfTurn(CondyleError):
    """Neighbouring frames (almost) half a turn apart: the way between them is ambiguous."""


class BadInertia(CondyleError):
    """A mass or moment of inertia that no body has."""


class BadCoordinates(CondyleError):
    """Coordinates of measurements that are missing, repeated or unsorted."""


class BadFile(CondyleError):
    """A file that is not what its name or header says, or an output file that exists."""


class TooFewPoses(CondyleError):
    """Not enough measurements for what is asked."""


class NeedsMoreFrames(CondyleError):
    """Control frames that would have to be too far apart; more of them are needed.

    Attributes
    ----------
    misfit : float or None
        What the frames that were refused leave of the poses: a measure of their noise.
    """

    misfit: float | None = None


class BadTree(CondyleError):
    """Bodies that do not make a tree."""


class BadSamples(CondyleError):
    """Samples that cannot come from a right arm in metres: wrong unit, wrong side, or too few."""


class FoldedSurface(CondyleError):
    """A fitted surface that turns back over itself, so that a place has no single meaning."""


class OutOfReach(CondyleError):
    """A goal that the arm cannot reach; the nearest reachable point is in the message and in `nearest`."""

    nearest: object = None


class OutsideDomain(CondyleError):
    """A coordinate outside the domain of a joint that refuses to be extended."""


class RankLost(CondyleError):
    """A joint Jacobian without full column rank, or a direction without inertia."""


class PrescribedMismatch(CondyleError):
    """A free coordinate used as a prescribed one, or the other way round."""


class InconsistentLoop(CondyleError):
    """A constraint that the given state does not satisfy."""


class NotConverged(CondyleError):
    """An iteration that did not reach its tolerance."""


class NotSupported(CondyleError):
    """A combination that condyle refuses, with the way out in the message."""


class Interrupted(KeyboardInterrupt):
    """A simulation that Ctrl-C, or a signal handler that raised KeyboardInterrupt, ended before its time.

    It is a KeyboardInterrupt, so that a script that does not catch it ends as usual. What was recorded is not lost::

        try:
            trajectory = cd.simulate(model, q, duration=3600.0)
        except cd.errors.Interrupted as interrupted:
            trajectory = interrupted.trajectory

    Attributes
    ----------
    trajectory : condyle.Trajectory or condyle.skeleton.Trajectory
        The records up to the interruption: `t` ends with the last one. Its `stopped` says when, for every member, and
        holds the last state computed, from which another `simulate` (with `t0`) can go on.
    """

    def __init__(self, message: str, trajectory: Any) -> None:
        super().__init__(message)
        self.trajectory = trajectory


class UnsafeViewer(CondyleError):
    """A server of the live viewer that strangers could use; it is not started."""


def require(condition: object, message: str, error: type[CondyleError] = BadValue, **got: object) -> None:
    """Raise `error` with `message` and the offending values unless `condition` holds.

    A value given as `got` stands for itself; others are told by name.

    Parameters
    ----------
    condition : bool
    message : str
        What was expected, naming the object.
    error : type of CondyleError, optional
    **got
        The offending values by name.

    Raises
    ------
    CondyleError
        Of the class `error`, if the condition does not hold.
    """
    if condition:
        return
    values = ", ".join(shown(value) if name == "got" else f"{name} = {shown(value)}" for name, value in got.items())
    raise error(f"{message}; got {values}" if values else message)


def require_plain(name: str, what: str) -> None:
    """Refuse a name with direction marks, which make it look like another where it is shown.

    Parameters
    ----------
    name : str
    what : str
        What has the name.

    Raises
    ------
    BadValue
        With the name, its hidden characters in code.
    """
    found = HIDDEN.search(name)
    if found:
        raise BadValue(f"{what} {name!a}: a name has no direction marks such as U+{ord(found[0]):04X}, "
                       "by which it would look like another; leave it out")  # fmt: skip


def shown(value: object, longest: int = 1000) -> str:
    """As Python writes it, numpy's numbers as plain ones, cut where it is longer than `longest` letters.

    Parameters
    ----------
    value : object
    longest : int, optional
        [letters]

    Returns
    -------
    str
    """
    plain = getattr(value, "item", None) if getattr(value, "shape", None) == () else None
    try:
        text = repr(plain() if plain else value)
    except Exception:  # an integer of more digits than Python prints, or an object that cannot describe itself
        text = f"a value of type {type(value).__name__} that cannot be printed"
    return text if len(text) <= longest else text[: longest - 1] + "…"


def warn(message: str, category: type[Warning] = CondyleWarning) -> None:
    """Warn, showing the line outside of condyle from which it was called.

    Parameters
    ----------
    message : str
    category : type of Warning, optional
        `CondyleWarning` by default.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "condyle":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def amount(count: int, one: str, many: str = "") -> str:
    """A number of things in words: '1 body', '2 bodies'.

    Parameters
    ----------
    count : int
    one : str
        What one is called.
    many : str, optional
        What several are called, if not by an s more.

    Returns
    -------
    str
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def unknown_name(kind: str, name: object, known: Iterable[str], where: str = "this model") -> UnknownName:
    """An error that names the nearest known names: 'no joint named 'kne' in this model. Did you mean 'knee'? …'.

    Parameters
    ----------
    kind : str
        What is named, such as "joint".
    name : str
        What was got.
    known : iterable of str
        The names there are.
    where : str, optional
        Where they are.

    Returns
    -------
    UnknownName
        To be raised.
    """
    known = list(known)
    near = difflib.get_close_matches(name[:200], known, n=1) if isinstance(name, str) else []
    hint = f" Did you mean {near[0]!r}?" if near else ""
    listed = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
    return UnknownName(f"no {kind} named {shown(name)} in {where}.{hint} It has: {listed or 'none'}.")


def __dir__() -> list[str]:
    return sorted(__all__)
