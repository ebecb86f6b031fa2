"""What an MJCF file says beyond bodies and joints, as plain data, and MuJoCo's states as those of condyle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from ....errors import BadShape, require
from ....spatial.arrays import finite_vector
from ....typing import ArrayLike


@dataclass(frozen=True)
class MjcfItem:
    """A tendon, an actuator, an equality or another element: its tag, name and attributes as written.

    Attributes
    ----------
    kind : str
        The tag of the element.
    name : str
        Empty if it has none.
    attributes : mapping of str to str
        Over those of its default class.
    parts : tuple of MjcfItem
        The elements inside it, such as the joints of a tendon.
    """

    kind: str
    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[MjcfItem, ...] = ()


@dataclass(frozen=True, eq=False)
class Keyframe:
    """A state that the file names.

    Attributes
    ----------
    name : str
    time : float
        [s]
    q, v : ndarray
        Of the model, in condyle's order; None where the file gives none that fits.
    controls : tuple of float
        Of the actuators.
    """

    name: str
    time: float
    q: np.ndarray | None
    v: np.ndarray | None
    controls: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Slot:
    """Where a joint stands in MuJoCo's qpos and qvel, and in the model's q and v (None: it follows another)."""

    kind: str
    qpos: int
    qvel: int
    q: int | None
    v: int | None
    start: np.ndarray  # of a free body, where the file has it
    copied: bool = False  # a rotor, which has no numbers of its own in MuJoCo


WIDTHS = {"free": (7, 6), "ball": (4, 3), "hinge": (1, 1), "slide": (1, 1)}


@dataclass(frozen=True, eq=False)
class MuJoCo:
    """All of an MJCF file that bodies, joints, loads and constraints of a model do not hold.

    Attributes
    ----------
    tendons, actuators, equalities, sensors : tuple of MjcfItem
        As written; equalities also those that act in the model.
    keyframes : tuple of Keyframe
    slots : tuple of Slot
        MuJoCo's joints in its order.
    rotors : tuple of str
        Bodies that are nothing but the armature of a joint.
    colliding : int
        How many geoms may touch others in MuJoCo; here bodies pass through each other.
    """

    tendons: tuple[MjcfItem, ...] = ()
    actuators: tuple[MjcfItem, ...] = ()
    equalities: tuple[MjcfItem, ...] = ()
    sensors: tuple[MjcfItem, ...] = ()
    keyframes: tuple[Keyframe, ...] = ()
    slots: tuple[Slot, ...] = ()
    rotors: tuple[str, ...] = ()
    colliding: int = 0

    def state(self, qpos: ArrayLike, qvel: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
        """q and v of the model for MuJoCo's qpos and qvel.

        Free bodies count from where the file has them, quaternions come first, and their velocities are in body axes.

        Parameters
        ----------
        qpos : array_like, shape (MuJoCo's nq,)
        qvel : array_like, shape (MuJoCo's nv,), optional
            At rest by default.

        Returns
        -------
        q, v : ndarray

        Raises
        ------
        BadShape
            If there are more or fewer numbers than MuJoCo's joints have.
        """
        nq, nv = (sum(WIDTHS[s.kind][k] for s in self.slots if not s.copied) for k in (0, 1))
        qpos = finite_vector(qpos, nq, "qpos")
        qvel = np.zeros(nv) if qvel is None else finite_vector(qvel, nv, "qvel")
        placed = [(s.q, k, s) for k, s in enumerate(self.slots) if s.q is not None]
        own = [s for *_, s in sorted(placed, key=lambda x: x[:2])]
        q, v = (np.concatenate([part(s, qpos, qvel) for s in own] or [np.zeros(0)]) for part in (_place, _rate))
        return q, v


def _place(s: Slot, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
    here = qpos[s.qpos : s.qpos + WIDTHS[s.kind][0]]
    if s.kind != "free":
        return _unit(here) if s.kind == "ball" else here
    R, p = s.start[:3, :3].T, s.start[:3, 3]
    turned = (Rotation.from_matrix(R) * Rotation.from_quat(_unit(here[3:])[[1, 2, 3, 0]])).as_quat()
    return np.concatenate([turned[[3, 0, 1, 2]], R @ (here[:3] - p)])


def _rate(s: Slot, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
    here = qvel[s.qvel : s.qvel + WIDTHS[s.kind][1]]
    if s.kind != "free":
        return here
    turn = Rotation.from_quat(_unit(qpos[s.qpos + 3 : s.qpos + 7])[[1, 2, 3, 0]])
    return np.concatenate([here[3:], turn.inv().apply(here[:3])])


def _unit(quaternion: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(quaternion)
    require(length > 0.0, "a quaternion of qpos must not be zero", BadShape)
    return quaternion / length
