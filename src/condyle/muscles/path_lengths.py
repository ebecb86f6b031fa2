"""Lengths, lengthening speeds and moment arms of all paths of a model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..dynamics.arguments import States, states
from ..errors import Approximated, BadValue, amount, shown, warn
from ..model import Model
from ..model.validate_model import require_model
from ..numeric import over_lanes
from ..typing import ArrayLike, OnFailure
from .kernels.path_layout import NO_GEODESIC, NO_POINTS, NOT_SETTLED
from .path_packing import packed_paths


class PathValues(NamedTuple):
    """Lengths (count, paths) and ∂L/∂v (count, paths, nv; no paths if not wanted) of states."""

    lengths: np.ndarray
    slopes: np.ndarray


def path_values(
    model: Model, s: States, slopes: bool, on_failure: OnFailure = "raise", threads: int | None = None
) -> PathValues:
    """Lengths of all paths at checked states, and their slopes if wanted."""
    from .kernels.path_lengths import path_states

    paths, count = len(model.muscles), s.count
    pair, tables = model.tables, tuple(packed_paths(model))
    lengths, status, failed = np.empty((count, paths)), np.zeros((count, paths)), np.empty((count, 1))
    J = np.empty((count, paths * model.nv if slopes else 0))
    given = s["q"], lengths, J, status, failed
    over_lanes(lambda z, i, j: path_states(z, pair, tables, given, i, j), count, s.single, threads)
    J = J.reshape(count, paths if slopes else 0, model.nv)
    found = PathValues(lengths, J)
    if failed.any() or not np.isfinite(lengths.sum()):
        _judge(model, s, found, status, on_failure)
    return found


def _judge(model: Model, s: States, found: PathValues, status: np.ndarray, on_failure: OnFailure) -> None:
    """Warn of lengths that are not exact; raise for paths without a length, or put NaN there."""
    rough = (status == NO_GEODESIC) | (status == NOT_SETTLED)
    bad = (status == NO_POINTS) | ~np.isfinite(found.lengths)
    if rough.any():
        _warn(model, s, status, rough)
    if bad.any():
        _tell(model, s, bad, on_failure)
        found.lengths[bad] = np.nan
        if found.slopes.shape[1]:
            found.slopes[bad] = np.nan


def _first(model: Model, s: States, found: np.ndarray) -> tuple[str, str]:
    """The first path and state where something is the case, in words."""
    i, k = (int(x) for x in np.argwhere(found)[0])
    where = f"state {i} of {s.count}" if s.batch else "this state"
    return f"muscle {model.muscles[k].name!r}", f"in {where} (q = {shown(s['q'][i].tolist())})"


def _warn(model: Model, s: States, status: np.ndarray, rough: np.ndarray) -> None:
    """Say once that lengths are not those of shortest ways."""
    who, where = _first(model, s, rough)
    if status[rough][0] == NO_GEODESIC:
        why = "there is no shortest way over the active side of its ellipsoid; that over another side is taken"
    else:
        why = "its path does not come to rest between its wraps; the last one that was found is taken"
    more = f" ({amount(int(rough.sum()), 'such length')} in all)"
    warn(f"{who}: {where} {why}, so its moment arms may not be exact there{more}", Approximated)


def _tell(model: Model, s: States, bad: np.ndarray, on_failure: OnFailure) -> None:
    """Raise an error that names the first path without a length, unless NaN is wanted."""
    if on_failure != "nan":
        who, where = _first(model, s, bad)
        why = "fewer than two points of its path count, or its length is not a finite number"
        raise BadValue(f"{who}: {where} {why}. Check its conditional points, or use on_failure='nan'")


def names(model: Model) -> tuple[str, ...]:
    """Names of all that runs along paths, in the order of the columns of `lengths`.

    Parameters
    ----------
    model : Model

    Returns
    -------
    tuple of str
    """
    require_model(model)
    return tuple(m.name for m in model.muscles)


def lengths(
    model: Model, q: ArrayLike, *, on_failure: OnFailure = "raise", threads: int | None = None
) -> np.ndarray:  # fmt: skip
    """Lengths [m] of the paths of all muscles, ligaments and springs of `model.muscles`.

    A path runs straight from point to point and along the shortest way over what it wraps. Its length is a function of
    the pose alone.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    on_failure : {"raise", "nan"}
        What becomes of a path that has no length in a state: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., muscles)
        In the order of `model.muscles`.

    Raises
    ------
    BadValue
        If the model has no muscles, or fewer than two points of a path count in a state.

    Warns
    -----
    Approximated
        If there is no shortest way over the active side of an ellipsoid, or several wraps have none together.

    Examples
    --------
    A muscle from the world to a rod, 0.3 m and 0.4 m from the hinge:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0))
    >>> b = b.add_muscle("flexor", [(None, (0.3, 0, 0)), ("rod", (0, 0, 0.4))])
    >>> cd.muscles.lengths(b.build(), [0.0])
    array([0.5])
    """
    s = states(model, q)
    return s.shaped(path_values(model, s, False, on_failure, threads).lengths, len(model.muscles))


def moment_arms(
    model: Model, q: ArrayLike, *, on_failure: OnFailure = "raise", threads: int | None = None
) -> np.ndarray:  # fmt: skip
    """Moment arms −∂L/∂q of all paths about all degrees of freedom [m, or m/m].

    They are exact: by the lines of action, for the shortest way over a wrap does not change to first order. Points that
    move with a coordinate and coordinates that follow others are part of them.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    on_failure : {"raise", "nan"}
        What becomes of a path that has no length in a state: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., muscles, nv)
        Force on each velocity for a tension of 1 N.

    Raises
    ------
    BadValue
        As `lengths` does.
    """
    s = states(model, q)
    return s.shaped(-path_values(model, s, True, on_failure, threads).slopes, len(model.muscles), model.nv)


def lengthening_speeds(
    model: Model, q: ArrayLike, v: ArrayLike, *, on_failure: OnFailure = "raise", threads: int | None = None
) -> np.ndarray:
    """How fast all paths lengthen [m/s].

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    on_failure : {"raise", "nan"}
        What becomes of a path that has no length in a state: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., muscles)
        Positive where a path lengthens.

    Raises
    ------
    BadValue
        As `lengths` does.
    """
    s = states(model, q, v=v)
    slopes = path_values(model, s, True, on_failure, threads).slopes
    return s.shaped(np.einsum("smk,sk->sm", slopes, s["v"]), len(model.muscles))
