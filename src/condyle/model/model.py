"""An articulated body: a frozen tree of bodies and joints with its loads, as the builder made it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import amount
from ..forces import Element
from ..joints.joint import Joint
from ..spatial import SE3
from ..spatial.frozen import Frozen, kept
from ..spatial.twists import pose_inverse
from ..typing import ArrayLike
from .body import Body
from .coordinate_lookup import CoordinateLookup
from .followers import Follower, fold, unfold
from .force_views import ForceViews
from .limits import Limits, Rating, limits_of
from .look.shapes import Shape
from .markers import Marker
from .muscle_paths.paths import Muscle, WrapObject, check_paths
from .prescribed import Prescribed
from .structure_checks import check_structure, checked_range


@dataclass(frozen=True, eq=False, repr=False)
class Model(ForceViews, CoordinateLookup, Frozen):
    """Bodies in the order they were added; parents come before children. Make one with `ModelBuilder`.

    A model stays as it was made: its arrays and dictionaries are copies that cannot be written to.

    Attributes
    ----------
    bodies : tuple of Body
        In the order they were added.
    gravity : ndarray, shape (3,)
        In world axes [m/s²].
    forces : tuple of Element
        What acts: springs, dampers, limits and constant forces on coordinates, springs, bushings and contacts between
        bodies, each by its law.
    prescribed : mapping of int to Prescribed
        Index in v of a prescribed coordinate → its motion.
    constraints : tuple
        Loops, couplings and rolling contacts, with their names resolved.
    ranges : mapping of str to pair of float
        Coordinate → (low, high), where a range was set.
    ratings : mapping of str to Rating
        Coordinate → what its drive and its bearings can do, where it is known.
    folder : Path or None
        Where it was loaded from; mesh files are looked for from there.
    notes : tuple of str
        What a foreign file says that the model does not do.
    markers : tuple of Marker
        Named points of bodies, such as those that cameras see.
    defaults : mapping of str to float
        Coordinate → where `neutral` has it [rad, m].
    motion_types : mapping of str to str
        Coordinate → "rotational", "translational" or "coupled", where a file says it; it decides on degrees in tables.
    opensim : OpenSim or None
        What an `.osim` file says beyond the model: muscles, paths, forces and contact as data.
    mujoco : MuJoCo or None
        What an MJCF file says beyond the model: tendons, actuators, keyframes as data.
    followers : tuple of Follower
        Coordinates of joints that are functions of others, each after the one that it follows; they are not in q.
    muscles : tuple of Muscle
        What runs along paths: muscles, ligaments, springs; `condyle.muscles` computes with them.
    wraps : tuple of WrapObject
        What these paths wrap over.
    collisions : mapping of str to tuple of Shape
        Body → shapes that touch others, as a robot's file has them: data, on which nothing acts.
    """

    bodies: tuple[Body, ...]
    gravity: np.ndarray
    forces: tuple[Element, ...] = ()
    prescribed: Mapping[int, Prescribed] = field(default_factory=dict)  # velocity index → its motion
    constraints: tuple = ()
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # coordinate → (low, high)
    ratings: Mapping[str, Rating] = field(default_factory=dict)  # coordinate → what its drive and bearings can do
    folder: Path | None = None  # where it was loaded from: mesh files are looked for from there
    notes: tuple[str, ...] = ()  # what a foreign file says that the model does not do
    markers: tuple[Marker, ...] = ()  # named points of bodies, such as those that cameras see
    defaults: Mapping[str, float] = field(default_factory=dict)  # coordinate → where `neutral` has it
    motion_types: Mapping[str, str] = field(default_factory=dict)  # coordinate → rotational, translational or coupled
    opensim: Any = None  # what an .osim file says beyond this: condyle.io.opensim.osim_records.OpenSim
    followers: tuple[Follower, ...] = ()  # coordinates of joints that are functions of others
    muscles: tuple[Muscle, ...] = ()  # what runs along paths: muscles, ligaments, springs
    wraps: tuple[WrapObject, ...] = ()  # what paths wrap over
    collisions: Mapping[str, tuple[Shape, ...]] = field(default_factory=dict)  # body → shapes that touch others: data
    mujoco: Any = None  # what an MJCF file says beyond this: condyle.io.robots.mjcf.mjcf_records.MuJoCo

    one_state = None  # native calls that `dynamics.native_calls` binds to a model's tables; not a field

    def __post_init__(self) -> None:
        for name in ("bodies", "forces", "muscles", "wraps", "constraints", "markers", "followers"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        self._keep(gravity=np.asarray(self.gravity, dtype=float), prescribed=self.prescribed)
        check_structure(self)
        self._keep(
            ranges={self.shown_name(c): checked_range(*ends, f"range of {c!r}") for c, ends in self.ranges.items()},
            ratings={self.shown_name(c): rating for c, rating in self.ratings.items()},
            defaults={self.shown_name(c): float(x) for c, x in self.defaults.items()},
            motion_types={self.shown_name(c): kind for c, kind in self.motion_types.items()},
        )
        if self.muscles or self.wraps:
            check_paths(self)

    @cached_property
    def armature(self) -> np.ndarray:
        """Inertia (nv,) that velocities have of their own, of rotors that are no bodies [kg m² or kg]."""
        found = np.zeros(self.nv)
        for name, rating in self.ratings.items():
            if rating.armature:
                place = self.coordinate_places[self.name_forms[name]]
                found[place.v : place.v + place.widths[1]] = rating.armature
        return found

    @cached_property
    def prescribed_columns(self) -> frozenset[int]:
        """Velocity indices whose motion is given."""
        return frozenset(self.prescribed)

    @cached_property
    def guests(self) -> tuple[tuple[int, int], ...]:
        """(body, index in v) of every column that a body has for a velocity of another joint, which it follows."""
        from .packing.folding_packing import guests

        return tuple((c.body, c.velocity) for c in guests(self)) if self.followers else ()

    @cached_property
    def tables(self) -> tuple:
        """What kernels read, read-only: they trust every number of it. With followers, a third item says so."""
        from .packing.model_packing import pack_model

        return pack_model(self)

    @cached_property
    def _inertial(self) -> tuple[np.ndarray, np.ndarray]:
        from .packing.principal_frames import inertial_frames

        return kept(inertial_frames(self.bodies))

    @property
    def inertial_frames(self) -> np.ndarray:
        """X_BC of every body (nbodies, 4, 4): centre of mass and principal axes, the frames kernels work in."""
        return self._inertial[0]

    @cached_property
    def body_frames(self) -> np.ndarray:
        """X_CB of every body (nbodies, 12), rotation by rows and position: its frame in its inertial frame."""
        X = pose_inverse(self.inertial_frames)
        return kept(np.concatenate([X[:, :3, :3].reshape(-1, 9), X[:, :3, 3]], axis=1))

    @cached_property
    def parameter_frames(self) -> np.ndarray:
        """X_CB, X_CF and X_CM of every body (nbodies, 36), rotation by rows and position each.

        The body's frame and the end of its joint in its inertial frame, between them the start of its joint in the
        parent's inertial frame: what gradients by inertias, placements and offsets are written in.
        """
        from .packing.principal_frames import joint_ends

        heads, tails = joint_ends(self)
        twelve = [
            np.concatenate([X[:, :3, :3].reshape(-1, 9), X[:, :3, 3]], axis=1) for X in (heads, pose_inverse(tails))
        ]
        return kept(np.ascontiguousarray(np.concatenate([self.body_frames, *twelve], axis=1)))

    @property
    def principal_moments(self) -> np.ndarray:
        """Principal moments of inertia of every body (nbodies, 3) [kg m²], ascending, along the axes of its frame C."""
        return self._inertial[1]

    @cached_property
    def takes_any_q(self) -> bool:
        """Whether all finite numbers are coordinates: no quaternions, and no joint refuses to leave its domain."""
        return all(b.joint.takes_any_q for b in self.bodies)

    @cached_property
    def takes_any_state(self) -> bool:
        """Whether any finite q and v are a state whose accelerations are free: nothing is constrained or prescribed."""
        return self.takes_any_q and not (self.constraints or self.prescribed)

    def neutral(self) -> np.ndarray:
        """A q to start from: defaults where there are any, else zero, moved into domain and range; unit quaternions."""
        return self._neutral.copy()

    @cached_property
    def _neutral(self) -> np.ndarray:
        q = np.zeros(self.nq)
        for at, _, _ in self.quaternions:
            q[at] = 1.0
        for name, place in zip(self.coordinates, self.coordinate_places, strict=True):
            if place.widths == (1, 1) and np.isfinite(ends := self.range_of(name)).any():
                q[place.q] = np.clip(0.0, *ends)
        for name, value in self.defaults.items():
            q[self.q_index(name)] = value
        return q

    def range_of(self, coordinate: str) -> tuple[float, float]:
        """The range of a coordinate: as set, else its joint's domain.

        Parameters
        ----------
        coordinate : str

        Returns
        -------
        tuple of two float
            (low, high) [rad or m]; infinite where there is no end.

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        """
        name, place = self.shown_name(coordinate), self._place(coordinate)
        return self.ranges[name] if name in self.ranges else self.bodies[place.body].joint.domain[place.coordinate]

    @cached_property
    def limits(self) -> dict[str, Limits]:
        """All that is known of each coordinate that is one number: range, velocity, effort, damping, friction."""
        return limits_of(self)

    def with_gravity(self, gravity: ArrayLike) -> Model:
        """A copy under another gravity [m/s²].

        Parameters
        ----------
        gravity : array_like, shape (3,)
            In world axes [m/s²].

        Returns
        -------
        Model

        Examples
        --------
        >>> import condyle as cd
        >>> b = cd.ModelBuilder()
        >>> b = b.add_body("bob", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, -1)))
        >>> b.build().with_gravity((0, 0, -1.62)).gravity
        array([ 0.  ,  0.  , -1.62])
        """
        return replace(self, gravity=gravity)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of what `with_parameters` changes: gravity, and numbers of bodies, springs and spline joints."""
        from .parameters import parameters_of

        return tuple(parameters_of(self))

    def with_parameters(self, parameters: Mapping[str, ArrayLike]) -> Model:
        """A copy with some of its parameters changed, by name.

        Parameters
        ----------
        parameters : mapping of str to array_like
            "gravity" [m/s²]; "shank.mass" [kg], "shank.com" [m], "shank.moment" [kg m²], "shank.placement" and
            "shank.offset" (4, 4) of a body; "bodies.mass" and so on of all bodies at once, (nbodies, shape of the
            parameter); "springs[0].stiffness", ".damping", ".length", ".point_a" and ".point_b" of a point spring,
            numbered in the order of adding; "knee.frames" (m + 1, 4, 4) of a joint that is a spline curve. One number
            of several has its index after the name: "shank.com[2]". Each is changed alone: another mass keeps centre
            and moment.

        Returns
        -------
        Model

        Raises
        ------
        UnknownName
            A parameter that the model does not have.
        BadShape, NotFinite, BadInertia
            Numbers that it cannot have.

        Examples
        --------
        >>> import condyle as cd
        >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
        >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
        >>> model.with_parameters({"bob.mass": 3.0, "bob.com[2]": -0.5}).bodies[0].inertia.mass
        3.0
        """
        from .parameters import with_parameters

        return with_parameters(self, parameters)

    def folded(self) -> Model:
        """A copy in which coordinates that a coupling holds to another one are functions of it, not coordinates.

        The motion is the same; there is no constraint left to hold, and no drift. Couplings that cannot be folded (to
        several coordinates, with kinks, of prescribed coordinates) stay constraints, and `notes` says so.

        Raises
        ------
        BadValue
            If two couplings hold one coordinate, or couplings go in a circle.
        """
        return fold(self)

    def unfolded(self) -> Model:
        """A copy in which `followers` are coordinates again, each held to its driver by a constraint."""
        return unfold(self)

    def rerooted(
        self,
        body: str | int,
        joint: Joint | None = None,
        *,
        placement: SE3 | ArrayLike | None = None,
        offset: SE3 | ArrayLike | None = None,
    ) -> Model:
        """A copy whose root is another body: a walker seen from its foot, a worm that grips with its other end.

        Joints on the way between the two roots are inverted and keep their names, coordinates, loads and limits; the
        joint of the old root is gone, and the new one has its name. If that could move in every way, the motion is the
        same. A model that was held by the world lets go of it there and is held where `joint` says.
        `cd.rerooted_state` converts states, both ways.

        Parameters
        ----------
        body : str or int
            The new root.
        joint : Joint, optional
            That holds it in the world; by default `cd.joints.free()`.
        placement : SE3 or array_like, shape (4, 4), optional
            X_WF: the joint's frame in the world; the identity by default.
        offset : SE3 or array_like, shape (4, 4), optional
            X_BM: the moving frame in the body; the identity by default.

        Returns
        -------
        Model

        Raises
        ------
        UnknownName
            If no body has this name.
        NotSupported
            If a joint on the way mixes a quaternion with other coordinates or rolls, or coordinates of the old root's
            joint are prescribed or coupled.

        Warns
        -----
        CondyleWarning
            If loads or armature act on coordinates of the old root's joint: they are lost, and named.

        Examples
        --------
        >>> import condyle as cd
        >>> rod = cd.Inertia.point(1.0, (0, 0, -0.4))
        >>> b = cd.ModelBuilder().add_body("thigh", joint=cd.joints.free(), inertia=rod, joint_name="hip")
        >>> leg = b.add_body("shank", "thigh", cd.joints.revolute("y"), rod, joint_name="knee").build()
        >>> leg.rerooted("shank").names, leg.rerooted("shank").coordinates
        (('shank', 'thigh'), ('hip', 'knee'))
        """
        from .rerooting import reroot

        return reroot(self, body, joint, placement, offset)

    def without_loads(self) -> Model:
        """A copy in free space: no gravity, springs, dampers, limits or prescribed motion."""
        return replace(self, gravity=np.zeros(3), prescribed={}, forces=(), constraints=())

    @cached_property
    def unloaded(self) -> Model:
        """`without_loads()`, made once."""
        return self.without_loads()

    def without_muscles(self) -> Model:
        """A copy without what runs along paths: muscles, ligaments, springs. The model itself if it has none."""
        return self._muscleless if self.muscles else self

    @cached_property
    def _muscleless(self) -> Model:
        return replace(self, muscles=(), wraps=())

    def __repr__(self) -> str:
        extra = f", {amount(len(self.forces), 'force')}" if self.forces else ""
        extra += f", {len(self.prescribed)} prescribed" if self.prescribed else ""
        extra += f", {amount(len(self.constraints), 'constraint')}" if self.constraints else ""
        extra += f", {amount(len(self.followers), 'follower')}" if self.followers else ""
        freedoms = amount(self.nv, "degree of freedom", "degrees of freedom")
        return f"<Model: {amount(self.nbodies, 'body', 'bodies')}, {freedoms}{extra}>"
