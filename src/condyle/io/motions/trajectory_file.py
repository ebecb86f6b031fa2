"""Trajectories as .npz: times, states, those of muscles, what stopped, what left its domain, and the model itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from ...errors import BadFile, CondyleError, NotSupported, require
from ...formats.archive import Arrays, text_of, write_arrays
from ...model import Model
from ...muscles.muscle_trajectory import MuscleTrajectory
from ...simulation import Trajectory
from ...simulation.trajectory import Impact, Outside, SlipChange, Stopped
from ..array_fields import put_aside
from ..model_describe import described_model, seen_from
from ..schema import VERSION

MUSCLES = ("activation", "fiber_length", "excitation", "work")  # of a MuscleTrajectory
SLIPS = ("time", "coordinate", "way", "member")
IMPACTS = ("time", "corner", "q", "arriving", "leaving", "impulse", "lost", "member")
STOPPED = ("stopped_member", "stopped_time", "stopped_reason", "stopped_q", "stopped_v")


def save_trajectory(trajectory: Trajectory, path: Path) -> None:
    """Everything in one file."""
    t, q, v = _checked(trajectory.model, trajectory.t, trajectory.q, trajectory.v, path)
    arrays = {"condyle": np.array(VERSION), "kind": np.array("trajectory")}
    arrays |= {"t": t, "q": q, "v": v}
    arrays |= {"coordinates": np.array(trajectory.model.coordinates, dtype=str)}
    if isinstance(trajectory, MuscleTrajectory):
        arrays |= {name: getattr(trajectory, name) for name in MUSCLES}
    arrays |= _stopped(trajectory) | _outside(trajectory.outside) | _impacts(trajectory.impacts) | _friction(trajectory)
    arrays |= _model(seen_from(trajectory.model, path.parent))
    write_arrays(path, arrays)


def _model(model: Model) -> Arrays:
    """The model's text and long arrays, or why it cannot be kept."""
    try:
        tree, arrays = put_aside(described_model(model))
    except NotSupported as error:
        return {"model_missing": np.array(str(error))}
    return {"model": np.array(tomli_w.dumps(tree)), **{f"model/{key}": x for key, x in arrays.items()}}


def _stopped(trajectory: Trajectory) -> Arrays:
    if trajectory.stopped is None:
        return {}
    stops = np.array([trajectory.stopped], dtype=object).reshape(-1)
    found = [(i, s) for i, s in enumerate(stops) if s is not None]
    return {
        "stopped_member": np.array([i for i, _ in found], dtype=int),
        "stopped_time": np.array([s.time for _, s in found]),
        "stopped_reason": np.array([s.reason for _, s in found]),
        "stopped_q": np.array([s.q for _, s in found]),
        "stopped_v": np.array([s.v for _, s in found]),
    }


def _outside(found: tuple[Outside, ...]) -> Arrays:
    if not found:
        return {}
    numbers = np.array([(o.time, o.reached, *o.domain) for o in found])
    return {"outside": numbers, "outside_coordinate": np.array([o.coordinate for o in found])}


def _impacts(found: tuple[Impact, ...]) -> Arrays:
    if not found:
        return {}
    named = {f"impact_{name}": np.array([getattr(x, name) for x in found]) for name in IMPACTS}
    return named | {"impact_coordinate": np.array([x.coordinate for x in found])}


def _friction(trajectory: Trajectory) -> Arrays:
    if trajectory.friction_work is None:
        return {}
    parts = {f"slip_{name}": np.array([getattr(x, name) for x in trajectory.slips]) for name in SLIPS}
    return parts | {"friction_work": trajectory.friction_work}


def built_trajectory(
    arrays: Arrays, path: Path, model: Model | None, read_model: Callable[[str, Arrays], Model]
) -> Trajectory:
    """The trajectory of a file's arrays; `read_model(text, arrays)` builds the model kept inside if none is given."""
    missing = [k for k in ("t", "q", "v") if k not in arrays]
    require(not missing, f"{path}: a trajectory needs the arrays t, q and v", BadFile, missing=missing)
    own = model is None
    model = _kept_model(arrays, path, read_model) if model is None else model
    _require_same_coordinates(arrays, model, path, "its own model" if own else "the model that was given")
    t, q, v = (floats(arrays[k], k, path) for k in ("t", "q", "v"))
    t, q, v = _checked(model, t, q, v, path)
    muscles = _read_muscles(arrays, model, q, path)
    try:
        ends = _read_stopped(arrays, q, v, path), _read_outside(arrays)
        if muscles:
            return MuscleTrajectory(model, t, q, v, *ends, **muscles)
        rubbed = _read_friction(arrays, model, q, path)
        return Trajectory(model, t, q, v, *ends, impacts=_read_impacts(arrays, model, path), **rubbed)
    except CondyleError:
        raise
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise BadFile(f"{path}: what stopped or left its domain cannot be read: {error}") from None


def _read_impacts(arrays: Arrays, model: Model, path: Path) -> tuple[Impact, ...]:
    if "impact_coordinate" not in arrays:
        return ()
    names = [str(x) for x in arrays["impact_coordinate"]]
    unknown = sorted(set(names) - set(model.coordinates))
    require(not unknown, f"{path}: impacts of coordinates that the model does not have", BadFile, got=unknown)
    parts = {name: floats(arrays[f"impact_{name}"], f"impact_{name}", path) for name in IMPACTS}
    sizes = {"q": model.nq, "arriving": model.nv, "leaving": model.nv, "impulse": 6}
    good = all(len(x) == len(names) for x in parts.values())
    good = good and all(parts[name].shape == (len(names), size) for name, size in sizes.items())
    require(good, f"{path}: the numbers of its impacts do not go together", BadFile)
    rows = [{name: x[k] for name, x in parts.items()} for k in range(len(names))]
    return tuple(
        Impact(float(r["time"]), name, float(r["corner"]), r["q"], r["arriving"], r["leaving"], r["impulse"],
               float(r["lost"]), tuple(map(int, r["member"])))
        for name, r in zip(names, rows, strict=True)
    )  # fmt: skip


def _read_friction(arrays: Arrays, model: Model, q: np.ndarray, path: Path) -> dict[str, Any]:
    """Friction's work and phases, by the names of a trajectory."""
    if "friction_work" not in arrays:
        return {}
    work = floats(arrays["friction_work"], "friction_work", path)
    names = [str(x) for x in arrays["slip_coordinate"]]
    parts = {name: floats(arrays[f"slip_{name}"], f"slip_{name}", path) for name in ("time", "way", "member")}
    good = work.shape == q.shape[:-1] and all(len(x) == len(names) for x in parts.values())
    good = good and not set(names) - set(model.coordinates)
    require(good, f"{path}: the numbers of its friction do not go together", BadFile, got=work.shape)
    slips = (
        SlipChange(float(parts["time"][k]), name, int(parts["way"][k]), tuple(map(int, np.ravel(parts["member"][k]))))
        for k, name in enumerate(names)
    )
    return {"friction_work": work, "slips": tuple(slips)}


def _read_muscles(arrays: Arrays, model: Model, q: np.ndarray, path: Path) -> dict[str, Any]:
    """What a file has of muscles, by name: all of it, or nothing."""
    if not any(name in arrays for name in MUSCLES):
        return {}
    missing = [name for name in MUSCLES if name not in arrays]
    require(not missing, f"{path}: a motion under muscles needs {', '.join(MUSCLES)}", BadFile, missing=missing)
    found = {name: floats(arrays[name], name, path) for name in MUSCLES}
    expected = (*q.shape[:-1], len(model.muscles))
    for name, x in found.items():
        require(x.shape == expected, f"{path}: {name} must have shape {expected}, a number for each muscle", BadFile,
                got=x.shape)  # fmt: skip
    return found


def _checked(model: Model, t: np.ndarray, q: np.ndarray, v: np.ndarray, path: Path) -> tuple[np.ndarray, ...]:
    """Times and states that go together; NaN stands where a member had stopped."""
    shapes = q.shape[:-1] == v.shape[:-1] and t.ndim == 1 and q.ndim >= 2 and q.shape[-2] == len(t) > 0
    fits = shapes and (q.shape[-1], v.shape[-1]) == (model.nq, model.nv)
    expected = f"t (T,), q (…, T, {model.nq}) and v (…, T, {model.nv})"
    require(fits, f"{path}: expected {expected}", BadFile, t=t.shape, q=q.shape, v=v.shape)
    require(not np.isinf(q).any() and not np.isinf(v).any(), f"{path}: q and v must not be infinite", BadFile)
    return checked_times(t, path), q, v


def _kept_model(arrays: Arrays, path: Path, read_model: Callable[[str, Arrays], Model]) -> Model:
    require("model" in arrays, _no_model(path, arrays), BadFile)
    text = text_of(arrays, "model")
    kept = {k.removeprefix("model/"): x for k, x in arrays.items() if k.startswith("model/")}
    if text is None:
        raise BadFile(f"{path}: model must be text; got dtype = {arrays['model'].dtype}")
    return read_model(text, kept)


def _no_model(path: Path, arrays: Arrays) -> str:
    reason = text_of(arrays, "model_missing") or "the file has none"
    return f"{path}: the model is not in the file ({reason}). Give it: cd.load(path, model=model)"


def _require_same_coordinates(arrays: Arrays, model: Model, path: Path, whose: str) -> None:
    """The coordinates that the file names are those of the model, in its order."""
    if "coordinates" not in arrays:
        return
    stored, own = _words(arrays["coordinates"], path), list(model.coordinates)
    words = f"{path}: it holds {len(stored)} coordinates, {whose} has {len(own)}"
    require(len(stored) == len(own), words, BadFile, file=stored[:20], model=own[:20])
    for k, (name, expected) in enumerate(zip(stored, own, strict=True)):
        if not _same_place(model, name, expected):
            raise BadFile(f"{path}: its coordinate {k} is {name!r}, that of {whose} is {expected!r}; "
                          "give the model that it was made with")  # fmt: skip


def _words(names: np.ndarray, path: Path) -> list[str]:
    empty = names.size == 0  # of a model without coordinates
    require(names.ndim == 1 and (empty or names.dtype.kind == "U"), f"{path}: coordinates must be names", BadFile,
            dtype=str(names.dtype), shape=names.shape)  # fmt: skip
    return [str(name) for name in names]


def _same_place(model: Model, name: str, expected: str) -> bool:
    """Whether a coordinate's name, perhaps one that older versions gave it, stands for the one expected."""
    try:
        return name == expected or model.q_index(name) == model.q_index(expected)
    except CondyleError:
        return False


def floats(array: np.ndarray, name: str, path: Path) -> np.ndarray:
    """The numbers of an array."""
    require(array.dtype.kind in "fiu", f"{path}: {name} must be numbers", BadFile, dtype=str(array.dtype))
    return np.asarray(array, dtype=np.float64)


def checked_times(t: np.ndarray, path: Path) -> np.ndarray:
    """Times (T,) that are finite and increase."""
    require(np.isfinite(t).all(), f"{path}: its times t must be finite", BadFile, t=t[~np.isfinite(t)][:3])
    back = np.flatnonzero(~(np.diff(t) > 0))
    if len(back):
        raise BadFile(f"{path}: times must increase; {t[back[0] + 1]:g} s comes after {t[back[0]]:g} s")
    return t


def _read_stopped(arrays: Arrays, q: np.ndarray, v: np.ndarray, path: Path) -> Any:
    if "stopped_member" not in arrays:
        return None
    batch, (members, times, reasons, qs, vs) = q.shape[:-2], (arrays[k] for k in STOPPED)
    stops = np.full(int(np.prod(batch, dtype=int)), None, dtype=object)
    known = members.dtype.kind in "iu" and ((members >= 0) & (members < len(stops))).all()
    require(known, f"{path}: what stopped are members 0 … {len(stops) - 1}", BadFile, stopped_member=members[:5])
    for i, time, reason, last_q, last_v in zip(members, times, reasons, qs, vs, strict=True):
        fits = last_q.shape == q.shape[-1:] and last_v.shape == v.shape[-1:]
        require(fits, f"{path}: member {i} stopped in a state of another size", BadFile, q=last_q.shape, v=last_v.shape)
        stops[i] = Stopped(
            float(time), str(reason), floats(last_q, "stopped_q", path), floats(last_v, "stopped_v", path)
        )
    return stops[0] if batch == () else stops.reshape(batch)


def _read_outside(arrays: Arrays) -> tuple[Outside, ...]:
    if "outside" not in arrays:
        return ()
    rows = zip(arrays["outside_coordinate"], arrays["outside"], strict=True)
    return tuple(Outside(str(name), float(n[0]), float(n[1]), (float(n[2]), float(n[3]))) for name, n in rows)
