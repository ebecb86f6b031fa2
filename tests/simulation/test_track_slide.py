"""Dry friction and corners on wires against closed forms: slip, stick, impacts, and what became of the energy."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, BadValue

G, POINT = 9.81, cd.Inertia.point(2.0)
slide = cd.simulation.slide


def slope(angle, reach=2.0):
    """A straight wire in the xz plane that falls by an angle [rad], from 0 to its reach [m]."""
    f = cd.functions.spline([0.0] * 4 + [reach] * 4, np.linspace(0.0, reach, 4))
    return cd.joints.product([(0, 0, 0, np.cos(angle), 0, -np.sin(angle))], [f], coordinates=("s",))


def bend(radius, span=(0.0, 2.0)):
    """A circle in the xz plane, its lowest place at 0, by the angle [rad]."""

    def f(t):
        return radius * np.stack([np.sin(t), 0 * t, -np.cos(t)], axis=1)

    return cd.joints.along(cd.joints.Curve.from_function(f, span), coordinate="parameter", up=(0, 1, 0))


def booked(run):
    """What is left of the energy when friction and corners have been booked [J]."""
    lost = np.array([sum(c.lost for c in run.corners if c.time <= t) for t in run.t])
    return np.abs(run.energy - run.energy[0] - run.friction_work + lost).max()


def test_a_block_slides_down_a_slope():
    """Oracle: a = g (sin α − μ cos α)."""
    a = G * (np.sin(0.5) - 0.3 * np.cos(0.5))
    run = slide(slope(0.5), POINT, 0.0, duration=1.0, record=0.1, friction=0.3)
    assert np.abs(run.s - 0.5 * a * run.t**2).max() < 1e-10 and np.abs(run.v - a * run.t).max() < 1e-10
    assert np.abs(run.normal_force - 2.0 * G * np.cos(0.5)).max() < 1e-9 and booked(run) < 1e-9


@pytest.mark.parametrize(("mu", "sticks"), [(0.5, False), (0.6, True)])
def test_a_block_sticks_where_friction_holds_it(mu, sticks):
    """Oracle: tan α = 0.546: it comes up, stops after v²/(2 g (sin α + μ cos α)), and stays or slides back."""
    stop = 1.0 / (2 * G * (np.sin(0.5) + mu * np.cos(0.5)))
    run = slide(slope(0.5), POINT, 1.0, -1.0, duration=2.0, record=0.05, friction=mu)
    assert (run.stuck is not None) == sticks and booked(run) < 1e-9
    if sticks:
        assert abs(run.s[-1] - (1.0 - stop)) < 1e-10 and abs(run.stuck - 2 * stop) < 1e-9
    else:
        back = G * (np.sin(0.5) - mu * np.cos(0.5))
        assert abs(run.s[-1] - (1.0 - stop + 0.5 * back * (2.0 - 2 * stop) ** 2)) < 1e-9


def test_static_friction_may_be_larger():
    held = slide(slope(0.5), POINT, 0.5, duration=0.5, record=0.1, friction=0.3, sticking=0.6)
    assert held.stuck == 0.0 and (held.s == 0.5).all() and held.friction_work[-1] == 0.0


def test_a_level_bend_takes_the_same_share_of_speed_whatever_its_radius():
    """Oracle: the capstan's law v = v₀ exp(−μ φ)."""
    for radius in (0.1, 1.0):
        run = slide(bend(radius), POINT, 0.0, 1.0 / radius, duration=1.2 * radius, record=0.1 * radius,
                    friction=0.4, gravity=(0, 0, 0))  # fmt: skip
        assert np.abs(run.v * radius - np.exp(-0.4 * run.s)).max() < 1e-9 and booked(run) < 1e-9


def test_a_block_in_an_upright_bend():
    """Oracle: v² = C exp(−2 μ θ) + 2 g R ((1 − 2 μ²) cos θ − 3 μ sin θ)/(1 + 4 μ²), until it stops; then it sticks."""
    R, mu, v0 = 0.5, 0.25, 2.5
    run = slide(bend(R, (0.0, 1.5)), POINT, 0.0, v0 / R, duration=3.0, record=0.01, friction=mu)

    def part(x):
        return 2 * G * R / (1 + 4 * mu**2) * ((1 - 2 * mu**2) * np.cos(x) - 3 * mu * np.sin(x))

    up = run.t < run.t[np.argmax(run.s)]
    expected = (v0**2 - part(0.0)) * np.exp(-2 * mu * run.s) + part(run.s)
    assert up.sum() > 10 and np.abs((run.v * R) ** 2 - expected)[up].max() < 1e-8
    assert booked(run) < 1e-9 and run.friction_work[-1] < -1.0


def test_corners_take_what_the_next_wire_does_not_allow():
    """Oracle: v cos θ at each of three corners, less μ sin θ of it with friction; the impulse is m Δv."""
    turns = np.array([0.3, 0.2, 0.5])
    starts, wires = np.zeros(3), []
    for heading in np.concatenate([[0.0], np.cumsum(turns)]):
        wire = slope(-heading, 0.5)
        wires.append(cd.joints.compose(cd.joints.weld(cd.SE3.from_translation(starts)), wire))
        starts = wires[-1].pose([0.5]).xyz
    for mu in (0.0, 0.1):
        run = slide(wires, POINT, 0.0, 3.0, duration=3.0, record=0.01, friction=mu, gravity=(0, 0, 0))
        speeds = [3.0]
        for k, turn in enumerate(turns):
            c = run.corners[k]
            assert c.corner == k and abs(c.leaving - c.arriving * (np.cos(turn) - mu * np.sin(turn))) < 1e-10
            assert abs(np.linalg.norm(c.impulse[3:]) - 2.0 * np.hypot(c.leaving - c.arriving * np.cos(turn),
                                                                     c.arriving * np.sin(turn))) < 1e-9  # fmt: skip
            assert abs(c.lost - (c.arriving**2 - c.leaving**2)) < 1e-9
            speeds.append(c.leaving)
        assert len(run.corners) == 3 and run.ended is not None and booked(run) < 1e-9


@pytest.mark.slow
def test_a_bead_comes_to_rest_in_a_valley():
    """Oracle: passes v cos θ each time; in the end it rests in the corner, all its energy booked."""
    down = slope(0.4, 1.0)
    up = cd.joints.compose(cd.joints.weld(cd.SE3.from_translation(down.pose([1.0]).xyz)), slope(-0.4, 1.0))
    run = slide([down, up], POINT, 0.0, duration=20.0, record=0.1)
    ratio = [b.arriving / a.arriving for a, b in zip(run.corners[:5], run.corners[1:6], strict=True)]
    assert np.abs(np.abs(ratio) - np.cos(0.8)).max() < 1e-9
    assert run.stuck is not None and booked(run) < 1e-9
    assert abs(run.energy[0] - run.energy[-1] - 2.0 * G * np.sin(0.4)) < 1e-9


def test_a_body_with_its_own_inertia_keeps_its_books_through_a_bend():
    """Oracle: conservation without friction; with it, friction's work is what is lost. Its centre is off the wire."""
    block = cd.Inertia.box(1.5, (0.1, 0.05, 0.05), com=(0.02, 0.01, 0.03))
    for mu in (0.0, 0.3):
        run = slide(bend(0.4, (-1.2, 1.4)), block, -1.0, duration=1.5, record=0.05, friction=mu)
        assert booked(run) < 1e-9 and (run.friction_work[-1] < -0.1) == (mu > 0)


def test_bad_input_is_named():
    with pytest.raises(BadShape, match="one coordinate"):
        slide(cd.joints.ball(), POINT, 0.0, duration=1.0, record=0.1)
    with pytest.raises(BadValue, match="wire 1 must begin where wire 0 ends"):
        slide([slope(0.1), slope(0.1)], POINT, 0.0, duration=1.0, record=0.1)
    with pytest.raises(BadValue, match="friction <= sticking"):
        slide(slope(0.1), POINT, 0.0, duration=1.0, record=0.1, friction=0.4, sticking=0.2)
    with pytest.raises(BadValue, match="on wire 0"):
        slide(slope(0.1), POINT, 9.0, duration=1.0, record=0.1)
    square = [(0, 0), (0.5, 0)], [(0.5, 0), (0.5, 0.5)]
    sides = [cd.joints.along(np.linspace(a, b, 8)) for a, b in square]
    with pytest.raises(BadValue, match="corner 0 the frame turns at once"):
        slide(sides, cd.Inertia.sphere(1.0, 0.1), 0.0, 1.0, duration=1.0, record=0.1)
