"""An arm of seven hinges as URDF, written by the benchmark itself, and targets within its reach."""

import numpy as np

__all__ = ["HAND", "START", "TARGETS", "URDF", "hand_poses", "random_postures"]

HAND, TARGETS = "link6", 200
LENGTHS = (0.34, 0.0, 0.4, 0.0, 0.4, 0.0, 0.126)  # [m] from joint to joint, along z
AXES = ("0 0 1", "0 1 0") * 3 + ("0 0 1",)
START = np.array([0.1, 0.5, 0.1, -0.8, 0.1, 0.6, 0.1])
LIMIT = 2.0  # [rad] each way

LINK = (
    '<link name="link{k}"><inertial><origin xyz="0 0 0.1"/><mass value="2"/>'
    '<inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>'
)
JOINT = (
    '<joint name="joint{k}" type="revolute"><parent link="{parent}"/><child link="link{k}"/>'
    '<origin xyz="0 0 {length}"/>'
    '<axis xyz="{axis}"/><limit lower="-{limit}" upper="{limit}" effort="100" velocity="1000"/></joint>'
)


def _urdf():
    parts = ['<robot name="arm"><link name="base"/>']
    for k, (length, axis) in enumerate(zip(LENGTHS, AXES, strict=True)):
        parent = f"link{k - 1}" if k else "base"
        parts += [LINK.format(k=k), JOINT.format(k=k, parent=parent, length=length, axis=axis, limit=LIMIT)]
    return "".join([*parts, "</robot>"])


URDF = _urdf()


def random_postures(count=TARGETS, seed=0):
    """Angles inside the limits."""
    return np.random.default_rng(seed).uniform(-0.9 * LIMIT, 0.9 * LIMIT, (count, len(AXES)))


def hand_poses(q):
    """The last link's poses (count, 4, 4), by hand."""
    T = np.tile(np.eye(4), (len(q), 1, 1))
    for k, (length, axis) in enumerate(zip(LENGTHS, AXES, strict=True)):
        c, s, turn = np.cos(q[:, k]), np.sin(q[:, k]), np.tile(np.eye(4), (len(q), 1, 1))
        i, j = (0, 1) if axis == "0 0 1" else (2, 0)
        turn[:, i, i], turn[:, j, j], turn[:, i, j], turn[:, j, i], turn[:, 2, 3] = c, c, -s, s, length
        T = T @ turn
    return T
