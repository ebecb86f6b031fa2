"""Beads on a flower-shaped wire that spins.  [LeeTerzopoulos2008, section 8, Beads-on-a-Wire]"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...dynamics import forward_dynamics, inverse_dynamics
from ...errors import BadShape, require
from ...joints import Joint, compose, revolute, spline_curve
from ...model import Model, ModelBuilder
from ...model.look.overlays import GRAY
from ...model.look.shapes import sphere
from ...simulation import Trajectory
from ...spatial import SE3, Inertia
from ..outlines import UPRIGHT, plane_frames
from ..scene import PALETTE, Scene, path_of, wire_sheet

BEAD = 0.06  # [m] radius
COUNT = 3


def flower(radius: float = 0.5, petals: int = 5, depth: float = 0.25, frames: int = 60, order: int = 4) -> Joint:
    """A closed wire in the xy plane about the origin, r = radius (1 + depth cos(petals · angle)); x along it.

    Parameters
    ----------
    radius : float, optional
        Mean distance from the origin [m].
    petals : int, optional
    depth : float, optional
        Of the petals, as a share of the radius. 0 is a circle, exactly: equal turns between frames are one turn.
    frames : int, optional
        Number of control frames.
    order : int, optional
        Order of the B-spline: degree + 1; 4 is cubic.

    Returns
    -------
    Joint
        Periodic; its coordinate "along" counts control frames.
    """
    angle = 2.0 * np.pi * np.arange(frames) / frames - 0.5 * np.pi  # from the lowest point
    r = radius * (1.0 + depth * np.cos(petals * angle))
    points = np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1)
    return spline_curve(plane_frames(points), periodic=True, order=order, name="along")


def beads(
    spin: float | None = 2.0,
    rolling_about: bool = False,
    wire: Joint | None = None,
    masses: Sequence[float] = (0.2, 0.3, 0.4),
) -> Scene:
    """Beads on one wire that turns about the vertical.

    Parameters
    ----------
    spin : float or None, optional
        Prescribed rate of the wire [rad/s]; None lets it turn freely, at first by 2 rad/s.
    rolling_about : bool, optional
        Insert a revolute, so that every bead also turns freely about the wire.
    wire : Joint, optional
        A periodic curve; by default a `flower`.
    masses : sequence of float, optional
        Of one to three beads [kg].

    Returns
    -------
    Scene

    Raises
    ------
    BadShape
        If there are more masses than three, or none.

    Examples
    --------
    >>> from condyle.gallery import beads
    >>> beads().model.coordinates
    ('spin', 'bead0', 'bead1', 'bead2')
    """
    require(1 <= len(masses) <= 3, "beads: one to three masses", BadShape, masses=len(masses))
    wire = flower() if wire is None else wire
    model = _model(wire, spin, rolling_about, masses)
    per = 2 if rolling_about else 1
    period = wire.domain[0][1]
    q, v = np.zeros(model.nq), np.zeros(model.nv)
    q[1::per] = period * np.array([0.22, 0.55, 0.83])[: len(masses)]
    if rolling_about:
        v[2::per] = (4.0, -6.0, 9.0)[: len(masses)]
    v[0] = 2.0 if spin is None else spin
    axis = wire_sheet(None, np.array([(0.0, 0.0, -0.75), (0.0, 0.0, 0.75)]), (0.0, 1.0, 0.0), 0.006, GRAY)
    bent = wire_sheet("wire", path_of(wire, placement=UPRIGHT), (0.0, 1.0, 0.0), 0.011, PALETTE[0])
    name = "beads-spinning" if rolling_about else "beads"
    return Scene(name, model, q, v, (), (bent, axis))


def _model(wire: Joint, spin: float | None, rolling_about: bool, masses) -> Model:
    b = ModelBuilder()
    b.add_body("wire", joint=revolute("z"), inertia=Inertia(0.5, (0, 0, 0), (0.06, 0.06, 0.06)), joint_name="spin")
    joint = compose(wire, revolute("x", name="turn")) if rolling_about else wire
    for k, mass in enumerate(masses):
        look = (sphere(BEAD, color=PALETTE[k + 1]), sphere(0.25 * BEAD, SE3.from_translation((0.0, BEAD, 0.0))))
        inertia = Inertia.sphere(mass, BEAD)
        b.add_body(f"bead{k}", parent="wire", joint=joint, inertia=inertia, placement=UPRIGHT, shapes=look)
    if spin is not None:
        b.prescribe("spin", 0.0, rate=spin)
    return b.build()


def motor_work(run: Trajectory, spin: float) -> np.ndarray:
    """Energy that the motor has given since the start [J], from the torque it needs, by the trapezoidal rule."""
    a = [forward_dynamics(run.model, q, v, t=s) for q, v, s in zip(run.q, run.v, run.t, strict=True)]
    torque = inverse_dynamics(run.model, run.q, run.v, np.array(a))[:, 0]
    steps = 0.5 * (torque[1:] + torque[:-1]) * np.diff(run.t) * spin
    return np.concatenate([[0.0], np.cumsum(steps)])


def check() -> None:
    """The motor's work is the energy gained; without a motor energy stays."""
    run = beads().run(1.0, record=1e-3)
    gained = run.energy().total - run.energy().total[0]
    assert abs(motor_work(run, 2.0) - gained).max() < 1e-4
    assert np.ptp(beads(spin=None, rolling_about=True).run(1.0, record=0.01).energy().total) < 1e-4
