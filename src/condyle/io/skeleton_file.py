"""Motions of skeletons as .npz: the skeleton, times, states, loads and what stopped."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BadFile, CondyleError, require
from .files import write_arrays
from .schema import VERSION

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from ..skeleton import Spring, Trajectory

__all__ = ["built_motion", "holds_motion", "is_motion", "save_motion"]

KIND = "skeleton motion"
SKELETON = ("masses", "inertias", "pairs", "points", "frames", "locked", "friction", "gravity")
NAMES = ("body_names", "joint_names")
STATE = ("positions", "rotations", "velocities", "angular_velocities")


def holds_motion(arrays: dict[str, np.ndarray]) -> bool:
    """Whether the arrays of a file are of a motion of a skeleton."""
    kind = arrays.get("kind")
    return kind is not None and kind.shape == () and str(kind) == KIND


def is_motion(thing: Any) -> TypeIs[Trajectory]:
    """Whether a thing is a motion of a skeleton; nothing is if those were never loaded."""
    module = sys.modules.get("condyle.skeleton.trajectory")
    return module is not None and isinstance(thing, module.Trajectory)


def save_motion(motion: Trajectory, path: Path) -> None:
    """Everything in one file."""
    s, stops, batch = motion.skeleton, motion.stops(), motion.states.shape[:-1]
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
    write_arrays(path, arrays)


def built_motion(arrays: dict[str, np.ndarray], path: Path) -> Trajectory:
    """The motion of the arrays of a file; older ones have no springs, limits, constant torques and turns."""
    from ..skeleton import Limit, Skeleton, State, Trajectory

    wanted = ("t", "loads", "stopped_time", "stopped_reason", *SKELETON, *NAMES, *STATE)
    missing = [name for name in (*wanted, *(f"start_{name}" for name in STATE)) if name not in arrays]
    require(not missing, f"{path}: a motion of a skeleton needs more arrays", BadFile, missing=missing)
    try:
        skeleton = Skeleton(
            **{name: arrays[name] for name in SKELETON},
            body_names=tuple(arrays["body_names"].tolist()),
            joint_names=tuple(arrays["joint_names"].tolist()),
            initial=State.checked(*(arrays[f"start_{name}"] for name in STATE), turns=arrays.get("start_turns")),
            springs=_springs(arrays),
            limits=tuple(Limit(int(j), *row) for j, *row in arrays.get("limits", np.zeros((0, 5))).tolist()),
            constant_torques=arrays.get("constant_torques"),  # type: ignore[arg-type]
        )
        states = State(*(np.asarray(arrays[name], float) for name in (*STATE, "turns") if name in arrays))
        return Trajectory(skeleton, arrays["t"], skeleton.given(states), _stops(arrays), arrays["loads"])
    except CondyleError as error:
        raise BadFile(f"{path}: {error}") from None
    except (ValueError, TypeError, IndexError) as error:
        raise BadFile(f"{path}: not a motion of a skeleton: {error}") from None


def _spring_row(s: Spring) -> tuple[float, ...]:
    """Bodies, points, stiffness, length, damping."""
    return (*s.bodies, *np.ravel(s.points), s.stiffness, s.length, s.damping)


def _springs(arrays: dict[str, np.ndarray]) -> tuple[Spring, ...]:
    from ..skeleton import Spring

    rows, names = arrays.get("springs", np.zeros((0, 11))), arrays.get("spring_names", np.zeros(0, str))
    return tuple(
        Spring(str(name), (int(x[0]), int(x[1])), x[2:8].reshape(2, 3), *map(float, x[8:]))
        for x, name in zip(rows, names, strict=True)
    )


def _stops(arrays: dict[str, np.ndarray]):
    from ..skeleton import Stop

    times, reasons = arrays["stopped_time"], arrays["stopped_reason"]
    out = np.full(times.shape, None, dtype=object)
    for index in np.ndindex(*times.shape):
        if not np.isnan(times[index]):
            out[index] = Stop(float(times[index]), str(reasons[index]))
    return out[()]
