"""`Skeleton`: rigid bodies and the joints between them, frozen.  [Hakenberg, "Topology", "Constraints by hinges"]"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..deprecation import warn_renamed
from ..errors import BadShape, amount, require, unknown_name
from ..spatial.frozen import Frozen, kept, sealed
from ..spatial.so3 import axis_frame
from ..typing import ArrayLike
from .drawing import draw
from .energy_momentum import energy, momentum
from .engine.joint_gaps import check_closed, hinge_angles, residuals, sides
from .engine.kernel_tables import Offsets, Plan, offsets_of
from .engine.reactions import accelerations
from .engine.spanning_tree import Tree, apart, branches, spanning_tree
from .engine.sparsity import pattern_of
from .engine.state_projection import projected
from .old_arguments import IS_NONE, WORLD
from .simulate import simulate
from .springs_and_limits import Limit, Spring, check_limits, check_springs, elastic_tables, spring_ends
from .state import State
from .validation import (
    check_axes,
    check_bodies,
    check_connected,
    check_constant,
    check_friction,
    check_moments,
    check_pairs,
    check_shape,
)

KINDS = {0: "ball", 2: "hinge", 3: "weld"}  # by how many turns a joint locks


@dataclass(frozen=True, eq=False, repr=False)
class Skeleton(Frozen):
    """Bodies, joints and the state they start in. Make one with `from_arrays`, `SkeletonBuilder` or `from_model`.

    The world is body −1 in `pairs`. Points and frames are in the axes of each body, measured from its centre of mass;
    the columns of a frame are x, y, z, and z is a hinge's axis.

    Attributes
    ----------
    masses : ndarray, shape (bodies,)
        [kg]
    inertias : ndarray, shape (bodies, 3, 3)
        About the centre of mass, body axes [kg m²].
    pairs : ndarray of int, shape (joints, 2)
        The matrix E: which two bodies a joint connects.
    points : ndarray, shape (joints, 2, 3)
        [m]
    frames : ndarray, shape (joints, 2, 3, 3)
    locked : ndarray of int, shape (joints,)
        Turns locked: 0 (ball), 2 (hinge) or 3 (weld).
    friction : ndarray, shape (joints,)
        [N m s/rad]
    gravity : ndarray, shape (3,)
        [m/s²]
    body_names, joint_names : tuple of str
    initial : State
    springs : tuple of Spring
    limits : tuple of Limit
        Springs and limits on the angles of hinges.
    constant_torques : ndarray, shape (joints,)
        Of hinges, on the first body [N m].
    """

    masses: np.ndarray  # (bodies,) [kg]
    inertias: np.ndarray  # (bodies, 3, 3) [kg m²], about the centre of mass, body axes
    pairs: np.ndarray  # (joints, 2): the matrix E
    points: np.ndarray  # (joints, 2, 3) [m]
    frames: np.ndarray  # (joints, 2, 3, 3)
    locked: np.ndarray  # (joints,): turns locked, 0 (ball), 2 (hinge) or 3 (weld)
    friction: np.ndarray  # (joints,) [N m s/rad]
    gravity: np.ndarray  # (3,) [m/s²]
    body_names: tuple[str, ...]
    joint_names: tuple[str, ...]
    initial: State
    springs: tuple[Spring, ...] = ()
    limits: tuple[Limit, ...] = ()  # springs and limits on the angles of hinges
    constant_torques: np.ndarray = None  # type: ignore[assignment]  # (joints,) [N m], of hinges, on the first body

    simulate, accelerations = simulate, accelerations
    residuals, projected = residuals, projected
    energy, momentum = energy, momentum
    draw = draw

    def __post_init__(self):
        n, m = len(self.body_names), len(self.joint_names)
        if self.constant_torques is None:
            object.__setattr__(self, "constant_torques", np.zeros(m))
        arrays = {f.name: x for f in fields(self) if isinstance(x := getattr(self, f.name), np.ndarray)}
        start = State(*(kept(x) for x in vars(self.initial).values()))
        self._keep(**arrays, springs=tuple(self.springs), limits=tuple(self.limits), initial=start)
        require(n > 0, "a skeleton needs at least one body", BadShape)
        for names, what in ((self.body_names, "body"), (self.joint_names, "joint")):
            require(len(set(names)) == len(names), f"{what} names must differ from each other", names=names)
        check_shape(self.masses, (n,), "masses")
        check_shape(self.inertias, (n, 3, 3), "inertias")
        check_shape(self.pairs, (m, 2), "pairs")
        check_shape(self.points, (m, 2, 3), "joint locations")
        check_shape(self.frames, (m, 2, 3, 3), "joint frames")
        check_shape(self.locked, (m,), "locked turns")
        known = set(self.locked.tolist()) <= set(KINDS)
        require(known, "a joint locks 0 (ball), 2 (hinge) or 3 (weld) turns", locked=self.locked.tolist())
        check_shape(self.friction, (m,), "friction")
        check_shape(self.gravity, (3,), "gravity")
        check_shape(self.constant_torques, (m,), "constant torques")
        check_bodies(self.body_names, self.masses, self.inertias)
        check_friction(self.joint_names, self.friction)
        check_pairs(self.joint_names, self.pairs, self.body_names)
        check_springs(self.springs, self.body_names)
        check_limits(self.limits, self.joint_names, self.kinds)
        check_constant(self.joint_names, self.kinds, self.constant_torques)
        tied = np.concatenate([self.pairs, np.array([s.bodies for s in self.springs], int).reshape(-1, 2)])
        lost = apart(np.where(tied < 0, n, tied), n)
        check_connected(lost, self.body_names, bool((tied < 0).any()))
        self.checked_state(self.initial)

    @classmethod
    def from_arrays(
        cls,
        masses: ArrayLike,
        inertias: ArrayLike,
        pairs: ArrayLike,
        locations: ArrayLike,
        axes: ArrayLike,
        positions: ArrayLike,
        rotations: ArrayLike | None = None,
        velocities: ArrayLike = 0.0,
        angular_velocities: ArrayLike = 0.0,
        *,
        friction: ArrayLike = 0.0,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        body_names: Sequence[str] | None = None,
        joint_names: Sequence[str] | None = None,
        springs: Sequence[Spring] = (),
        limits: Sequence[Limit] = (),
        constant_torques: ArrayLike = 0.0,
        check: bool = True,
    ) -> Skeleton:
        """A skeleton from the article's data: plain arrays, bodies and joints counted from 0.

        Parameters
        ----------
        masses, inertias : array_like, shapes (bodies,), (bodies, 3, 3)
            [kg], [kg m²]; moments about the centre of mass in body axes.
        pairs : array_like of int, shape (joints, 2)
            The matrix E: which two bodies a joint connects; −1 is the world.
        locations, axes : array_like, shape (joints, 2, 3)
            Of each joint in both bodies, from their centres of mass [m]; hinges have unit axes, balls zero axes.
        positions, rotations : array_like, shapes (bodies, 3), (bodies, 3, 3)
            Of the centres of mass [m]; not turned by default.
        velocities, angular_velocities : array_like, shape (bodies, 3), or a number
            [m/s, rad/s] in world axes and in body axes.
        friction : array_like, shape (joints,), or a number
            [N m s/rad].
        gravity : array_like, shape (3,)
            [m/s²], by default as in `SkeletonBuilder`; the article's own examples have gravity=(0, 0, 0).
        body_names, joint_names, springs, limits, constant_torques
            As a `Skeleton` has them.
        check : bool
            Refuse a start that does not satisfy the joints. False takes it, so that `projected()` can close them.

        Returns
        -------
        Skeleton

        Raises
        ------
        InconsistentLoop, BadInertia
            If joints are open at the start or being torn apart (the worst is named), or no body has such moments.
        """
        masses, pairs = np.array(masses, float), np.array(pairs, int).reshape(-1, 2)
        n = len(masses)
        turn = np.eye(3) if rotations is None else rotations
        made = cls(
            masses=masses,
            inertias=np.array(inertias, float),
            gravity=np.array(gravity, float),
            body_names=tuple(body_names or (f"body{i}" for i in range(n))),
            initial=State.checked(positions, turn, _rows(velocities, n), _rows(angular_velocities, n)),
            springs=tuple(springs),
            limits=tuple(limits),
            **_joint_arrays(pairs, locations, axes, joint_names, friction, constant_torques),
        )
        check_moments(made.body_names, made.masses, made.inertias)
        if check:
            check_closed(made, made.initial)
        return made

    def __repr__(self) -> str:
        counts = [amount(self.kinds.count(kind), kind) for kind in KINDS.values() if kind in self.kinds]
        loops = f", {amount(len(self.tree.loops), 'loop')}" if len(self.tree.loops) else ""
        springs = f", {amount(len(self.springs), 'spring')}" if self.springs else ""
        bodies = amount(len(self.masses), "body", "bodies")
        return f"<Skeleton: {bodies}, {', '.join(counts) or 'no joints'}{loops}{springs}>"

    @property
    def kinds(self) -> tuple[str, ...]:
        """`hinge`, `ball` or `weld` of every joint."""
        return tuple(KINDS[k] for k in self.locked.tolist())

    @property
    def axes(self) -> np.ndarray:
        """(joints, 2, 3): hinge axes in both bodies, zero for others."""
        return np.where((self.locked == 2)[:, None, None], self.frames[..., 2], 0.0)

    @property
    def unknowns(self) -> int:
        """How many reactions the joints have: 5 per hinge, 3 per ball, 6 per weld."""
        return int((3 + self.locked).sum())

    @cached_property
    def tree(self) -> Tree:
        """The spanning tree."""
        return spanning_tree(np.where(self.pairs < 0, len(self.masses), self.pairs), len(self.masses))

    @cached_property
    def plan(self) -> Plan:
        """The tables that kernels read."""
        n = len(self.masses)
        links = np.column_stack([np.where(self.pairs < 0, n, self.pairs), self.locked]).astype(np.int64)
        peeled, hubs, left = branches(self.tree, links[:, :2], n)
        frames = self.frames.swapaxes(-1, -2).reshape(len(links), 18)
        joints = np.column_stack([self.points.reshape(-1, 6), frames, self.friction])
        world = np.concatenate([[1.0], _packed(np.eye(3)), _packed(np.eye(3))])
        own = np.column_stack([self.masses, _packed(self.inertias), _packed(np.linalg.inv(self.inertias))])
        core, elastic = pattern_of(left, links, n), elastic_tables(self)
        tables = (links, peeled, hubs, *core, np.vstack([own, world]), joints, self.gravity, *elastic)
        return sealed(Plan(*map(np.ascontiguousarray, tables)))  # each other layout would be compiled for anew

    @cached_property
    def offsets(self) -> Offsets:
        """Where the kernels keep their numbers."""
        return offsets_of(self.plan)

    def body(self, name: str | None) -> int:
        """The index of a body; −1 for None, the world.

        Parameters
        ----------
        name : str or None
            None is the world.

        Returns
        -------
        int

        Raises
        ------
        UnknownName
            If there is no such body.
        """
        if name is None:
            return -1
        if name == WORLD:
            warnings.warn(f"Skeleton.body: {IS_NONE}", DeprecationWarning, stacklevel=2)
            return -1
        if name not in self.body_names:
            raise unknown_name("body", name, self.body_names, "this skeleton")
        return self.body_names.index(name)

    def joint(self, name: str) -> int:
        """The index of a joint.

        Parameters
        ----------
        name : str

        Returns
        -------
        int

        Raises
        ------
        UnknownName
            If there is no such joint.
        """
        if name not in self.joint_names:
            raise unknown_name("joint", name, self.joint_names, "this skeleton")
        return self.joint_names.index(name)

    def checked_state(self, state: State | None) -> State:
        """A state of this skeleton, checked for size; the initial one for None.

        Parameters
        ----------
        state : State or None

        Returns
        -------
        State

        Raises
        ------
        BadShape
            If it is a state of another skeleton.
        """
        state = self.initial if state is None else state
        n, got = len(self.masses), state.positions.shape
        require(got[-2:] == (n, 3), f"a state of this skeleton has positions (..., {n}, 3); got {got}", BadShape)
        m, turns = len(self.joint_names), state.turns.shape[-1]
        require(
            turns in (0, m), f"a state of this skeleton has turns (..., {m}), or none; got (..., {turns})", BadShape
        )
        return state

    def given(self, state: State | None) -> State:
        """Deprecated: `checked_state`.

        Parameters
        ----------
        state : State or None

        Returns
        -------
        State
        """
        warn_renamed("Skeleton.given", "checked_state")
        return self.checked_state(state)

    def angles(self, state: State | None = None) -> np.ndarray:
        """(..., joints) [rad]: how far each hinge's first body is ahead of its second about +axis; 0 for others.

        Counted from where the joint's two frames agree, which is where the builder was given the hinge.

        Parameters
        ----------
        state : State, optional
            The initial one by default.

        Returns
        -------
        ndarray, shape (..., joints)
        """
        state = self.checked_state(state)
        return hinge_angles(self, state, sides(self, state))

    def spring_ends(self, state: State | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Where every spring begins and ends, (..., springs, 3) each [m], world axes.

        Parameters
        ----------
        state : State, optional
            The initial one by default.

        Returns
        -------
        tuple of two ndarray
        """
        return spring_ends(self, self.checked_state(state))

    def starting(self, state: State) -> Skeleton:
        """A copy with another initial state.

        Parameters
        ----------
        state : State

        Returns
        -------
        Skeleton
        """
        return replace(self, initial=state)


def _joint_arrays(pairs: np.ndarray, locations, axes, names, friction, constant_torques) -> dict[str, Any]:
    """The fields of a skeleton that have one entry for each joint."""
    m = len(pairs)
    axes, names = np.array(axes, float).reshape(m, 2, 3), tuple(names or (f"joint{j}" for j in range(m)))
    check_axes(names, axes)
    frames = np.array([[axis_frame(z) for z in both] for both in axes]).reshape(m, 2, 3, 3)
    friction, torques = (np.array(np.broadcast_to(np.asarray(x), (m,)), float) for x in (friction, constant_torques))
    locked = np.where(np.abs(axes[:, 0]).max(axis=-1) > 0, 2, 0)
    points = np.array(locations, float).reshape(m, 2, 3)
    return {
        **{"pairs": pairs, "points": points, "frames": frames, "locked": locked},
        **{"friction": friction, "joint_names": names, "constant_torques": torques},
    }


def _rows(x, n: int) -> np.ndarray:
    """A vector per body, from one for all."""
    x = np.asarray(x, float)
    return np.broadcast_to(x, (n, 3)) if x.ndim < 2 else x


def _packed(S: np.ndarray) -> np.ndarray:
    """(..., 6): xx, xy, xz, yy, yz, zz."""
    return S[..., [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]
