"""What was measured of a motion: times, coordinates, forces that drive it, markers, and the ground's pushes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real

import numpy as np

from ..errors import BadShape, BadValue, NotFinite, require, unknown_name
from ..model import Model
from ..spatial.arrays import real_numbers
from ..typing import ArrayLike

KINDS = ("torques", "coordinates", "markers")
LEAST = 8  # frames


@dataclass(frozen=True, eq=False)
class MeasuredMotion:
    """A recorded motion and what it took to move: the data of `identify_dynamics`.

    Parameters
    ----------
    times : array_like, shape (F,)
        Of the frames [s], rising.
    q : array_like, shape (F, nq)
        Coordinates [rad, m]: measured, or of inverse kinematics. With markers they are only where the motion starts
        from; with `sigma["coordinates"]` they are measurements with noise; otherwise smooth splines through them are
        taken as they are.
    torques : mapping of str to array_like, or array_like of shape (F, nv)
        Forces of the drives by coordinate [N m, N], (F,) each, NaN where not measured: what acts on top of the
        loads of the model. A ball or free joint has the name of its joint and (F, 3) or (F, 6) numbers, along its
        velocities. A single number stands for all frames: 0 for a joint that nothing drives, as the root of a body
        that floats or stands on plates.
    markers : mapping of str to array_like, shape (F, 3), optional
        Measured markers [m], in world axes; NaN where not seen.
    ground : mapping of str to tuple of array_like, optional
        What plates measured: for a body the force [N], the point where it acts [m] and, optionally, a free torque
        [N m], each (F, 3) in world axes. They are taken as known.
    sigma : mapping of str to float
        Standard deviations of a measured number: "torques" [N m, N], or of one of them by its name; "markers" [m];
        "coordinates" [rad, m].

    Examples
    --------
    >>> import condyle as cd
    >>> t = np.linspace(0.0, 2.0, 201)
    >>> cd.MeasuredMotion(t, np.sin(t)[:, None], {"knee": np.cos(t)}, sigma={"torques": 0.1}).times.shape
    (201,)
    """

    times: ArrayLike
    q: ArrayLike
    torques: Mapping[str, ArrayLike] | ArrayLike
    markers: Mapping[str, ArrayLike] = field(default_factory=dict)
    ground: Mapping[str, tuple[ArrayLike, ...]] = field(default_factory=dict)
    sigma: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Forces:
    """Measured forces by velocity: rows (k,), values (F, k) with NaN, standard deviations (k,), names."""

    rows: np.ndarray
    values: np.ndarray
    sigma: np.ndarray
    names: tuple[str, ...]


def checked_times(times: ArrayLike) -> np.ndarray:
    """Rising times (F,)."""
    t = real_numbers(times, "times")
    require(t.ndim == 1 and len(t) >= LEAST, f"times must be at least {LEAST} numbers", BadShape, got=t.shape)
    require(np.isfinite(t).all() and bool((np.diff(t) > 0).all()), "times must be finite and rise", BadValue)
    return t


def checked_coordinates(model: Model, q: ArrayLike, frames: int) -> np.ndarray:
    """Coordinates (F, nq), whole."""
    x = real_numbers(q, "q")
    require(x.shape == (frames, model.nq), f"q must have shape ({frames}, {model.nq}), a row for each of the times",
            BadShape, got=x.shape)  # fmt: skip
    bad = np.argwhere(~np.isfinite(x))
    words = "q has gaps; fill them, or leave these frames out"
    require(not len(bad), words, NotFinite, frames=sorted({int(f) for f, _ in bad})[:5])
    for at, _, joint in model.quaternions:
        size = np.linalg.norm(x[:, at : at + 4], axis=1)
        words = f"q: the quaternion of {joint!r} must have length 1"
        require(np.abs(size - 1.0).max() < 1e-6, words, BadValue, frame=int(np.abs(size - 1.0).argmax()))
    return x


def widths(model: Model) -> dict[str, tuple[int, int]]:
    """First velocity and how many, of every coordinate and of every joint that is a quaternion."""
    found = {name: (model.v_index(name), 1) for name in model.coordinates if _single(model, name)}
    return found | {joint: (k, 6 if at in model.free_quaternions else 3) for at, k, joint in model.quaternions}


def _single(model: Model, name: str) -> bool:
    return model.v_index(name) not in {k for _, k, _ in model.quaternions}


def measured_forces(model: Model, measured: MeasuredMotion, frames: int) -> Forces:
    """Forces as arrays, with their standard deviations."""
    known, given = widths(model), measured.torques
    if not isinstance(given, Mapping):
        x = real_numbers(given, "torques")
        words = f"torques must be a mapping or have shape ({frames}, {model.nv})"
        require(x.shape == (frames, model.nv), words, BadShape, got=x.shape)
        given = {name: x[:, k] if n == 1 else x[:, k : k + n] for name, (k, n) in known.items()}
    require(bool(given), "identify_dynamics needs torques", BadValue)
    rows, values, sigma, names = [], [], [], []
    for name, x in given.items():
        if name not in known:
            raise unknown_name("coordinate", name, known)
        k, n = known[name]
        rows += range(k, k + n)
        values.append(_column(name, x, frames, n))
        sigma += [_sigma_of(measured.sigma, name)] * n
        names += [name] if n == 1 else [f"{name}[{i}]" for i in range(n)]
    seen = np.isfinite(np.concatenate(values, axis=1)).any(axis=0)
    require(bool(seen.any()), "torques: no number is measured, all are NaN", BadValue)
    return Forces(np.array(rows), np.concatenate(values, axis=1), np.array(sigma), tuple(names))


def _column(name: str, x: ArrayLike, frames: int, n: int) -> np.ndarray:
    """The forces of a name (F, n)."""
    array = real_numbers(x, f"torques of {name!r}")
    if array.ndim == 0:
        array = np.full((frames, n), float(array))
    shape = (frames,) if n == 1 else (frames, n)
    good = array.shape in (shape, (frames, n))
    require(good, f"torques of {name!r} must have shape {shape}", BadShape, got=array.shape)
    return np.where(np.isinf(array), np.nan, array).reshape(frames, n)


def _sigma_of(sigma: Mapping[str, float], name: str) -> float:
    x = sigma.get(name, sigma.get("torques"))
    words = f"sigma of the torques of {name!r} must be a positive number [N m, N]: sigma={{'torques': …}}"
    require(positive(x), words, BadValue, got=x)
    return float(x)  # type: ignore[arg-type]


def positive(x: object) -> bool:
    """Whether something is a finite number above zero."""
    return isinstance(x, Real) and bool(np.isfinite(float(x))) and float(x) > 0.0


def sigma_of_kind(measured: MeasuredMotion, kind: str) -> float | None:
    """Standard deviation of markers or coordinates; None if it is not given."""
    x = measured.sigma.get(kind)
    require(x is None or positive(x), f"sigma of {kind} must be a positive number", BadValue, got=x)
    return None if x is None else float(x)


def require_known_sigmas(model: Model, sigma: Mapping[str, float]) -> None:
    """Refuse standard deviations of what there is not."""
    known = [*KINDS, *widths(model)]
    for name in sigma:
        if name not in known:
            raise unknown_name("standard deviation", name, known, "sigma")


def ground_wrenches(model: Model, ground: Mapping[str, tuple[ArrayLike, ...]], frames: int) -> dict[int, np.ndarray]:
    """Wrenches [moment about the world's origin; force] in world axes (F, 6) by body."""
    out = {}
    for name, parts in ground.items():
        good = isinstance(parts, (tuple, list)) and len(parts) in (2, 3)
        require(good, f"ground of {name!r} is (force, point) or (force, point, torque), each ({frames}, 3)", BadShape)
        arrays = []
        for what, x in zip(("force", "point", "torque"), parts, strict=False):
            x = real_numbers(x, f"ground of {name!r}: {what}")
            require(x.shape == (frames, 3), f"ground of {name!r}: the {what} must have shape ({frames}, 3)", BadShape,
                    got=x.shape)  # fmt: skip
            arrays.append(x)
        force, point, torque = (*arrays, np.zeros((frames, 3)))[:3]
        still = np.all(force == 0.0, axis=1)
        point = np.where(still[:, None], 0.0, point)  # where nothing presses there is no point
        wrench = np.concatenate([np.cross(point, force) + torque, force], axis=1)
        bad = np.flatnonzero(~np.isfinite(wrench).all(axis=1))
        require(not len(bad), f"ground of {name!r} has gaps; give 0 where nothing presses", NotFinite,
                frames=bad[:5].tolist())  # fmt: skip
        out[model.body_index(name)] = wrench
    return out
