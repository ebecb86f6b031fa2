"""Validate and broadcast the arguments of the dynamics functions: shape, finiteness, unit quaternions, domains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np

from ..errors import BadShape, NotFinite, OutsideDomain
from ..joints.validate_coordinates import UNIT, checked_quaternions
from ..model import Model
from ..model.memo import once_per_model
from ..model.model_batch import ModelBatch
from ..model.validate_model import require_model
from ..spatial import adjoint
from ..spatial.arrays import for_kernels, ready, ready_rows, real_numbers


@dataclass(slots=True)
class States:
    """Arrays (count, n) for kernels, the batch shape to give back, and which states have no result (count,)."""

    batch: tuple[int, ...]
    count: int
    arrays: dict[str, np.ndarray]
    outside: np.ndarray | None = None  # of domains that joints refuse to leave; their q is that of the nearest end

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.arrays:
            raise BadShape(f"{name} must be given, one number per degree of freedom; got None")
        return self.arrays[name]

    @property
    def single(self) -> bool:
        """One state, not a batch of one."""
        return self.batch == ()

    def largest(self, model: Model, i: int) -> str:
        """The largest number that was given for state i, in words: "v of 'knee' is 1e+200"."""
        name = max(self.arrays, key=lambda n: float(np.abs(self.arrays[n][i]).max(initial=0.0)))
        row = self.arrays[name][i]
        k = int(np.abs(row).argmax())
        owner = model.names[k // 6] if name == "wrenches" else coordinate_at(model, k, of_q=name == "q")
        return f"{name} of {owner!r} is {row[k]:.6g}"

    def shaped(self, x: np.ndarray, *shape: int) -> np.ndarray:
        """A result in the caller's batch shape."""
        return x.reshape((*self.batch, *shape))


def _checked(name: str, value, size: int, what: str) -> np.ndarray:
    x = real_numbers(value, name)
    if x.ndim == 0 or x.shape[-1] != size:
        raise BadShape(f"{name} must have shape (..., {size}), {what}; got {x.shape}")
    if not np.isfinite(x).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(x))[0])
        raise NotFinite(f"{name}{list(index)} is {x[index]}; every number must be finite")
    return x


def _checked_q(model: Model, q) -> np.ndarray:
    x = _checked("q", q, model.nq, f"one number per coordinate ({_first(model.coordinates)})")
    joints = {at: name for at, _, name in model.quaternions}
    return checked_quaternions(x, list(joints), lambda at: f"joint {joints[at]!r}")


def coordinate_at(model: Model, index: int, of_q: bool) -> str:
    """The coordinate that an entry of q, or of v, belongs to."""
    return [name for name in model.coordinates if model.place_of(name)[1 if of_q else 2] <= index][-1]


def _first(names: tuple[str, ...], most: int = 8) -> str:
    """The first of some names."""
    return ", ".join(names[:most]) + ("…" if len(names) > most else "")


def _check_domains(model: Model, q: np.ndarray) -> None:
    """Refuse coordinates beyond domains that their joints refuse to leave."""
    for name, joint, at, low, high in _closed_domains(model):
        x = q[..., at]
        bad = np.flatnonzero((x < low) | (x > high))
        if len(bad):
            worst = float(x.min() if low - x.min() > x.max() - high else x.max())
            raise OutsideDomain(
                f"{first_bad(bad, x.size, x.shape)}joint {joint!r}: coordinate {name!r} must stay in [{low:g}, "
                f"{high:g}], got {worst:g}; make the joint with outside='extend' to continue beyond its data, or keep "
                "the coordinate inside"
            )


def _inside(model: Model, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates moved into domains that their joints refuse to leave, and which states were outside."""
    inside = q.copy()
    for _, _, at, low, high in _closed_domains(model):
        inside[..., at] = np.clip(q[..., at], low, high)
    return inside, (inside != q).any(axis=-1)


@once_per_model
def _closed_domains(model: Model) -> list[tuple[str, str, int, float, float]]:
    """Coordinates of joints that refuse to leave their domain: name, joint, place in q, low, high."""
    places = [p for p in model.coordinate_places if model.bodies[p.body].joint.outside == "error"]
    found = [(p, model.bodies[p.body]) for p in places]
    return [
        (body.joint.coordinates[p.coordinate], body.joint_name, p.q, *body.joint.domain[p.coordinate])
        for p, body in found
    ]


def first_bad(bad: np.ndarray, count: int, batch: tuple[int, ...]) -> str:
    """The first bad state of a batch, and how many there are; nothing for a single state."""
    if not batch:
        return ""
    index = [int(i) for i in np.unravel_index(bad[0], batch)]
    return f"state {index} ({len(bad)} of {count} states failed): "


def _checked_wrenches(model: Model, wrenches) -> np.ndarray:
    """Wrenches (..., nbodies, 6) by rows (..., 6 nbodies)."""
    x = _checked("wrenches", wrenches, 6, "[moment; force] of each body")
    if x.shape[-2:] != (model.nbodies, 6):
        raise BadShape(f"wrenches must have shape (..., {model.nbodies}, 6), got {x.shape}")
    return x.reshape(*x.shape[:-2], 6 * model.nbodies)


def states(model: Model, q, *, on_failure: str = "raise", **others) -> States:
    """Check q and the others (v, a, tau with nv numbers; wrenches with nbodies x 6) and broadcast them together.

    With `on_failure` "nan" those outside of domains that joints refuse to leave are marked instead of refused.
    """
    try:
        return _one_state(model, q, others) or _rows(model, q, others) or _broadcast(model, q, others, on_failure)
    except AttributeError:
        require_model(model)
        raise


def _one_state(model: Model, q, others: dict) -> States | None:
    """One state whose arrays are as kernels want them; None if there is anything to convert, to check or to say."""
    if not ready(q, model.nq):
        return None
    if not model.takes_any_q and (type(model) is not Model or _refuses(model) or (q := _normalized(model, q)) is None):
        return None
    arrays = {"q": q[None]}
    for name, x in others.items():
        if x is None:
            continue
        if name == "wrenches" or not ready(x, model.nv):
            return None
        arrays[name] = x[None]
    return States((), 1, arrays)


def _rows(model: Model, q, others: dict) -> States | None:
    """A batch by rows, whose arrays are as kernels want them; None if there is anything to convert or to say."""
    if not (model.takes_any_q and ready_rows(q, model.nq)):
        return None
    arrays = {"q": q}
    for name, x in others.items():
        if x is None:
            continue
        if name != "wrenches" and ready(x, model.nv):
            x = np.tile(x, (len(q), 1))
        elif name == "wrenches" or not ready_rows(x, model.nv) or len(x) != len(q):
            return None
        arrays[name] = x
    return States((len(q),), len(q), arrays)


@once_per_model
def _refuses(model: Model) -> bool:
    """Whether a joint refuses to leave its domain."""
    return bool(_closed_domains(model))


def _normalized(model: Model, q: np.ndarray) -> np.ndarray | None:
    """A vector q with quaternions of unit norm, the same if they are; None if one is too far from it."""
    for at, _, _ in model.quaternions:
        w = q[at : at + 4]
        norm = sqrt(w.dot(w))
        if abs(norm - 1.0) > UNIT:
            return None
        if norm != 1.0:
            q = q.copy()
            q[at : at + 4] /= norm
    return q


def _check_labels(model: Model, name: str, value) -> None:
    """Refuse a table of pandas whose columns are the coordinates in another order: only their places count."""
    labels = value.columns if hasattr(value, "columns") else getattr(value, "index", ())
    found = () if callable(labels) else tuple(map(str, labels))
    if found != model.coordinates and sorted(found) == sorted(model.coordinates):
        order = f"the model's order is {_first(model.coordinates)}: take {name}[list(model.coordinates)]"
        raise BadShape(f"{name} has its columns in the order {_first(found)}; {order}")


def _broadcast(model: Model, q, others: dict, on_failure: str) -> States:
    _check_labels(model, "q", q)
    given, outside = {"q": _checked_q(model, q)}, None
    if on_failure != "nan":
        _check_domains(model, given["q"])
    elif _refuses(model):
        given["q"], outside = _inside(model, given["q"])
    for name, value in others.items():
        _check_labels(model, name, value)
        if value is not None and name == "wrenches":
            given[name] = _checked_wrenches(model, value)
        elif value is not None:
            given[name] = _checked(name, value, model.nv, "one number per degree of freedom")
    try:
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in given.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {x.shape}" for name, x in given.items())
        raise BadShape(f"the batch shapes do not go together: {shapes}") from None
    count = int(np.prod(batch, dtype=int))
    spread = {n: x if x.shape[:-1] == batch else np.broadcast_to(x, (*batch, x.shape[-1])) for n, x in given.items()}
    arrays = {name: for_kernels(x.reshape(count, x.shape[-1])) for name, x in spread.items()}
    lost = None if outside is None else np.broadcast_to(outside, batch).reshape(count)
    return States(tuple(batch), count, arrays, lost)


def in_inertial_frames(model: Model, wrenches: np.ndarray, frames: np.ndarray | None = None) -> np.ndarray:
    """Wrenches at the bodies' origins seen at their centres of mass along principal axes: Ad(X_BC)ᵀ f.

    `frames` (count, bodies, 4, 4) are those of members, where each has its own.
    """
    W = wrenches.reshape(len(wrenches), model.nbodies, 6)
    C = model.inertial_frames if frames is None else frames
    return np.einsum("bji,sbj->sbi" if frames is None else "sbji,sbj->sbi", adjoint(C), W).reshape(
        len(W), 6 * model.nbodies
    )


@cache
def no_wrenches(nbodies: int) -> np.ndarray:
    """Wrenches for kernels where none are given: no rows."""
    return np.empty((0, 6 * nbodies))


def wrench_rows(
    model: Model, s: States, members: ModelBatch | None = None, frames: np.ndarray | None = None
) -> np.ndarray:
    """Wrenches for kernels, of members with models of their own in their frames; no rows if none are given."""
    if "wrenches" not in s.arrays:
        return no_wrenches(model.nbodies)
    if members is None or frames is not None:
        return for_kernels(in_inertial_frames(model, s["wrenches"], frames))
    rows = (in_inertial_frames(members.model(i), s["wrenches"][i : i + 1]) for i in range(s.count))
    return for_kernels(np.concatenate([*rows, np.empty((0, 6 * model.nbodies))]))


def prescribed_accelerations(model: Model, count: int, t: float, a) -> np.ndarray:
    """An array (count, nv) that holds the accelerations of prescribed coordinates."""
    out = np.zeros((count, model.nv))
    for k, motion in model.prescribed.items():
        out[:, k] = motion.at(t)[2] if a is None else a[:, k]
    return out
