"""A robot from its file
=====================

An arm of six hinges in URDF, the format of ROS: opened, led along a path by inverse kinematics, and asked for the
torques that this takes of its motors.

The file is written here; any other URDF, SDF or MJCF file is opened by the same line.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd

out = Path("demo")
out.mkdir(exist_ok=True)

# %%
# A link has a mass and a look, a joint an axis, a range and the limits of its motor.

LINK = """<link name="{0}"><inertial><origin xyz="{1}"/><mass value="{2}"/>
  <inertia ixx="{3}" iyy="{3}" izz="{3}" ixy="0" ixz="0" iyz="0"/></inertial>{4}</link>"""
LOOK = """<visual><origin xyz="{0}" rpy="{1}"/><geometry>{2}</geometry>
  <material name="m{3}"><color rgba="{3}"/></material></visual>"""
JOINT = """<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/><origin xyz="{3}"/><axis xyz="{4}"/>
  <limit lower="-2.8" upper="2.8" velocity="3.5" effort="{5}"/></joint>"""
ORANGE, GRAY = "0.93 0.47 0.10 1", "0.30 0.33 0.37 1"


def tube(length: float, radius: float) -> str:
    """A limb along z with a motor at its foot, across."""
    limb = LOOK.format(f"0 0 {length / 2}", "0 0 0", f'<cylinder radius="{radius}" length="{length}"/>', ORANGE)
    motor = f'<cylinder radius="{1.35 * radius}" length="{3.2 * radius}"/>'
    return limb + LOOK.format("0 0 0", "1.5708 0 0", motor, GRAY)


def hand() -> str:
    """A palm and two fingers."""
    parts = [
        ("0 0 0.02", "0.05 0.12 0.04"),
        ("0 0.045 0.085", "0.03 0.015 0.09"),
        ("0 -0.045 0.085", "0.03 0.015 0.09"),
    ]
    return "".join(LOOK.format(at, "0 0 0", f'<box size="{size}"/>', GRAY) for at, size in parts)


foot = LOOK.format("0 0 0.03", "0 0 0", '<cylinder radius="0.16" length="0.06"/>', GRAY)
column = LOOK.format("0 0 0.13", "0 0 0", '<cylinder radius="0.085" length="0.26"/>', ORANGE)
links = [
    LINK.format("base", "0 0 0.03", 8.0, 0.05, foot),
    LINK.format("column", "0 0 0.13", 6.0, 0.04, column),
    LINK.format("upper_arm", "0 0 0.2", 5.0, 0.08, tube(0.42, 0.055)),
    LINK.format("forearm", "0 0 0.16", 3.0, 0.03, tube(0.36, 0.045)),
    LINK.format("roll", "0 0 0.03", 1.0, 0.003, tube(0.08, 0.035)),
    LINK.format("wrist", "0 0 0.03", 0.8, 0.002, tube(0.07, 0.033)),
    LINK.format("hand", "0 0 0.05", 0.6, 0.001, hand()),
]
joints = [
    JOINT.format("turn", "base", "column", "0 0 0.06", "0 0 1", 150),
    JOINT.format("shoulder", "column", "upper_arm", "0 0 0.28", "0 1 0", 150),
    JOINT.format("elbow", "upper_arm", "forearm", "0 0 0.42", "0 1 0", 100),
    JOINT.format("roll", "forearm", "roll", "0 0 0.36", "0 0 1", 30),
    JOINT.format("nod", "roll", "wrist", "0 0 0.1", "0 1 0", 30),
    JOINT.format("spin", "wrist", "hand", "0 0 0.08", "0 0 1", 15),
]
(out / "arm.urdf").write_text(f'<robot name="arm">{"".join(links + joints)}</robot>')

# %%
# The model: bodies have the links' names, coordinates the joints'.

robot = cd.load(out / "arm.urdf")
print(robot)
print({name: robot.limits[name].effort for name in robot.coordinates})  # [N m]

# %%
# The hand goes round a figure of eight and points down all the time. Each goal starts from the posture before it.

t = np.linspace(0.0, 4.0, 201)
turn = 2 * np.pi * t / t[-1]
path = np.stack([0.50 + 0.10 * np.sin(2 * turn), 0.28 * np.sin(turn), 0.40 + 0.10 * np.cos(turn)], axis=1)
down = np.diag([-1.0, 1.0, -1.0])  # a half turn about y
grip = (0.0, 0.0, 0.12)  # between the fingers [m]
goals = [cd.ik.position("hand", path, grip), cd.ik.orientation("hand", np.broadcast_to(down, (len(t), 3, 3)))]
found = cd.ik.follow(robot, goals, [0.0, 0.3, 1.6, 0.0, 1.2, 0.0])
print(f"{found.reached.sum()} of {len(t)} goals are reached")
q = found.q

# %%
# What it takes of the motors, beside what they can give: rates and accelerations are slopes of a spline through the
# postures.

_, v, a = cd.trial.derivatives(t, q)
tau = cd.inverse_dynamics(robot, q, v, a)
for name, torque in zip(robot.coordinates, np.abs(tau).max(axis=0), strict=True):
    print(f"{name}: {torque:.1f} N m of {robot.limits[name].effort:g}")

# %%
# A picture, and a player that opens in any browser.

motion = cd.Trajectory(robot, t, q, v)
seen = {"drawn": [cd.view.Line(None, path)], "camera": (22.0, -50.0)}
cd.view.export(motion, out / "robot.png", time=0.6, **seen)
cd.view.export(motion, out / "robot.html", title="An arm of six hinges", **seen)


# %%
# What the tests hold it to.


def check() -> None:
    """The hand is on its path and points down; motors can do it; energy gained is what they worked."""
    poses = cd.forward_kinematics(robot, q)[:, robot.body_index("hand")]
    assert np.abs(poses.apply(np.array(grip)) - path).max() < 1e-6
    assert np.abs(poses.as_matrix()[:, :3, :3] - down).max() < 1e-6
    assert (np.abs(tau).max(axis=0) < [robot.limits[name].effort for name in robot.coordinates]).all()
    power, energy = np.sum(tau * v, axis=1), cd.energy(robot, q, v).total
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
    assert np.abs(work - (energy - energy[0])).max() < 0.02 * np.ptp(energy)
