"""Trajectories as .npz: times, states, what stopped, what left its domain, and the model itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from ..errors import BadFile, CondyleError, NotSupported, require
from ..model import Model
from ..simulation import Trajectory
from ..simulation.trajectory import Outside, Stopped
from .arrays import put_aside
from .files import write_arrays
from .mesh_paths import seen_from
from .model_describe import described_model
from .schema import VERSION

__all__ = ["is_trajectory", "load_trajectory", "save_trajectory"]


def save_trajectory(trajectory: Trajectory, path: Path) -> None:
    """Everything in one file."""
    arrays = {"condyle": np.array(VERSION), "kind": np.array("trajectory")}
    arrays |= {"t": trajectory.t, "q": trajectory.q, "v": trajectory.v}
    arrays |= {"coordinates": np.array(trajectory.model.coordinates)}
    arrays |= _stopped(trajectory) | _outside(trajectory.outside) | _model(seen_from(trajectory.model, path.parent))
    write_arrays(path, arrays)


def _model(model: Model) -> dict[str, np.ndarray]:
    """The model's text and long arrays, or why it cannot be kept."""
    try:
        tree, arrays = put_aside(described_model(model), "")
    except NotSupported as error:
        return {"model_missing": np.array(str(error))}
    return {"model": np.array(tomli_w.dumps(tree)), **{f"model/{key}": x for key, x in arrays.items()}}


def _stopped(trajectory: Trajectory) -> dict[str, np.ndarray]:
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


def _outside(found: tuple[Outside, ...]) -> dict[str, np.ndarray]:
    if not found:
        return {}
    numbers = np.array([(o.time, o.reached, *o.domain) for o in found])
    return {"outside": numbers, "outside_coordinate": np.array([o.coordinate for o in found])}


def load_trajectory(arrays: dict[str, np.ndarray], path: Path, model: Model | None, read_model) -> Trajectory:
    """The trajectory; `read_model(text, arrays)` builds the model kept inside, unless one is given."""
    check_kind(arrays, path)
    missing = [k for k in ("t", "q", "v") if k not in arrays]
    require(not missing, f"{path}: a trajectory needs the arrays t, q and v", BadFile, missing=missing)
    model = _kept_model(arrays, path, read_model) if model is None else model
    t, q, v = (_floats(arrays[k], k, path) for k in ("t", "q", "v"))
    shapes = q.shape[:-1] == v.shape[:-1] and t.ndim == 1 and q.ndim >= 2 and q.shape[-2] == len(t) > 0
    fits = shapes and (q.shape[-1], v.shape[-1]) == (model.nq, model.nv)
    expected = f"t (T,), q (…, T, {model.nq}) and v (…, T, {model.nv})"
    require(fits, f"{path}: expected {expected}", BadFile, t=t.shape, q=q.shape, v=v.shape)
    try:
        return Trajectory(model, t, q, v, _read_stopped(arrays, q.shape[:-2]), _read_outside(arrays))
    except CondyleError:
        raise
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise BadFile(f"{path}: what stopped or left its domain cannot be read: {error}") from None


def _kept_model(arrays, path: Path, read_model) -> Model:
    require("model" in arrays, _no_model(path, arrays), BadFile)
    kept = {k.removeprefix("model/"): x for k, x in arrays.items() if k.startswith("model/")}
    return read_model(_text(arrays, "model", path), kept)


def is_trajectory(path: Path) -> bool:
    """By its name."""
    return path.suffix == ".npz"


def check_kind(arrays: dict[str, np.ndarray], path: Path) -> None:
    """A trajectory of condyle, not of a newer one."""
    kind = arrays.get("kind")
    good = kind is not None and kind.shape == () and str(kind) == "trajectory"
    require(good, f"{path}: not a trajectory of condyle; expected an .npz with kind = 'trajectory'", BadFile)
    version = arrays.get("condyle", np.array(0))
    known = version.shape == () and version.dtype.kind in "iu" and 1 <= int(version) <= VERSION
    require(known, f"{path}: written by a newer condyle; this one reads version {VERSION}", BadFile, version=version)


def _no_model(path: Path, arrays) -> str:
    reason = str(arrays.get("model_missing", "the file has none"))
    return f"{path}: the model is not in the file ({reason}). Give it: cd.load(path, model=model)"


def _text(arrays, key: str, path: Path) -> str:
    array = arrays[key]
    require(array.shape == () and array.dtype.kind == "U", f"{path}: {key} must be text", BadFile, dtype=array.dtype)
    return str(array)


def _floats(array: np.ndarray, name: str, path: Path) -> np.ndarray:
    require(array.dtype.kind in "fiu", f"{path}: {name} must be numbers", BadFile, dtype=str(array.dtype))
    return np.asarray(array, dtype=np.float64)


def _read_stopped(arrays, batch: tuple[int, ...]) -> Any:
    if "stopped_member" not in arrays:
        return None
    keys = ("stopped_member", "stopped_time", "stopped_reason", "stopped_q", "stopped_v")
    stops = np.full(int(np.prod(batch, dtype=int)), None, dtype=object)
    for i, time, reason, q, v in zip(*(arrays[k] for k in keys), strict=True):
        stops[i] = Stopped(float(time), str(reason), q, v)
    return stops[0] if batch == () else stops.reshape(batch)


def _read_outside(arrays) -> tuple[Outside, ...]:
    if "outside" not in arrays:
        return ()
    rows = zip(arrays["outside_coordinate"], arrays["outside"], strict=True)
    return tuple(Outside(str(name), float(n[0]), float(n[1]), (float(n[2]), float(n[3]))) for name, n in rows)
