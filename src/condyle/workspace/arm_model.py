"""An arm's rigid skeleton as a model: its nine joint angles are the coordinates, so a posture is a state of it."""

from __future__ import annotations

import numpy as np

from ..joints import product, revolute, universal
from ..joints.functions import linear
from ..model import Model, ModelBuilder
from ..model.look.shapes import Shape, box, capsule, sphere
from ..spatial import Inertia
from ..spatial.twists import pose_matrix
from .arm_kinematics import rest_frame, side_sign

MASSES = {"clavicle": 0.5, "upper_arm": 2.0, "forearm": 1.2, "hand": 0.4}  # kg, nominal
HAND = 0.18  # m, nominal
THIN = 0.022  # m, how thick limbs are drawn


def arm_model(arm) -> Model:
    """Clavicle, upper arm, forearm and hand; q = θ₁ … θ₉ of a `Posture`. Masses and the hand's length are nominal."""
    return arm_builder(arm).build()


def arm_builder(arm) -> ModelBuilder:
    """The same before it is built, to add more to it."""
    L1, L2, L3 = arm.lengths
    axes, side = np.hstack([np.eye(3), np.zeros((3, 3))]), side_sign(arm.side)
    b = ModelBuilder()
    turn = _moved([0.0, 0.0, 0.0], np.array([[0.0, 0, side], [0, 1, 0], [-side, 0, 0]]))  # along z, laid along ±x
    b.add_body(
        "clavicle", None, universal((0, 0, 1), (0, 1, 0), names=("turn", "lift")),
        _rod("clavicle", (side * L1 / 2, 0, 0), L1), shapes=_limb(L1, turn),
    )  # fmt: skip
    b.add_body(
        "upper_arm", "clavicle", product(axes, [linear(k) for k in range(3)], coordinates=("x", "y", "twist")),
        _rod("upper_arm", (0, 0, L2 / 2), L2), placement=_moved([side * L1, 0, 0], rest_frame(arm.side)),
        shapes=_limb(L2), joint_name="shoulder",
    )  # fmt: skip
    b.add_body(
        "forearm", "upper_arm", revolute((0, 1, 0), name="flexion"), _rod("forearm", (0, 0, L3 / 2), L3),
        placement=_moved([0, 0, L2]), shapes=_limb(L3), joint_name="elbow",
    )  # fmt: skip
    b.add_body(
        "hand", "forearm", product(axes, [linear(k) for k in range(3)], coordinates=("x", "y", "z")),
        _rod("hand", (0, 0, HAND / 2), HAND), placement=_moved([0, 0, L3]), shapes=_hand(), joint_name="wrist",
    )  # fmt: skip
    return b


def _rod(name: str, com, length: float) -> Inertia:
    """A nominal limb."""
    mass = MASSES[name]
    return Inertia(mass, com, mass * length**2 / 12 * np.eye(3))


def _limb(length: float, pose: np.ndarray | None = None) -> tuple[Shape, ...]:
    pose = np.eye(4) if pose is None else pose
    return sphere(1.3 * THIN), capsule(THIN, length, pose @ _moved([0, 0, length / 2]))


def _hand() -> tuple[Shape, ...]:
    return sphere(1.1 * THIN), box((0.08, 0.025, HAND - 0.02), _moved([0, 0, HAND / 2]))


def _moved(xyz, rotation=None) -> np.ndarray:
    return pose_matrix(np.eye(3) if rotation is None else rotation, np.asarray(xyz, dtype=float))
