"""What is timed in each checkout. The Python of either runs this file as a script, so it keeps to names that both have.

`python operations.py SECONDS NAME…` prints a JSON object: for each operation the least seconds of a call, or the
words of the error where a checkout does not know it.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Callable

os.environ["CONDYLE_THREADS"] = "1"  # figures are per core; set before condyle is imported
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from scipy.spatial.transform import Rotation

import condyle as cd

C = cd.control
Call = Callable[[], object]
CAPSULE = {"mass": 1.0, "radius": 0.05, "length": 0.3}  # of every link


def link() -> cd.Inertia:
    """A capsule along x that begins at the joint."""
    return cd.Inertia.capsule(*CAPSULE.values(), com=(0.15, 0, 0), axis=0)


def curve() -> cd.joints.Joint:
    """A wavy screw over half a turn."""
    s = np.linspace(0, 1, 12)
    poses = np.tile(np.eye(4), (12, 1, 1))
    turn = np.stack([0.3 * np.sin(5 * s), 0.3 * np.cos(4 * s), 2 * s], axis=-1)
    poses[:, :3, :3] = Rotation.from_rotvec(turn).as_matrix()
    poses[:, :3, 3] = 0.2 * np.stack([s, np.sin(3 * s), np.cos(3 * s)], axis=-1)
    return cd.joints.spline_curve(poses, knots=np.linspace(-3, 12, 16) / 9 * np.pi)


def chain(count: int, joint: cd.joints.Joint | None = None) -> cd.Model:
    """Links in a row, on hinges about y and z in turn or on copies of `joint`."""
    b = cd.ModelBuilder(gravity=(0, 0, -9.81))
    place = np.eye(4)
    for k in range(count):
        place[0, 3] = 0.3 * (k > 0)
        hinge = joint or cd.joints.revolute("yz"[k % 2])
        b.add_body(
            f"link{k}", parent=f"link{k - 1}" if k else None, joint=hinge, inertia=link(), placement=place.copy()
        )
    return b.build()


def states(model: cd.Model, count: int, low: float = -0.8, high: float = 0.8) -> tuple[np.ndarray, ...]:
    """Coordinates, velocities and forces of a batch."""
    rng = np.random.default_rng(0)
    return rng.uniform(low, high, (count, model.nq)), *rng.uniform(-1, 1, (2, count, model.nv))


def batched(function: Callable, count: int = 512, *, curves: bool = False, terms: int = 3) -> Call:
    """A function of states over a batch of a chain of 30."""
    model = chain(30, curve()) if curves else chain(30)
    x = states(model, count, *((0.2, 2.9) if curves else ()))[:terms]
    return lambda: function(model, *x)


def single(function: Callable, terms: int = 3) -> Call:
    """One state of a chain of 30, fifty times."""
    model = chain(30)
    x = [part[0] for part in states(model, 1)[:terms]]
    return lambda: [function(model, *x) for _ in range(50)]


def run(integrator: str, count: int, duration: float, **options) -> Call:
    """Swinging chains of eight: steps of 1 ms."""
    model = chain(8)
    q, v, _ = states(model, count)
    q, v = (q[0], v[0]) if count == 1 else (q, v)
    return lambda: cd.simulate(model, q, v, duration=duration, record=duration, integrator=integrator, **options)


def four_bars() -> cd.Model:
    """A parallelogram of three links in the x-z plane, closed to the world."""
    b = cd.ModelBuilder(gravity=(0, 0, -9.81))
    place = np.eye(4)
    for k in range(3):
        b.add_body(
            f"bar{k}",
            parent=f"bar{k - 1}" if k else None,
            joint=cd.joints.revolute("y"),
            inertia=link(),
            placement=place.copy(),
        )
        place[0, 3] = 0.3
    b.add_constraint(cd.constraints.point("bar2", (0.3, 0, 0), None, (0.3, 0, 0)))
    return b.build()


def constrained(count: int) -> Call:
    """Accelerations of the parallelogram."""
    model = four_bars()
    angle = np.linspace(0.5, 2.5, count)[:, None]
    q = angle * [-1, 1, -1] + [0, 0, np.pi]
    v = 0.3 * np.broadcast_to([-1.0, 1.0, -1.0], q.shape)
    return lambda: cd.forward_dynamics(model, q, v)


def tower(cells: int, count: int) -> Call:
    """Accelerations of parallelograms, each on the top bar of the one below, which lean by different angles."""
    b = cd.ModelBuilder(gravity=(0, 0, -9.81))
    up, below, right = (0.0, 0.0, 0.3), None, (0.3, 0.0, 0.0)
    bar, hinge = cd.Inertia.box(1.0, (0.05, 0.05, 0.3), com=(0, 0, 0.15)), cd.joints.revolute("y")
    lean, q = np.linspace(-0.3, 0.3, count), []
    for k in range(cells):
        for name, parent, at in (("left", below, (0, 0, 0)), ("right", below, right), ("top", f"left{k}", up)):
            b.add_body(
                f"{name}{k}", parent=parent, joint=hinge, inertia=bar, placement=cd.SE3.from_translation(at).as_matrix()
            )
        b.add_constraint(cd.constraints.point(f"right{k}", up, f"top{k}", up))
        below, right, turn = f"top{k}", up, (lean if k == 0 else lean - np.pi / 2)
        q += [turn, turn, np.pi / 2 - lean]
    model, postures = b.build(), np.transpose(q)
    return lambda: cd.forward_dynamics(model, postures, np.zeros_like(postures))


def constrained_run() -> Call:
    """A second of one parallelogram."""
    model = four_bars()
    q, v = np.array([-1.0, 1.0, np.pi - 1.0]), 0.3 * np.array([-1.0, 1.0, -1.0])
    return lambda: cd.simulate(model, q, v, duration=0.3, record=0.3)


def joint_poses(joint: cd.joints.Joint, what: str = "pose") -> Call:
    """Ten thousand places on a joint."""
    q = np.random.default_rng(0).uniform(0.2, 2.9, 10_000)
    return lambda: getattr(joint, what)(q)


def rigid_motions(what: str) -> Call:
    """Twenty thousand rigid motions."""
    x = np.random.default_rng(0).normal(size=(20_000, 6))
    if what == "exp":
        return lambda: cd.SE3.exp(x)
    X = cd.SE3.exp(x)
    return (lambda: X @ X) if what == "product" else (lambda: X.log())


def skeleton(count: int, steps: int) -> Call:
    """A hanging chain in maximal coordinates."""
    b = cd.skeleton.SkeletonBuilder()
    inertia = cd.Inertia.capsule(*CAPSULE.values(), axis=0)
    for k in range(count):
        b.add_body(f"link{k}", inertia, position=(0.3 * k + 0.15, 0, 0))
    for k in range(count):
        other = f"link{k - 1}" if k else world()
        b.add_hinge(f"link{k}", other, at=(0.3 * k, 0, 0), axis=(0, 1, 0) if k % 2 else (0, 0.6, 0.8))
    made = b.build()
    return lambda: made.simulate(duration=0.005 * steps, step=0.005)


def world() -> str | None:
    """How a skeleton names the world: None since the names were made one."""
    return None if hasattr(cd.skeleton.SkeletonBuilder.add_hinge, "__wrapped__") else "world"


def inverse_kinematics(count: int, stretch: float = 1.0) -> Call:
    """The pose of the last of seven links, in reach or scaled out of it."""
    model = chain(7)
    q = states(model, count)[0]
    poses = cd.forward_kinematics(model, q).as_matrix()[:, -1]
    poses[:, :3, 3] *= stretch
    poses = poses[0] if count == 1 else poses
    return lambda: cd.ik.solve(model, cd.ik.pose("link6", poses), np.full(7, 0.1))


def measured(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and noisy poses of a curve."""
    rng = np.random.default_rng(1)
    q = np.linspace(0.1, 3.0, count)
    noise = np.tile(np.eye(4), (count, 1, 1))
    noise[:, :3, :3] = Rotation.from_rotvec(1e-3 * rng.normal(size=(count, 3))).as_matrix()
    noise[:, :3, 3] = 1e-3 * rng.normal(size=(count, 3))
    return q, np.asarray(curve().pose(q)) @ noise


def fit_curve(smoothing: float | str) -> Call:
    q, poses = measured(60)
    return lambda: cd.design.fit_curve(poses, coordinates=q, smoothing=smoothing)


def fit_surface() -> Call:
    rng = np.random.default_rng(2)
    q = rng.uniform(0, 1, (150, 2))
    turn = np.stack([q[:, 0], 0.4 * np.sin(2 * q[:, 1]), q[:, 1]], axis=-1)
    poses = np.tile(np.eye(4), (150, 1, 1))
    poses[:, :3, :3] = Rotation.from_rotvec(turn).as_matrix()
    poses[:, :3, 3] = 0.1 * np.stack([q[:, 0] ** 2, q[:, 1], q[:, 0] * q[:, 1]], axis=-1)
    return lambda: cd.design.fit_surface(poses, q, shape=(6, 6))


def space(count: int) -> tuple[C.AnimationSpace, np.ndarray]:
    """The tip of a chain and its turning as coordinates; states."""
    model = chain(count)
    made = C.AnimationSpace(model, [C.point(f"link{count - 1}", (0.3, 0, 0), name="tip")])
    return made, 0.3 * np.random.default_rng(0).normal(size=(2, 64, count))


def resolve() -> Call:
    made, (q, v) = space(20)
    return lambda: C.resolve_acceleration(made, q, v, np.ones((64, 3)))


def gradient() -> Call:
    made, (q, _) = space(20)
    return lambda: made.gradient(q)


def direct() -> Call:
    made, (q, _) = space(6)
    start = made.value(q[0])
    goal = {"tip": lambda t: start + np.array([0.1, 0.0, 0.05]) * np.sin(np.pi * t) ** 2}
    return lambda: C.direct(made, q[0], goal, duration=0.1)


def arm() -> cd.workspace.Arm:
    return cd.workspace.fit_arm(cd.workspace.synthetic_subject("male"))


def arm_forward() -> Call:
    made = arm()
    return lambda: [made.forward(1.2, 0.9, 0.4, flexion=f) for f in np.linspace(0.2, 2.0, 20)]


def arm_goals() -> tuple[cd.workspace.Arm, np.ndarray]:
    made = arm()
    return made, np.array([made.forward(1.2, a, 0.4, flexion=1.2).wrist for a in np.linspace(0.8, 1.0, 20)])


def arm_solve() -> Call:
    made, goals = arm_goals()
    return lambda: [made.solve(goal) for goal in goals]


def arm_follow() -> Call:
    made, goals = arm_goals()
    return lambda: made.follow(goals)


OPERATIONS: dict[str, Callable[[], Call]] = {
    "forward dynamics, 512 chains of 30": lambda: batched(cd.forward_dynamics),
    "forward dynamics, 512 spline chains of 30": lambda: batched(cd.forward_dynamics, curves=True),
    "inverse dynamics, 512 chains of 30": lambda: batched(cd.inverse_dynamics),
    "inverse dynamics, 512 spline chains of 30": lambda: batched(cd.inverse_dynamics, curves=True),
    "mass matrix, 128 chains of 30": lambda: batched(cd.mass_matrix, 128, terms=1),
    "poses, 128 chains of 30": lambda: batched(cd.forward_kinematics, 128, terms=1),
    "forward dynamics, one state": lambda: single(cd.forward_dynamics),
    "inverse dynamics, one state": lambda: single(cd.inverse_dynamics),
    "mass matrix, one state": lambda: single(cd.mass_matrix, 1),
    "poses, one state": lambda: single(cd.forward_kinematics, 1),
    "euler, 64 chains of 8, 100 steps": lambda: run("euler", 64, 0.1),
    "semi-implicit, 64 chains of 8, 100 steps": lambda: run("semi-implicit", 64, 0.1),
    "rk4, 64 chains of 8, 100 steps": lambda: run("rk4", 64, 0.1),
    "rk4, one chain of 8, 500 steps": lambda: run("rk4", 1, 0.5),
    "variational, 64 chains of 8, 50 steps": lambda: run("variational", 64, 0.05),
    "adaptive, 64 chains of 8, 0.1 s": lambda: run("adaptive", 64, 0.1),
    "adaptive, one chain of 8, 0.5 s": lambda: run("adaptive", 1, 0.5),
    "constrained dynamics, 512 four-bars": lambda: constrained(512),
    "constrained dynamics, 256 towers of ten loops": lambda: tower(10, 256),
    "constrained rk4, one four-bar, 300 steps": constrained_run,
    "poses of a hinge, 10,000": lambda: joint_poses(cd.joints.revolute("z")),
    "poses of a spline curve, 10,000": lambda: joint_poses(curve()),
    "Jacobians of a spline curve, 10,000": lambda: joint_poses(curve(), "jacobian"),
    "SE3.exp, 20,000": lambda: rigid_motions("exp"),
    "SE3.log, 20,000": lambda: rigid_motions("log"),
    "SE3 products, 20,000": lambda: rigid_motions("product"),
    "skeleton of 20, 1 step": lambda: skeleton(20, 1),
    "skeleton of 20, 20 steps": lambda: skeleton(20, 20),
    "skeleton of 20, 200 steps": lambda: skeleton(20, 200),
    "inverse kinematics, one pose": lambda: inverse_kinematics(1),
    "inverse kinematics, 200 poses": lambda: inverse_kinematics(200),
    "inverse kinematics, 50 poses out of reach": lambda: inverse_kinematics(50, 4.0),
    "fit_curve, 60 poses": lambda: fit_curve(1e-6),
    "fit_curve, 60 poses, smoothing by validation": lambda: fit_curve("auto"),
    "fit_surface, 150 poses": fit_surface,
    "animation space, gradient at 64 states": gradient,
    "animation space, accelerations at 64 states": resolve,
    "direct, 100 steps": direct,
    "arm.forward, 20 postures": arm_forward,
    "arm.solve, 20 goals": arm_solve,
    "arm.follow, 20 goals": arm_follow,
}


def least_seconds(call: Call, seconds: float) -> float:
    """Least processor seconds of a call, after one to warm up: calls for `seconds`, at least three."""
    call()
    times, end = [], time.process_time() + seconds
    while len(times) < 3 or time.process_time() < end:
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


def timed(name: str, seconds: float) -> float | str:
    """One operation; a checkout that does not have it says so."""
    try:
        return least_seconds(OPERATIONS[name](), seconds)
    except Exception as error:  # whatever another version does not know
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps({name: timed(name, float(sys.argv[1])) for name in sys.argv[2:]}))
