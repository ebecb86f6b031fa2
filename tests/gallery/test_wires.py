"""Bodies on closed wires: the elliptic skate, the beads and the globe."""

from itertools import combinations

import numpy as np
import pytest
from scipy.special import ellipk

import condyle as cd
from condyle.gallery import beads, elliptic, flower, globe
from condyle.gallery.outlines import UPRIGHT
from condyle.gallery.wires.globe import TILT, coastline, coasts_of

G = 9.81


def period(mass, moment, radius, angle):
    """Of a pendulum let go at an angle from below: 4 √(I / (m g r)) K(sin²(angle / 2))."""
    return 4.0 * np.sqrt((mass * radius**2 + moment) / (mass * G * radius)) * ellipk(np.sin(0.5 * angle) ** 2)


def error_of_period(model, q, exact):
    """How late the body is back at its turning point: velocity over acceleration there."""
    end = cd.simulate(model, [q], duration=exact, step=5e-4, record=exact)
    return end.v[-1, 0] / cd.forward_dynamics(model, end.q[-1], np.zeros(1))[0]


def test_the_skate_on_a_circle_is_a_pendulum():
    """Oracle: the complete elliptic integral."""
    scene = elliptic(0.7, 0.7, angle=2.0)
    moment = scene.model.bodies[0].inertia.moment[2, 2]
    assert abs(error_of_period(scene.model, 2.0, period(1.0, moment, 0.7, 2.0))) < 1e-9


@pytest.mark.parametrize("order", [4, 6])
def test_a_bead_on_a_circular_wire_is_a_pendulum(order):
    """Oracle: the complete elliptic integral. The bead turns with the wire, so its own moment counts."""
    wire = flower(radius=0.5, depth=0.0, frames=24, order=order)
    scene = beads(spin=0.0, wire=wire, masses=(0.2,))
    radius = np.linalg.norm(wire.pose([3.0])[:3, 3])
    bead = cd.ModelBuilder().add_body("bead", joint=wire, inertia=scene.model.bodies[1].inertia, placement=UPRIGHT)
    model = bead.build()
    bottom = bottom_of(wire)
    exact = period(0.2, 0.4 * 0.2 * 0.06**2, radius, 1.9)
    assert abs(error_of_period(model, bottom + 1.9 / (2 * np.pi) * 24, exact)) < 1e-9


def bottom_of(wire):
    """Where a circular wire is lowest, from the place of its start: equal steps are equal turns."""
    x, y = wire.pose([0.0])[:2, 3]
    return (-0.5 * np.pi - np.arctan2(y, x)) % (2 * np.pi) / (2 * np.pi) * wire.domain[0][1]


def test_a_bead_on_a_spinning_hoop_accelerates_as_the_textbook_says():
    """Oracle: (m r² + I_z) θ̈ = sin θ ((m r² + I_x − I_y) Ω² cos θ − m g r); I_x = I_y for a ball."""
    wire, spin, mass = flower(depth=0.0, frames=30), 7.0, 0.2
    scene = beads(spin=spin, wire=wire, masses=(mass,))
    r, per = np.linalg.norm(wire.pose([0.0])[:3, 3]), 2 * np.pi / 30
    for theta in (0.3, 1.1, 2.5):
        q = [0.0, bottom_of(wire) + theta / per]
        a = cd.forward_dynamics(scene.model, q, [spin, 0.4])[1] * per
        moment = 0.4 * mass * 0.06**2
        expected = np.sin(theta) * (mass * r**2 * spin**2 * np.cos(theta) - mass * G * r) / (mass * r**2 + moment)
        assert a == pytest.approx(expected, abs=1e-11)


def test_the_motor_gives_the_energy_that_the_beads_gain():
    """Oracle: d(energy)/dt = torque · spin, by central differences of the energy along the motion."""
    scene = beads(spin=2.0, wire=flower(order=6))
    path = scene.run(0.3, step=2e-4)
    k, h = 700, path.t[1]
    e = path.energy().total
    rate = (8 * (e[k + 1] - e[k - 1]) - (e[k + 2] - e[k - 2])) / (12 * h)
    a = cd.forward_dynamics(scene.model, path.q[k], path.v[k], t=path.t[k])
    assert cd.inverse_dynamics(scene.model, path.q[k], path.v[k], a)[0] * 2.0 == pytest.approx(rate, abs=1e-7)


def test_a_free_wire_keeps_energy_and_momentum_about_its_axis():
    """Oracle: Noether. The momentum is summed from poses and velocities of all bodies about the world's z axis."""
    scene = beads(spin=None, rolling_about=True, wire=flower(order=6))
    path = scene.run(1.0, step=5e-4, record=0.05)
    about_z = [angular_momentum(scene.model, q, v)[2] for q, v in zip(path.q, path.v, strict=True)]
    assert np.ptp(path.energy().total) < 1e-6
    assert np.ptp(about_z) < 1e-8


def test_a_bead_free_about_the_wire_keeps_its_spin():
    """Oracle: Euler's equation of an axially symmetric body without a moment about its axis: ω_x is constant."""
    scene = beads(spin=2.0, rolling_about=True, wire=flower(order=6))
    path = scene.run(1.0, record=0.1)
    spins = cd.body_velocities(scene.model, path.q, path.v)[:, 1:, 0]
    assert np.ptp(spins, axis=0).max() < 1e-7
    assert np.ptp(path.v[:, 2::2], axis=0).min() > 0.1  # while the coordinate's own rate does change


@pytest.mark.parametrize("number", range(4))
def test_coastlines_stay_on_the_sphere(number):
    """Oracle: the sphere, |p| = r, and the frame's z axis is radial."""
    coast = coasts_of(0.3)[number]
    T = coast.pose(np.linspace(0.0, coast.domain[0][1], 3001)[:, None])
    assert abs(np.linalg.norm(T[:, :3, 3], axis=1) - 0.3).max() < 1e-12
    assert abs(T[:, :3, 2] - T[:, :3, 3] / 0.3).max() < 1e-12


def test_aeroplanes_on_different_coasts_cannot_meet():
    """Oracle: distances between all points of any two coasts, against a wing span (two half spans of 6.2 cm)."""
    q = np.linspace(0.0, 90.0, 500)[:, None]
    coasts = [coast.pose(q)[:, :3, 3] for coast in coasts_of(0.3)]
    for a, b in combinations(coasts, 2):
        assert np.linalg.norm(a[:, None] - b, axis=-1).min() > 0.124


def test_a_round_island_at_the_pole_is_a_circle_of_latitude():
    """Oracle: symmetry; every point is equally high."""
    coast = coastline((0.0, 0.5 * np.pi), 0.6, (), 0.3, frames=12)
    z = coast.pose(np.linspace(0, 12, 50)[:, None])[:, 2, 3]
    assert np.ptp(z) < 1e-12


def test_the_globe_keeps_energy_and_momentum_about_its_axis():
    """Oracle: Noether, the momentum summed from poses and velocities about the globe's tilted axis."""
    scene = globe()
    path = scene.run(1.0, record=0.25)
    axis = np.array([0.0, -np.sin(TILT), np.cos(TILT)])
    momenta = [angular_momentum(scene.model, q, v) @ axis for q, v in zip(path.q, path.v, strict=True)]
    assert np.ptp(path.energy().total) < 1e-7
    assert np.ptp(momenta) < 1e-8


def angular_momentum(model, q, v):
    """About the world's origin; all centres of mass are at the bodies' origins."""
    poses, twists = cd.forward_kinematics(model, q).as_matrix(), cd.body_velocities(model, q, v)
    parts = [(T[:3, :3], T[:3, 3], V, b.inertia) for T, V, b in zip(poses, twists, model.bodies, strict=True)]
    return sum(R @ I.moment @ V[:3] + np.cross(p, I.mass * R @ V[3:]) for R, p, V, I in parts)


def test_a_wire_is_round_and_as_thick_at_a_corner():
    """Oracle: distances by hand from the two straight lines of a wire with a right angle, and from a circle."""
    from condyle.gallery.scene import wire_sheet

    bent = wire_sheet(None, np.array([(1.0, 0, 0), (0, 0, 0), (0, 0, 1)]), (0, 1, 0), 0.1, (1, 0, 0)).at(0.0)
    x, y, z = np.moveaxis(bent, -1, 0)
    away = np.stack([np.hypot(y[:2], z[:2]), np.hypot(x[1:], y[1:])])
    np.testing.assert_allclose(away, 0.1, atol=1e-12)
    angle = np.linspace(0.0, 2.0 * np.pi, 1001)
    ring = np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)
    x, y, z = np.moveaxis(wire_sheet(None, ring, (0, 1, 0), 0.1, (1, 0, 0)).at(0.0), -1, 0)
    np.testing.assert_allclose(np.hypot(np.hypot(x, z) - 1.0, y), 0.1, atol=1e-3)
