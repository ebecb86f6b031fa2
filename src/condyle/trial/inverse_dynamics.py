"""Generalised forces of a measured motion: filtered, differentiated, with external loads; power, energy, residuals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .. import dynamics
from ..errors import BadShape, BadValue, amount, require
from ..formats.tables.table import Table
from ..io import load
from ..model import Model
from ..muscles import elastic_forces
from ..muscles.elastic_energy import is_stretched
from ..simulation import Trajectory
from ..typing import PathLike
from .external_loads.ground_reactions import ExternalLoads, Sampled, wrenches
from .inverse_kinematics import Kinematics
from .joint_reactions import JointReactions, joint_reactions
from .measured_markers import SLACK, sorted_span
from .results.column_names import Column, columns, coordinates_of, force_table
from .setup_files.opensim_setups import read_external_loads
from .time_series import derivatives


class Residual(NamedTuple):
    """The force or moment that a root coordinate would need, though nothing holds it there.

    Attributes
    ----------
    name : str
        As OpenSim calls it.
    rms, largest : float
        Over time [N m or N].
    unit : str
    """

    name: str
    rms: float
    largest: float
    unit: str


@dataclass(frozen=True, eq=False)
class Dynamics:
    """A motion of a model with the generalised forces that it needs beyond gravity, springs and external loads.

    Attributes
    ----------
    model : Model
    times : ndarray, shape (T,)
        [s]
    q, v, a : ndarray, shapes (T, nq), (T, nv), (T, nv)
        Coordinates, rates and accelerations, filtered if asked.
    forces : ndarray, shape (T, nv)
        Generalised forces [N m, N].
    wrenches : ndarray, shape (T, nbodies, 6)
        External loads: [moment; force] in body axes at the body origin [N m, N].
    external_forces : dict of str to ndarray, shape (T, 3)
        Each external force as measured [N].
    cutoff : float or None
        Of the low-pass filter [Hz].
    notes : tuple of str
        What was assumed.
    """

    model: Model
    times: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    forces: np.ndarray
    wrenches: np.ndarray
    external_forces: dict[str, np.ndarray]
    cutoff: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def mass(self) -> float:
        """Of all bodies [kg]."""
        return float(sum(body.inertia.mass for body in self.model.bodies))

    @property
    def power(self) -> np.ndarray:
        """Of each generalised force, shape (T, nv) [W]."""
        return self.forces * self.v

    @cached_property
    def center_of_mass(self) -> np.ndarray:
        """Of the whole model in the world, shape (T, 3) [m]."""
        return dynamics.center_of_mass(self.model, self.q)

    @cached_property
    def energy(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Kinetic, potential and total energy, shape (T,) each [J]."""
        return tuple(np.asarray(e) for e in dynamics.energy(self.model, self.q, self.v))  # type: ignore[return-value]

    @property
    def root_columns(self) -> list[Column]:
        """The coordinates between the world and a body that moves in it: their forces are residuals."""
        roots = {i for i, body in enumerate(self.model.bodies) if body.parent is None or body.parent == -1}
        return [
            c
            for c, shown in zip(columns(self.model), self.model.coordinates, strict=True)
            if self.model.place_of(shown)[0] in roots
        ]

    @property
    def residuals(self) -> tuple[Residual, ...]:
        """Forces on root coordinates, which nothing exerts in a motion and loads that fit each other.

        Only of models whose root is free to move, that is, has six coordinates, or three in a plane.
        """
        roots = self.root_columns
        if len(roots) not in (3, 6):
            return ()
        return tuple(
            Residual(c.force, float(np.sqrt(np.mean(x**2))), float(np.abs(x).max()), "N m" if c.rotational else "N")
            for c in roots
            for x in (self.forces[:, c.v],)
        )

    def joint_reactions(self) -> JointReactions:
        """Force and moment of every joint on the body that it carries, in the axes of the world.

        Without muscles: what inverse dynamics needs is in them.

        Raises
        ------
        NotSupported
            If the model has springs, ligaments or springs along paths between bodies, whose forces are not counted.
        """
        return joint_reactions(self.model, self.times, self.q, self.v, self.a, self.wrenches)

    def table(self) -> Table:
        """The generalised forces by OpenSim's names."""
        return force_table(self.model, self.times, self.forces)

    def __str__(self) -> str:
        parts = [f"{amount(len(self.times), 'frame')}, {amount(len(self.external_forces), 'external force')}"]
        parts += [f"{r.name} {r.rms:.3g} {r.unit}" for r in self.residuals]
        return f"{parts[0]}; residuals (root mean square): {', '.join(parts[1:])}" if parts[1:] else parts[0]


def inverse_dynamics(
    model: Model,
    motion: PathLike | Kinematics | Trajectory,
    *,
    loads: PathLike | ExternalLoads | None = None,
    cutoff: float | None = None,
    span: tuple[float, float] | None = None,
) -> Dynamics:
    """The generalised forces of a motion, beyond gravity, the model's own loads and external ones.

    Ligaments and springs along paths are loads of the model (`cd.muscles.elastic_forces`); muscles exert no forces.

    Coordinates are filtered (`lowpass`) if a cutoff is given and differentiated by natural quintic splines; external
    loads are interpolated by natural cubic splines and moved to their bodies at the pose of each frame. All frames are
    computed in one call. Constraints of the model exert no forces here; forces on a coordinate that is a function of
    another (a folded coupler) are in that of its driver. Forces on the coordinates of a free root are
    residuals: they say how badly motion, loads and masses fit each other.

    Parameters
    ----------
    model : Model
    motion : path, Kinematics or Trajectory
        A .mot, .sto or .csv file of coordinates, or what inverse kinematics found.
    loads : path or ExternalLoads, optional
        Ground reactions and other external forces; an .xml file of OpenSim is read by `read_external_loads`.
    cutoff : float, optional
        Of the low-pass filter of coordinates [Hz]; no filter by default.
    span : pair of float, optional
        First and last time of the result [s]; the whole motion by default. The filter sees all of the motion.

    Returns
    -------
    Dynamics

    Raises
    ------
    BadFile
        If external loads do not cover the time, or a column is missing.
    UnknownName
        If an external load names a body that does not exist.
    BadValue
        If no frame lies in the span.

    Examples
    --------
    A pendulum of 2 kg and 1 m that is held still at 30°:

    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> t = np.linspace(0.0, 1.0, 21)
    >>> still = cd.Trajectory(model, t, np.full((21, 1), np.pi / 6), np.zeros((21, 1)))
    >>> bool(np.abs(cd.trial.inverse_dynamics(model, still).forces - 9.81).max() < 1e-6)
    True
    """
    t, q = _motion(model, motion)
    columns(model)  # refuses what no table can hold
    low, high = (t[0], t[-1]) if span is None else sorted_span(span)
    times = t[(t >= low - SLACK) & (t <= high + SLACK)]
    require(len(times), f"no frame of the motion, which runs from {t[0]:g} to {t[-1]:g} s, is in the span", BadValue,
            span=(float(low), float(high)))  # fmt: skip
    loads = loads if loads is None or isinstance(loads, ExternalLoads) else read_external_loads(loads)
    if loads is not None:
        loads.require_bodies(model)
    q, v, a = derivatives(t, q, cutoff, times)
    sampled = [] if loads is None else loads.at(times)
    W = wrenches(model, q, sampled)
    tau = dynamics.inverse_dynamics(model.without_muscles(), q, v, a, W) - elastic_forces(model, q, v)
    return Dynamics(model, times, q, v, a, tau, W, _measured(sampled), cutoff, _notes(model, loads, cutoff))


def _motion(model: Model, motion) -> tuple[np.ndarray, np.ndarray]:
    """Times and coordinates of a motion."""
    if isinstance(motion, Kinematics):
        return motion.times, coordinates_of(model, motion.model, motion.q)
    trajectory = motion if isinstance(motion, Trajectory) else load(motion, model=model)
    require(isinstance(trajectory, Trajectory) and trajectory.q.ndim == 2, "inverse dynamics: a motion is a file "
            ".mot, .sto or .csv, the result of inverse kinematics, or one trajectory", BadShape)  # fmt: skip
    require(trajectory.q.shape[1] == model.nq, f"the motion has {trajectory.q.shape[1]} coordinates, the model "
            f"{model.nq}", BadShape)  # fmt: skip
    return trajectory.t, trajectory.q


def _measured(sampled: list[Sampled]) -> dict[str, np.ndarray]:
    return {s.force.name: s.newtons for s in sampled if s.newtons is not None}


def _notes(model: Model, loads: ExternalLoads | None, cutoff: float | None) -> tuple[str, ...]:
    said = [
        "coordinates are not filtered: noise of markers grows in accelerations"
        if cutoff is None
        else f"coordinates are low-pass filtered at {cutoff:g} Hz (zero phase); external loads are not filtered",
        "accelerations are second derivatives of natural quintic splines",
    ]
    said += ["no external loads: the ground exerts no forces"] if loads is None or not loads.forces else []
    said += [f"{amount(len(model.constraints), 'constraint')} of the model: no forces"] if model.constraints else []
    said += [f"forces on {f.name}, a function of {f.driver}, are in those on {f.driver}" for f in model.followers]
    muscles = 0 if model.opensim is None else len(model.opensim.muscles)
    said += [f"{amount(muscles, 'muscle')} of the model: no forces"] if muscles else []
    bands = [m.name for m in model.muscles if is_stretched(m)]
    words = "ligament or spring along a path pulls", "ligaments and springs along paths pull"
    said += [f"{amount(len(bands), *words)} ({', '.join(bands)})"] if bands else []
    return tuple(said)
