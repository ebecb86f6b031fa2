"""Directing a robot of 50 freedoms one velocity at a time, beside Pinocchio's Jacobians, pink and mink on one program.

`python -m benchmarks.robot_control` needs the extra `peers` (pin, pin-pink, example-robot-data), and mink to measure
that too; processor time of one core, the best of some repeats. Answers are compared before they are timed.
"""

from __future__ import annotations

import os

os.environ.setdefault("CONDYLE_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import importlib.metadata
import importlib.util
import json
import tempfile
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np

import condyle as cd

from .control import best
from .table import machine

C = cd.control
ROOT = Path(__file__).parents[1]
CALLS = 50
STEP, DAMPING = 1e-3, 1e-3
NAMES = [
    f"{part}_{side}_{k}_link"
    for part, k in (("leg", 6), ("arm", 7), ("leg", 4), ("arm", 4))
    for side in ("left", "right")
]
NAMES += ["torso_2_link", "head_2_link"]


def talos() -> str:
    """The file of the robot."""
    files = importlib.metadata.files("example-robot-data") or []
    return next(str(Path(str(f.locate())).resolve()) for f in files if f.name == "talos_full_v2.urdf")


def each(call) -> float:
    """Seconds of one call."""
    return best(lambda: [call() for _ in range(CALLS)]) / CALLS


class Robot:
    """The robot in both libraries, in one pose inside its ranges, with ten points to lead."""

    def __init__(self) -> None:
        import pinocchio as pin

        path = talos()
        self.pin, self.robot = pin, pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = cd.load(path, base="free", couplers="constraint")
            self.model = replace(whole, constraints=())  # pink does not know what mimics: all 50 move by themselves
        self.ids = [self.robot.getFrameId(n) for n in NAMES]
        self.data, self.pose = self.robot.createData(), pin.neutral(self.robot)
        low, high = self.robot.lowerPositionLimit[7:], self.robot.upperPositionLimit[7:]
        self.pose[7:] = np.clip(0.1, low + 1e-2, high - 1e-2)
        self.common = [n for n in self.model.coordinates if n in self.robot.names]
        self.joints = [self.robot.joints[self.robot.getJointId(n)] for n in self.common]
        self.q = self.model.neutral()
        for name, joint in zip(self.common, self.joints, strict=True):
            self.q[self.model.q_index(name)] = self.pose[joint.idx_q]
        self.space = C.AnimationSpace(self.model, [C.point(n, name=n) for n in NAMES], redundant=True)

    def jacobians(self) -> np.ndarray:
        """Pinocchio's Jacobians of the ten points, one under the other (30, nv)."""
        pin = self.pin
        pin.computeJointJacobians(self.robot, self.data, self.pose)
        pin.updateFramePlacements(self.robot, self.data)
        frames = [pin.getFrameJacobian(self.robot, self.data, i, pin.LOCAL_WORLD_ALIGNED) for i in self.ids]
        return np.concatenate([x[:3] for x in frames])

    def with_pink(self, away: np.ndarray):
        """A call of pink that leads the points by `away` (10, 3) [m] within a step."""
        import pink

        configuration = pink.Configuration(self.robot, self.data, self.pose)
        tasks = [pink.tasks.FrameTask(n, position_cost=1.0, orientation_cost=0.0) for n in NAMES]
        for task, by in zip(tasks, away, strict=True):
            task.set_target_from_configuration(configuration)
            task.transform_target_to_world.translation[:] += by

        def call():
            configuration.update(self.pose)
            return pink.solve_ik(configuration, tasks, STEP, solver="daqp", damping=DAMPING**2)

        return call

    def with_mink(self, away: np.ndarray):
        """The same call of mink, on the robot written as MJCF; velocities of `common` come first to last."""
        import mink
        import mujoco

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.xml"
            cd.io.write_robot(self.model, path)
            robot = mujoco.MjModel.from_xml_path(str(path))
        ids = [mujoco.mj_name2id(robot, mujoco.mjtObj.mjOBJ_JOINT, n) for n in self.common]
        pose, columns = np.array(robot.qpos0), robot.jnt_dofadr[ids]
        pose[robot.jnt_qposadr[ids]] = [self.q[self.model.q_index(n)] for n in self.common]
        configuration = mink.Configuration(robot, pose)
        tasks = [mink.FrameTask(n, "body", position_cost=1.0, orientation_cost=0.0) for n in NAMES]
        for task, by in zip(tasks, away, strict=True):
            task.set_target_from_configuration(configuration)
            at = task.transform_target_to_world
            task.set_target(mink.SE3.from_rotation_and_translation(at.rotation(), at.translation() + by))
        fastest = {n: self.model.limits[n].velocity for n in self.common}
        limits = [mink.ConfigurationLimit(robot, gain=0.5), mink.VelocityLimit(robot, fastest)]

        def call():
            configuration.update(pose)
            return mink.solve_ik(configuration, tasks, STEP, "daqp", damping=DAMPING**2, limits=limits)[columns]

        return call

    def with_tracker(self, away: np.ndarray):
        """The same call of a tracker."""
        tracker = C.Tracker(self.space, C.Resolution(speeds=True, damping=DAMPING, approach=0.5 / STEP))
        rate = (away / STEP).reshape(-1)
        return lambda: tracker.velocity(self.q, rate)


def measured() -> dict[str, float]:
    """Seconds of each, after a look at whether the answers are the same."""
    robot, away = Robot(), np.random.default_rng(0).normal(size=(10, 3))
    columns = [robot.model.v_index(n) for n in robot.common], [x.idx_v for x in robot.joints]
    G, J = robot.space.gradient(robot.q), robot.jacobians()
    assert np.abs(G[:, columns[0]] - J[:, columns[1]]).max() < 1e-12
    small = 1e-7 * away  # pink's error of a pose bends with its size
    mine, theirs = robot.with_tracker(small)()[columns[0]], robot.with_pink(small)()[columns[1]]
    off = float(np.abs(mine - theirs).max() / np.abs(theirs).max())
    assert off < 1e-3, off
    found = {"gradient": each(lambda: robot.space.gradient(robot.q)), "pinocchio": each(robot.jacobians)}
    found |= {"tracker": each(robot.with_tracker(2e-4 * away)), "pink": each(robot.with_pink(2e-4 * away))}
    if importlib.util.find_spec("mink") is None:
        return found
    theirs = robot.with_mink(small)()
    assert np.abs(mine - theirs).max() < 1e-3 * np.abs(theirs).max()
    return found | {"mink": each(robot.with_mink(2e-4 * away))}


def main() -> None:
    """Compare, measure, print, store."""
    found = measured()
    for name, seconds in found.items():
        print(f"{name:10s} {1e6 * seconds:7.1f} µs")
    slower, faster = found["gradient"] / found["pinocchio"], found["pink"] / found["tracker"]
    print(f"gradient: {slower:.1f} times Pinocchio's; tracker: {faster:.1f} times as fast as pink")
    if "mink" in found:
        print(f"tracker: {found['mink'] / found['tracker']:.1f} times as fast as mink")
    (ROOT / "benchmarks" / "results").mkdir(exist_ok=True)
    store = {"machine": machine(), "seconds": found}
    (ROOT / "benchmarks" / "results" / "robot_control.json").write_text(json.dumps(store, indent=2) + "\n")


if __name__ == "__main__":
    main()
