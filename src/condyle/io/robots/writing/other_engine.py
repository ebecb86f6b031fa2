"""A written file set swinging in the engine that it is for, beside the model in condyle."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ....dynamics import project
from ....errors import CondyleError
from ....model import Model
from ....simulation import simulate
from ....spatial import log_se3
from ....spatial.twists import pose_inverse, pose_matrix
from .joint_moves import Moves

STEP = 2e-4  # [s] of the other engine: what is left of the difference is the file's
RECORDS = 10
Poses = Callable[[dict[str, np.ndarray], np.ndarray], Iterator[dict[str, np.ndarray]]]


@dataclass(frozen=True)
class Swing:
    """A swing from rest under gravity, in the other engine and in condyle.

    Attributes
    ----------
    engine : str
        Name and version.
    times : tuple of float
        At which bodies are compared [s]; it ends where an approximated joint leaves its range.
    millimeters, degrees : tuple of float
        The largest distance of a body's origins, and the largest turn between a body's axes, at each time.
    reason : str
        Why there is no swing, if there is none.
    idle : bool
        Whether the model has muscles, which did nothing in it.
    """

    engine: str
    times: tuple[float, ...] = ()
    millimeters: tuple[float, ...] = ()
    degrees: tuple[float, ...] = ()
    reason: str = ""
    idle: bool = False

    def __str__(self) -> str:
        if self.reason:
            return f"not swung in {self.engine}: {self.reason}"
        far = f"{max(self.millimeters):.2g} mm and {max(self.degrees):.2g}°"
        idle = ", whose muscles were idle" if self.idle else ""
        return f"swung for {self.times[-1]:.3g} s in {self.engine}: bodies within {far} of condyle's{idle}"


def swing(model: Model, forms: list, path: Path, seconds: float) -> Swing:
    """Let the file and the model, both whole, swing from rest for some seconds."""
    name, module, poses = ENGINES["urdf" if path.suffix == ".urdf" else "mjcf"]
    if find_spec(module) is None:
        return Swing(name, reason=f"the package {module} is not installed")
    try:
        return _compared(model, forms, path, seconds, (name, poses))
    except (CondyleError, ValueError, RuntimeError, KeyError) as error:
        return Swing(name, reason=str(error).strip().splitlines()[0])


def _compared(model: Model, forms: list, path: Path, seconds: float, engine: tuple[str, Any]) -> Swing:
    q, _ = project(model, start(model))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ranges that are left, which ends the comparison
        run = simulate(model, q, duration=seconds, step=1e-3, record=seconds / RECORDS, integrator="rk4")
    ours = run.poses().as_matrix()
    version, there = engine[1](model, path, run.q[0], run.t)  # where prescribed coordinates begin
    good = _inside(model, forms, run.q)
    gaps = []
    for k, poses in zip(range(good), there, strict=False):
        theirs = np.array([poses[name] for name in model.names])
        turn = log_se3(pose_inverse(theirs) @ ours[k])[:, :3]
        away = np.linalg.norm(theirs[:, :3, 3] - ours[k, :, :3, 3], axis=1)
        gaps.append((float(run.t[k]), 1e3 * float(away.max()), float(np.degrees(np.linalg.norm(turn, axis=1).max()))))
    times, millimeters, degrees = (tuple(column) for column in zip(*gaps, strict=True))
    return Swing(f"{engine[0]} {version}", times, millimeters, degrees, idle=bool(model.muscles))


def start(model: Model) -> np.ndarray:
    """A third into the range of every coordinate that is one number, 0.3 where it has no ends."""
    q = model.neutral()
    for name, place in zip(model.coordinates, model.coordinate_places, strict=True):
        if place.widths == (1, 1):
            low, high = model.range_of(name)
            q[place.q] = low + (high - low) / 3.0 if np.isfinite([low, high]).all() else 0.3
    return q


def _inside(model: Model, forms: list, q: np.ndarray) -> int:
    """How many records come before an approximated joint leaves its range."""
    good = len(q)
    for form in forms:
        if isinstance(form, Moves) and form.approximation is not None:
            low, high = form.approximation.range
            x = q[:, model.q_index(form.approximation.coordinate)]
            out = np.flatnonzero((x < low) | (x > high))
            good = min(good, int(out[0]) if len(out) else good)
    return good


def _mujoco(model: Model, path: Path, q: np.ndarray, times: np.ndarray) -> tuple[str, Iterator]:
    """The file's swing in MuJoCo by its Runge-Kutta integrator."""
    mujoco: Any = import_module("mujoco")
    there = mujoco.MjModel.from_xml_path(str(path))
    there.opt.timestep, there.opt.integrator = STEP, mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(there)
    for name, place in zip(model.coordinates, model.coordinate_places, strict=True):
        if place.widths == (1, 1):
            data.joint(name).qpos[0] = q[place.q]
        else:  # MuJoCo has the place of a free body before its quaternion
            own = q[place.q : place.q + place.widths[0]]
            data.joint(model.bodies[place.body].joint_name).qpos[:] = np.concatenate([own[4:], own[:4]])
    for e in [e for _ in range(there.neq) for e in range(there.neq)]:  # chains of ties settle
        one, other = (there.jnt_qposadr[x[e]] for x in (there.eq_obj1id, there.eq_obj2id))
        data.qpos[one] = np.polynomial.polynomial.polyval(data.qpos[other], there.eq_data[e, :5])

    def walk() -> Iterator[dict[str, np.ndarray]]:
        for t in times:
            while data.time < t - 0.5 * STEP:
                mujoco.mj_step(there, data)
            mujoco.mj_kinematics(there, data)
            bodies = {name: data.body(name) for name in model.names}
            yield {name: pose_matrix(b.xmat.reshape(3, 3), b.xpos) for name, b in bodies.items()}

    return mujoco.__version__, walk()


def _pinocchio(model: Model, path: Path, q: np.ndarray, times: np.ndarray) -> tuple[str, Iterator]:
    """The file's swing in Pinocchio, by the classical Runge-Kutta method."""
    pin: Any = import_module("pinocchio")
    if model.followers:
        raise CondyleError("its forward dynamics has no mimic joints")
    there = pin.buildModelFromUrdf(str(path))
    there.gravity.linear = np.asarray(model.gravity)
    data, damping = there.createData(), np.array(there.damping)
    x, v = pin.neutral(there), np.zeros(there.nv)
    for name, place in zip(model.coordinates, model.coordinate_places, strict=True):
        if place.widths == (1, 1):
            joint, value = there.joints[there.getJointId(name)], q[place.q]
            x[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
        else:  # place, then the quaternion with its scalar last
            joint = there.joints[there.getJointId(model.bodies[place.body].joint_name)]
            own = q[place.q : place.q + 7]
            x[joint.idx_q : joint.idx_q + 7] = np.concatenate([own[4:], own[1:4], own[:1]])

    def rate(x: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.array(pin.aba(there, data, x, v, -damping * v))

    def step(x: np.ndarray, v: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
        a = rate(x, v)
        b = rate(pin.integrate(there, x, 0.5 * h * v), v + 0.5 * h * a)
        c = rate(pin.integrate(there, x, 0.5 * h * v + 0.25 * h * h * a), v + 0.5 * h * b)
        d = rate(pin.integrate(there, x, h * v + 0.5 * h * h * b), v + h * c)
        return pin.integrate(there, x, h * v + h * h / 6.0 * (a + b + c)), v + h / 6.0 * (a + 2.0 * (b + c) + d)

    def walk(x: np.ndarray, v: np.ndarray) -> Iterator[dict[str, np.ndarray]]:
        now = 0.0
        for t in times:
            while now < t - 0.5 * STEP:
                (x, v), now = step(x, v, STEP), now + STEP
            pin.framesForwardKinematics(there, data, x)
            yield {name: data.oMf[there.getFrameId(name, pin.FrameType.BODY)].homogeneous for name in model.names}

    return pin.__version__, walk(x, v)


ENGINES: dict[str, tuple[str, str, Any]] = {
    "mjcf": ("MuJoCo", "mujoco", _mujoco),
    "urdf": ("Pinocchio", "pinocchio", _pinocchio),
}
