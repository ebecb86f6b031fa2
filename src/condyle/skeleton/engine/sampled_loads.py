"""Motors and external loads as the numbers the kernels read: constants, or functions of time sampled at the steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...errors import BadShape, BadValue, NotFinite, require, unknown_name
from ..old_arguments import WORLD

if TYPE_CHECKING:
    from ..skeleton import Skeleton
    from ..state import State


LOADS = ("motors", "forces", "torques")
WORDS = "motors, forces and torques must be finite numbers"


def instant(skeleton: Skeleton, motors, forces, torques) -> np.ndarray:
    """(..., numbers), finite: motor torques (3 per joint), then force and torque of every body."""
    numbers = arranged(skeleton, motors, forces, torques)
    require(np.isfinite(numbers).all(), WORDS, NotFinite)
    return numbers


def arranged(skeleton: Skeleton, motors, forces, torques) -> np.ndarray:
    """`instant` of numbers that may be NaN."""
    n, m = len(skeleton.body_names), len(skeleton.joint_names)
    if motors is None and forces is None and torques is None:
        return np.zeros(3 * m + 6 * n)
    e = motor_torques(skeleton, motors)
    f, t = body_loads(skeleton, forces, "forces"), body_loads(skeleton, torques, "torques")
    try:
        batch = np.broadcast_shapes(e.shape[:-2], f.shape[:-2], t.shape[:-2])
    except ValueError:
        raise BadShape("motors, forces and torques must have batch shapes that go together") from None
    e, f, t = (np.broadcast_to(a, (*batch, *a.shape[-2:])) for a in (e, f, t))
    both = np.concatenate([f, t], axis=-1)
    return np.concatenate([e.reshape(*batch, 3 * m), both.reshape(*batch, 6 * n)], axis=-1)


def steady(skeleton: Skeleton) -> np.ndarray:
    """(numbers,): what the constant torques of hinges do at any time."""
    m, out = len(skeleton.pairs), np.zeros(3 * len(skeleton.pairs) + 6 * len(skeleton.masses))
    if skeleton.constant_torques.any():
        out[: 3 * m] = (skeleton.constant_torques[:, None] * skeleton.axes[:, 0]).reshape(-1)
    return out


def motor_torques(skeleton: Skeleton, motors) -> np.ndarray:
    """(..., joints, 3) in the axes of each joint's first body: β z for a hinge's number β, vectors as they are."""
    m = len(skeleton.joint_names)
    if motors is None:
        return np.zeros((m, 3))
    if isinstance(motors, Mapping):
        rows = [np.zeros(3)] * m
        for name, value in motors.items():
            rows[skeleton.joint(name)] = _about_axis(skeleton, skeleton.joint(name), np.asarray(value, float))
        return np.stack(np.broadcast_arrays(*rows), axis=-2) if m else np.zeros((0, 3))
    beta = np.asarray(motors, float)
    if beta.shape[-2:] == (m, 3):
        return beta
    require(
        beta.shape[-1:] == (m,),
        f"motors must be a number per joint (..., {m}) or a vector per joint (..., {m}, 3); got shape {beta.shape}",
        BadShape,
    )
    for j in np.flatnonzero(beta.reshape(-1, m).any(axis=0)):
        _require_axis(skeleton, int(j))
    return beta[..., None] * skeleton.axes[:, 0]


def _about_axis(skeleton: Skeleton, j: int, value: np.ndarray) -> np.ndarray:
    if value.shape[-1:] == (3,):
        return value
    _require_axis(skeleton, j)
    return value[..., None] * skeleton.axes[j, 0]


def _require_axis(skeleton: Skeleton, j: int) -> None:
    name, kind = skeleton.joint_names[j], skeleton.kinds[j]
    require(
        kind == "hinge",
        f"joint {name!r} is a {kind} and has no axis for a motor given as one number; give a torque vector (3) in the "
        "axes of its first body",
    )


def body_loads(skeleton: Skeleton, loads, what: str) -> np.ndarray:
    """(..., bodies, 3) in world axes, from an array or {body: vector}."""
    n = len(skeleton.body_names)
    if loads is None:
        return np.zeros((n, 3))
    if isinstance(loads, Mapping):
        rows = [np.zeros(3)] * n
        for name, value in loads.items():
            require(name not in (None, WORLD), f"{what}: the world is no body and takes no load; name one that is")
            rows[skeleton.body(name)] = _three(value, f"{what} of {name!r}")
        return np.stack(np.broadcast_arrays(*rows), axis=-2)
    array = np.asarray(loads, float)
    require(
        array.shape[-2:] == (n, 3), f"{what} must have shape (..., {n}, 3), in world axes; got {array.shape}", BadShape
    )
    return array


def _three(value, what: str) -> np.ndarray:
    array = np.asarray(value, float)
    require(array.shape[-1:] == (3,), f"{what} must be a vector (..., 3) in world axes; got {array.shape}", BadShape)
    return array


def require_fitting(loads: np.ndarray, batch: tuple[int, ...], what: str) -> None:
    """Loads (..., numbers) that broadcast to the batch of the states, and not beyond it."""
    got = loads.shape[:-1]
    fits = len(got) <= len(batch) and all(a in (1, b) for a, b in zip(got[::-1], batch[::-1], strict=False))
    require(fits, f"{what} has batch shape {got}, the states have {batch}", BadShape)


class Loads:
    """Motors, forces and torques of a run, constants or functions of time, and what a control adds to them."""

    def __init__(self, skeleton: Skeleton, *given) -> None:
        self.skeleton, self.given = skeleton, given
        self.varying = any(callable(x) for x in given)

    def at(self, t: float) -> np.ndarray:
        """(..., numbers) at time t [s]."""
        given = arranged(self.skeleton, *(x(t) if callable(x) else x for x in self.given))
        require(np.isfinite(given).all(), WORDS + (f"; at t = {t:g} s" if self.varying else ""), NotFinite)
        return steady(self.skeleton) + given

    def asked(self, control: Callable, t: float, state: State, ended: np.ndarray) -> np.ndarray:
        """What is given at time t and what the control adds; NaN is allowed for members that have `ended`."""
        answer = control(t, state)
        answer = {} if answer is None else answer
        expected = f"control must return a dictionary of {', '.join(LOADS)}, or None"
        require(isinstance(answer, Mapping), f"{expected}; at t = {t:g} s", BadValue, got=type(answer).__name__)
        for name in answer:
            if name not in LOADS:
                raise unknown_name("load", name, LOADS, "what a control returns")
        added = arranged(self.skeleton, *(answer.get(name) for name in LOADS))
        require_fitting(added, ended.shape, f"what control returned at t = {t:g} s")
        good = np.asarray(np.isfinite(added).all(axis=-1))
        require((good | ended).all(), f"what control returned at t = {t:g} s: {WORDS}", NotFinite)
        return self.at(t) + np.where(good[..., None], added, 0.0)
