"""Motions of skeletons as .npz: the skeleton, times, states, loads and what stopped."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import BadFile, CondyleError, require
from ...formats.archive import Arrays, write_arrays
from ...simulation.events import by_member
from ...spatial.validate_rotation import rotation_matrix
from ..schema import VERSION
from .trajectory_file import checked_times, floats

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from ...skeleton import Skeleton, Spring, State, Trajectory

KIND = "skeleton motion"
SKELETON = ("masses", "inertias", "pairs", "points", "frames", "locked", "friction", "gravity")
NAMES = ("body_names", "joint_names")
WORDS = (*NAMES, "condyle", "kind", "spring_names", "stopped_reason")
STATE = ("positions", "rotations", "velocities", "angular_velocities")


def is_motion(thing: Any) -> TypeIs[Trajectory]:
    """Whether a thing is a motion of a skeleton; nothing is if those were never loaded."""
    module = sys.modules.get("condyle.skeleton.trajectory")
    return module is not None and isinstance(thing, module.Trajectory)


def save_motion(motion: Trajectory, path: Path) -> None:
    """Everything in one file."""
    s, stops, batch = motion.skeleton, motion.stops(), motion.batch
    arrays = {"condyle": np.array(VERSION), "kind": np.array(KIND), "t": motion.t, "loads": motion.loads}
    arrays |= {name: getattr(s, name) for name in SKELETON}
    arrays |= {name: np.array(getattr(s, name), dtype=str) for name in NAMES}
    arrays |= {f"start_{name}": getattr(s.initial, name) for name in (*STATE, "turns")}
    arrays |= {name: getattr(motion.states, name) for name in (*STATE, "turns")}
    arrays |= {"limits": np.array(s.limits, float).reshape(-1, 5), "constant_torques": s.constant_torques}
    arrays["springs"] = np.array([_spring_row(x) for x in s.springs], float).reshape(-1, 11)
    arrays["spring_names"] = np.array([x.name for x in s.springs], dtype=str)
    arrays["stopped_time"] = np.array([np.nan if x is None else x.time for x in stops]).reshape(batch)
    arrays["stopped_reason"] = np.array(["" if x is None else x.reason for x in stops]).reshape(batch)
    arrays |= _stopped_states(motion)
    write_arrays(path, arrays)


def _stopped_states(motion: Trajectory) -> Arrays:
    """The last good states of members that stopped, NaN for the others; nothing if none is known."""
    states = [getattr(stop, "state", None) for stop in motion.stops()]
    known = [state for state in states if state is not None]
    if not known:
        return {}
    rows = {name: [np.full_like(getattr(known[0], name), np.nan)] * len(states) for name in (*STATE, "turns")}
    for name, row in rows.items():
        row[:] = [row[i] if state is None else getattr(state, name) for i, state in enumerate(states)]
    return {f"stopped_{name}": np.reshape(row, (*motion.batch, *row[0].shape)) for name, row in rows.items()}


def built_motion(arrays: Arrays, path: Path) -> Trajectory:
    """The motion of the arrays of a file; older ones have no springs, limits, constant torques and turns."""
    from ...skeleton import Trajectory

    wanted = ("t", "loads", "stopped_time", "stopped_reason", *SKELETON, *NAMES, *STATE)
    missing = [name for name in (*wanted, *(f"start_{name}" for name in STATE)) if name not in arrays]
    require(not missing, f"{path}: a motion of a skeleton needs more arrays", BadFile, missing=missing)
    numbers = {name: floats(x, name, path) for name, x in arrays.items() if name not in WORDS}
    try:
        skeleton = _skeleton(arrays, numbers, path)
        t = checked_times(numbers["t"].reshape(-1), path)
        states, stops = _states(skeleton, numbers, len(t), path), _stops(skeleton, arrays, numbers, path)
        _check_records(states, stops, numbers, path)
        return Trajectory(skeleton, t, states, by_member(list(stops.flat), stops.shape), numbers["loads"])
    except BadFile:
        raise
    except CondyleError as error:
        raise BadFile(f"{path}: {error}") from None
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise BadFile(f"{path}: not a motion of a skeleton: {error}") from None


def _skeleton(arrays: Arrays, numbers: Arrays, path: Path) -> Skeleton:
    """Bodies, joints and the start."""
    from ...skeleton import Limit, Skeleton, State
    from ...skeleton.skeleton import KINDS

    bodies, joints = (_words(arrays[name], name, path) for name in NAMES)
    m = len(joints)
    frames, locked, pairs = numbers["frames"], numbers["locked"], numbers["pairs"]
    require(frames.shape == (m, 2, 3, 3), f"{path}: frames must be ({m}, 2, 3, 3)", BadFile, shape=frames.shape)
    rotation_matrix(frames, "frames")
    known = locked.shape == (m,) and np.isin(locked, list(KINDS)).all()
    require(known, f"{path}: locked must be ({m},), 0 for a ball, 2 for a hinge, 3 for a weld", BadFile, got=locked)
    whole = pairs.shape == (m, 2) and (pairs == np.round(pairs)).all()
    require(whole, f"{path}: pairs must be ({m}, 2) numbers of bodies", BadFile, shape=pairs.shape)
    limits = numbers.get("limits", np.zeros((0, 5)))
    return Skeleton(
        **{name: numbers[name] for name in SKELETON} | {"pairs": pairs.astype(int), "locked": locked.astype(int)},
        body_names=bodies,
        joint_names=joints,
        initial=State.checked(*(numbers[f"start_{name}"] for name in STATE), turns=numbers.get("start_turns")),
        springs=_springs(arrays, numbers, path),
        limits=tuple(Limit(int(j), *row) for j, *row in limits.tolist()),
        constant_torques=numbers.get("constant_torques"),  # type: ignore[arg-type]
    )


def _states(skeleton: Skeleton, numbers: Arrays, count: int, path: Path) -> State:
    """The recorded states (…, T), all parts of one batch shape."""
    from ...skeleton import State

    n, m = len(skeleton.body_names), len(skeleton.joint_names)
    parts = {name: numbers[name] for name in (*STATE, "turns") if name in numbers}
    batch = parts["positions"].shape[:-2]
    ends = {name: (n, 3, 3) if name == "rotations" else (n, 3) for name in STATE} | {"turns": (m,)}
    for name, x in parts.items():
        none = name == "turns" and x.shape == (*batch, 0)
        expected = f"{path}: {name} must be (…, {count}, {', '.join(map(str, ends[name]))}), as many records as times"
        require(none or x.shape == (*batch, *ends[name]), expected, BadFile, shape=x.shape)
    require(batch[-1:] == (count,), f"{path}: {count} times and another number of records", BadFile, records=batch)
    return skeleton.checked_state(State(*parts.values()))


def _check_records(states: State, stops: np.ndarray, numbers: Arrays, path: Path) -> None:
    """Numbers up to where a member stopped, rotations that are some, loads for each record or for all."""
    batch = states.shape
    expected = f"{path}: stopped_time and stopped_reason must be {batch[:-1]}, one for each member"
    require(stops.shape == batch[:-1], expected, BadFile, shape=stops.shape)
    good = np.all([np.isfinite(x).reshape(*batch, -1).all(axis=-1) for x in vars(states).values()], axis=0)
    going = np.array([stop is None for stop in stops.flat]).reshape(stops.shape)
    kept = np.where(going, good.all(axis=-1), good[..., 0] & (np.diff(good.astype(int), axis=-1) <= 0).all(axis=-1))
    bad = np.argwhere(~kept)[:1].tolist()
    require(not bad, f"{path}: a record is NaN or infinite before its member stopped", BadFile, member=bad)
    rotation_matrix(states.rotations[good], "rotations")
    loads, size = numbers["loads"], 3 * len(numbers["pairs"]) + 6 * len(numbers["masses"])
    fits = loads.ndim >= 2 and loads.shape[-1] == size and loads.shape[-2] in (1, batch[-1])
    require(fits, f"{path}: loads must be (…, {batch[-1]} or 1, {size})", BadFile, shape=loads.shape)
    np.broadcast_shapes(loads.shape[:-2], batch[:-1])
    require(np.isfinite(loads).all() or not going.all(), f"{path}: loads must be finite", BadFile)


def _words(names: np.ndarray, what: str, path: Path) -> tuple[str, ...]:
    good = names.ndim == 1 and (names.dtype.kind == "U" or names.size == 0)
    require(good, f"{path}: {what} must be texts", BadFile, dtype=str(names.dtype), shape=names.shape)
    return tuple(str(name) for name in names)


def _spring_row(s: Spring) -> tuple[float, ...]:
    """Bodies, points, stiffness, length, damping."""
    return (*s.bodies, *np.ravel(s.points), s.stiffness, s.length, s.damping)


def _springs(arrays: Arrays, numbers: Arrays, path: Path) -> tuple[Spring, ...]:
    from ...skeleton import Spring

    rows = numbers.get("springs", np.zeros((0, 11)))
    names = _words(arrays.get("spring_names", np.zeros(0, str)), "spring_names", path)
    return tuple(
        Spring(name, (int(x[0]), int(x[1])), x[2:8].reshape(2, 3), *map(float, x[8:]))
        for x, name in zip(rows, names, strict=True)
    )


def _stops(skeleton: Skeleton, arrays: Arrays, numbers: Arrays, path: Path) -> np.ndarray:
    """The end of each member, or None."""
    from ...skeleton import Stopped

    times, reasons = numbers["stopped_time"], arrays["stopped_reason"]
    texts = reasons.dtype.kind == "U" and reasons.shape == times.shape
    require(texts, f"{path}: stopped_reason must be texts, one for each stopped_time", BadFile, shape=reasons.shape)
    out = np.full(times.shape, None, dtype=object)
    for index in np.ndindex(*times.shape):
        if not np.isnan(times[index]):
            state = _stopped_state(skeleton, numbers, index, path)
            out[index] = Stopped(float(times[index]), str(reasons[index]), state)
    return out


def _stopped_state(skeleton: Skeleton, numbers: Arrays, index: tuple[int, ...], path: Path) -> State | None:
    """The last good state of a member; older files have none."""
    from ...skeleton import State

    parts = {name: numbers[f"stopped_{name}"] for name in (*STATE, "turns") if f"stopped_{name}" in numbers}
    if not parts:
        return None
    missing = [name for name in (*STATE, "turns") if name not in parts]
    require(not missing, f"{path}: the last states of members that stopped lack parts", BadFile, missing=missing)
    ends = {"rotations": (3, 3), "turns": ()}
    for name, x in parts.items():
        wanted = ends.get(name, (3,))
        fits = x.ndim == len(index) + 1 + len(wanted) and x.shape[x.ndim - len(wanted) :] == wanted
        require(fits, f"{path}: stopped_{name} must have a state for each member", BadFile, shape=x.shape)
    state = skeleton.checked_state(State(*(x[index] for x in parts.values())))
    good = all(np.isfinite(x).all() for x in vars(state).values())
    require(good, f"{path}: the last state of a member that stopped must be finite", BadFile, member=list(index))
    rotation_matrix(state.rotations, "stopped_rotations")
    return state
