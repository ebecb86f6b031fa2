"""Dry friction of sliding joints in `simulate`: closed forms, `slide` as second method, dense equations, the books."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import condyle as cd
from condyle.errors import BadShape, BadValue, NotSupported, UnknownName
from condyle.simulation import StoppedWarning, slide

G = 9.81
POINT = cd.Inertia.point(2.0)
ZIGZAG = np.array([(0, 0, 0.5), (0.4, 0, 0.3), (0.8, 0, 0.28), (1.2, 0, 0.1), (1.5, 0, 0.3)])


def model_on(joint, inertia=POINT, gravity=(0, 0, -G)):
    return cd.ModelBuilder(gravity=gravity).add_body("block", joint=joint, inertia=inertia).build()


def slope(angle):
    return cd.joints.prismatic((np.cos(angle), 0, -np.sin(angle)))


def bend(radius, span=(0.0, 2.0)):
    def f(t):
        return radius * np.stack([np.sin(t), 0 * t, -np.cos(t)], axis=1)

    return cd.joints.along(cd.joints.Curve.from_function(f, span), coordinate="parameter", up=(0, 1, 0))


def booked(run):
    """What is left of the energy when friction and corners have been booked [J]."""
    energy = run.energy().total
    lost = np.array([sum(x.lost for x in run.impacts if x.time <= t) for t in run.t])
    return np.abs(energy - energy[0] - run.friction_work + lost).max()


@pytest.mark.parametrize(("mu", "sticks"), [(0.5, False), (0.6, True)])
def test_a_block_on_a_slope_slides_back_or_sticks(mu, sticks):
    """Oracle: tan 0.5 = 0.546: it stops after v²/(2 g (sin α + μ cos α)), then stays, or a = g (sin α − μ cos α)."""
    run = cd.simulate(model_on(slope(0.5)), [1.0], [-1.0], duration=0.6, step=5e-3, record=0.05, friction={"block": mu})
    up, back = (G * (np.sin(0.5) + s * mu * np.cos(0.5)) for s in (1, -1))
    time = 1.0 / up
    later = np.maximum(run.t - time, 0.0) * (not sticks)
    before = np.minimum(run.t, time)
    expected = 1.0 - before + 0.5 * up * before**2 + 0.5 * back * later**2
    assert run.q[:, 0] == pytest.approx(expected, abs=1e-12)
    assert [x.way for x in run.slips] == [-1, 0 if sticks else 1]
    assert run.slips[-1].time == pytest.approx(time, abs=1e-12)
    assert booked(run) < 1e-12


def test_static_friction_may_be_larger_and_gives_way_to_a_growing_force():
    """Oracle: by hand. k t + m g sin α = μ_s m g cos α when it breaks loose; then (k t + …) / m − μ g cos α."""
    m, k, mu, static = 2.0, 30.0, 0.3, 0.7
    model = model_on(slope(0.5))
    push = {"control": lambda t, q, v: [k * t], "control_at": "stages", "friction": {"block": (mu, static)}}
    run = cd.simulate(model, [0.0], duration=0.5, step=5e-3, record=0.05, **push)
    loose = m * G * (static * np.cos(0.5) - np.sin(0.5)) / k
    assert [x.way for x in run.slips] == [0, 1]
    assert run.slips[1].time == pytest.approx(loose, abs=1e-9)
    t = np.maximum(run.t - loose, 0.0)
    start = k * loose / m + G * (np.sin(0.5) - mu * np.cos(0.5))
    assert run.v[:, 0] == pytest.approx(start * t + 0.5 * k / m * t**2, abs=1e-8)


def test_a_level_bend_takes_the_same_share_of_speed_whatever_its_radius():
    """Oracle: the capstan's law v = v₀ exp(−μ φ)."""
    for radius in (0.1, 1.0):
        model = model_on(bend(radius), gravity=(0, 0, 0))
        run = cd.simulate(model, [0.0], [1.0 / radius], duration=1.2 * radius, step=5e-3 * radius,
                          record=0.2 * radius, friction={"block": 0.4})  # fmt: skip
        assert run.v[:, 0] * radius == pytest.approx(np.exp(-0.4 * run.q[:, 0]), abs=1e-10)
        assert booked(run) < 1e-10


def test_a_block_in_an_upright_bend():
    """Oracle: v² = C exp(−2 μ θ) + 2 g R ((1 − 2 μ²) cos θ − 3 μ sin θ)/(1 + 4 μ²) while it climbs; then `slide`."""
    R, mu, v0 = 0.5, 0.25, 2.5

    def part(x):
        return 2 * G * R / (1 + 4 * mu**2) * ((1 - 2 * mu**2) * np.cos(x) - 3 * mu * np.sin(x))

    joint = bend(R, (-1.0, 1.5))
    run = cd.simulate(model_on(joint), [0.0], [v0 / R], duration=0.8, step=2e-3, record=0.02, friction={"block": mu})
    up = run.t < run.slips[1].time
    expected = (v0**2 - part(0.0)) * np.exp(-2 * mu * run.q[:, 0]) + part(run.q[:, 0])
    assert up.sum() > 5
    assert (run.v[up, 0] * R) ** 2 == pytest.approx(expected[up], abs=1e-8)
    exact = slide(joint, POINT, 0.0, v0 / R, duration=0.8, record=0.02, friction=mu)
    assert run.q[:, 0] == pytest.approx(exact.s, abs=1e-8)
    assert run.friction_work == pytest.approx(exact.friction_work, abs=1e-8)
    assert booked(run) < 1e-9


def test_a_body_with_its_own_inertia_moves_as_in_slide():
    """Oracle: `slide`, which solves for the force across by another way; the centre of mass is off the wire."""
    block = cd.Inertia.box(1.5, (0.1, 0.05, 0.05), com=(0.02, 0.01, 0.03))
    joint = bend(0.4, (-1.2, 1.4))
    exact = slide(joint, block, -1.0, duration=0.5, record=0.1, friction=0.3)
    run = cd.simulate(model_on(joint, block), [-1.0], duration=0.5, step=2e-3, record=0.1, friction={"block": 0.3})
    assert run.q[:, 0] == pytest.approx(exact.s, abs=1e-9)
    assert booked(run) < 1e-9


@pytest.mark.parametrize("mu", [0.05, 0.3])
def test_corners_with_friction(mu):
    """Oracle: v (cos θ − μ sin θ) at each corner, or rest; `slide` between them; all energy booked."""
    sides = [cd.joints.track(pair) for pair in pairwise(ZIGZAG)]
    exact = slide(sides, POINT, 0.05, 2.0, duration=0.9, record=0.1, friction=mu)
    run = cd.simulate(model_on(cd.joints.track(ZIGZAG)), [0.05], [2.0], duration=0.9, step=0.01, record=0.1,
                      friction={"block": mu})  # fmt: skip
    headings = np.arctan2(*np.diff(ZIGZAG, axis=0)[:, [2, 0]].T)
    assert len(run.impacts) == len(exact.corners) >= 2
    for mine, other in zip(run.impacts, exact.corners, strict=True):
        turn = abs(headings[other.corner + 1] - headings[other.corner])
        assert mine.leaving[0] == pytest.approx(mine.arriving[0] * (np.cos(turn) - mu * np.sin(turn)), abs=1e-11)
        assert (mine.time, mine.lost) == pytest.approx((other.time, other.lost), abs=1e-10)
        assert mine.impulse == pytest.approx(other.impulse, abs=1e-10)
    assert booked(run) < 1e-9
    if exact.stuck is None:
        assert run.v[:, 0] == pytest.approx(exact.v, abs=1e-9)
    else:
        assert run.slips[-1].way == 0
        assert run.slips[-1].time == pytest.approx(exact.stuck, abs=1e-9)


def test_a_steep_corner_stops_what_friction_would_send_back():
    """Oracle: cos θ < μ sin θ leaves nothing: all of ½ m v² is lost there; without gravity it stays."""
    joint = cd.joints.track([(0, 0, 0), (1, 0, 0), (1.2, 0, 1.0)])
    run = cd.simulate(model_on(joint, gravity=(0, 0, 0)), [0.5], [2.0], duration=0.5, step=0.01,
                      friction={"block": 0.4})  # fmt: skip
    (hit,) = run.impacts
    assert hit.leaving[0] == 0.0
    assert hit.lost + 0.5 * 2.0 * (4.0 - hit.arriving[0] ** 2) == pytest.approx(4.0)
    assert run.q[-1, 0] == pytest.approx(1.0)
    assert run.slips[-1].way == 0


def test_it_sticks_in_a_valley_where_both_sides_hold_it_and_slides_out_of_one_that_tilts():
    """Oracle: by hand. A pull F(t) along the wire in a corner of two slopes of 0.3 rad, μ = 0.2: out of it at
    F = m g (sin 0.3 + μ cos 0.3), and its acceleration then (F − that) / m."""
    c, s, mu, k = np.cos(0.3), np.sin(0.3), 0.2, 40.0
    joint = cd.joints.track([(-c, 0, s), (0, 0, 0), (c, 0, s)])
    push = {"control": lambda t, q, v: [k * t], "control_at": "stages"}
    run = cd.simulate(model_on(joint), [1.0], duration=0.5, step=5e-3, record=0.05, friction={"block": mu}, **push)
    loose = 2.0 * G * (s + mu * c) / k
    after = np.maximum(run.t - loose, 0.0)
    assert 0.1 < loose < 0.4
    assert run.v[:, 0] == pytest.approx(0.5 * k / 2.0 * after**2, abs=1e-8)


def cart_with_pendulum(M=1.5, m=0.8, l=0.5):
    b = cd.ModelBuilder().add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(M))
    bob = cd.Inertia(m, (0.0, 0.0, -l), (2e-3, 3e-3, 1e-3))
    return b.add_body("bob", parent="cart", joint=cd.joints.revolute("y"), inertia=bob).build()


def test_a_cart_that_carries_a_pendulum_sticks_and_slips():
    """Oracle: equations of cart and pendulum by hand, N from the vertical acceleration of the bob, by DOP853 until
    it first stops; then whether it sticks by the horizontal force of a pendulum on a fixed cart."""
    M, m, l, mu, moment = 1.5, 0.8, 0.5, 0.15, 3e-3

    def accelerations(y):
        _, angle, _, w = y
        # x̂: the bob's centre is x − l sin(angle), z = −l cos(angle); unknowns ẍ, α, N, with friction −μ N (u > 0)
        c, s = np.cos(angle), np.sin(angle)
        A = np.array([[M + m, -m * l * c, mu], [-m * l * c, m * l * l + moment, 0.0], [0.0, -m * l * s, 1.0]])
        right = [-m * l * s * w * w, -m * G * l * s, (M + m) * G + m * l * c * w * w]
        return np.linalg.solve(A, right)

    def rates(t, y):
        return [y[2], y[3], *accelerations(y)[:2]]

    def rest(t, y):
        return y[2]

    rest.terminal, rest.direction = True, -1
    start = [0.0, 0.9, 0.4, 0.0]
    exact = solve_ivp(rates, (0, 1), start, method="DOP853", rtol=1e-12, atol=1e-13, events=rest, dense_output=True)
    run = cd.simulate(cart_with_pendulum(M, m, l), start[:2], start[2:], duration=0.6, step=2e-3, record=0.01,
                      friction={"cart": mu})  # fmt: skip
    end = exact.t[-1]
    before = run.t < end
    assert before.sum() > 5
    assert np.hstack([run.q, run.v])[before] == pytest.approx(exact.sol(run.t[before]).T, abs=1e-9)
    assert run.slips[1].time == pytest.approx(end, abs=1e-9)
    assert booked(run) < 1e-9
    for k, t in enumerate(run.t[:-1]):  # while it sticks, the fixed cart's horizontal force is within the cone
        if [x.way for x in run.slips if x.time <= t][-1] == 0 and run.v[k, 0] == 0.0:
            angle, w = run.q[k, 1], run.v[k, 1]
            alpha = -m * G * l * np.sin(angle) / (m * l * l + moment)
            pull = m * l * (-np.cos(angle) * alpha + np.sin(angle) * w * w)
            N = (M + m) * G + m * l * (np.sin(angle) * alpha + np.cos(angle) * w * w)
            assert abs(pull) <= mu * N + 1e-9


def test_friction_on_a_parent_that_moves():
    """Oracle: a bead on a spoke that turns at Ω in the level plane: r̈ = Ω² r − μ √(g² + (2 Ω ṙ)²), by DOP853."""
    b, omega, mu = cd.ModelBuilder(), 3.0, 0.2
    b.add_body("spoke", joint=cd.joints.revolute("z"), inertia=cd.Inertia.box(1.0, (1, 0.1, 0.1)))
    b.add_body("bead", parent="spoke", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(0.3))
    model = b.prescribe("spoke", 0.0, rate=omega).build()
    run = cd.simulate(model, [0.0, 0.4], [omega, 0.0], duration=0.5, step=2e-3, record=0.1, friction={"bead": mu})
    exact = solve_ivp(lambda t, y: [y[1], omega**2 * y[0] - mu * np.hypot(G, 2 * omega * y[1])], (0, 0.5), [0.4, 0.0],
                      method="DOP853", rtol=1e-12, atol=1e-13, t_eval=run.t)  # fmt: skip
    assert run.q[:, 1] == pytest.approx(exact.y[0], abs=1e-9)
    assert [x.way for x in run.slips] == [1]
    still = cd.simulate(model, [0.0, 0.2], [omega, 0.0], duration=0.1, friction={"bead": mu})  # 1.8 < 0.2 g
    assert still.q[-1, 1] == 0.2 and still.slips[-1].way == 0


def test_two_with_friction_one_on_the_other():
    """Oracle: by hand. A block on a sled, both sliding one way: each has its own normal force and friction."""
    b = cd.ModelBuilder()
    b.add_body("sled", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(3.0))
    b.add_body("block", parent="sled", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    model = b.build()
    run = cd.simulate(model, [0, 0], [1.0, 1.0], duration=0.2, record=0.05, friction={"sled": 0.1, "block": 0.3})
    on_block, on_sled = -0.3 * G, (-0.1 * 4.0 * G + 0.3 * G) / 3.0
    assert run.v[:, 0] == pytest.approx(1.0 + on_sled * run.t, abs=1e-12)
    assert run.v[:, 1] == pytest.approx(1.0 + (on_block - on_sled) * run.t, abs=1e-12)
    assert booked(run) < 1e-12


def test_order_four_through_stick_and_slip():
    """Oracle: a step of a quarter the length."""
    ends = [
        np.hstack([x[-1] for x in (run.q, run.v)])
        for run in (
            cd.simulate(cart_with_pendulum(), [0.0, 0.9], [0.4, 0.0], duration=0.4, step=h, friction={"cart": 0.15})
            for h in (0.02, 0.01, 0.0025)
        )
    ]
    coarse, fine = (np.abs(x - ends[2]).max() for x in ends[:2])
    assert coarse > 8 * fine
    assert fine < 1e-6


def test_batches_members_and_files(tmp_path):
    model = model_on(cd.joints.track(ZIGZAG))
    q, v = np.array([[0.05], [0.5]]), np.array([[2.0], [0.2]])
    batch = cd.simulate(model, q, v, duration=0.3, step=5e-3, record=0.1, friction={"block": 0.1})
    assert batch.friction_work.shape == (2, 4)
    for i in range(2):
        alone = cd.simulate(model, q[i], v[i], duration=0.3, step=5e-3, record=0.1, friction={"block": 0.1})
        assert batch.member(i).friction_work == pytest.approx(alone.friction_work, abs=1e-14)
        assert batch.member(i).slips == alone.slips
    cd.save(batch, tmp_path / "run.npz")
    back = cd.load(tmp_path / "run.npz")
    assert back.slips == batch.slips
    assert (back.friction_work == batch.friction_work).all()


def test_an_equation_without_solution_stops_the_run():
    """Oracle: a rigid lever that friction presses the harder the more it rubs has none (Painlevé)."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("slide", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(0.1))
    long = cd.Inertia(1.0, (0.7, 0.0, 0.7), (1e-3, 1e-3, 1e-3))
    b.add_body("lever", parent="slide", joint=cd.joints.revolute("y"), inertia=long)
    with pytest.warns(StoppedWarning, match="Painlevé"):
        run = cd.simulate(b.build(), [0.0, 0.0], [1.0, 5.0], duration=0.1, step=0.01, friction={"slide": 4.0})
    assert np.isnan(run.q[-1]).all()


@pytest.mark.parametrize(
    ("friction", "more", "error", "words"),
    [
        ({"blok": 0.1}, {}, UnknownName, "blok"),
        ({"block": -0.1}, {}, BadValue, "0 <= sliding"),
        ({"block": (0.4, 0.2)}, {}, BadValue, "0 <= sliding"),
        ({"block": (0.1, 0.2, 0.3)}, {}, BadShape, "coefficient"),
        ({"block": np.nan}, {}, BadValue, "0 <= sliding"),
        (0.3, {}, BadShape, "dictionary"),
        ({"hinge": 0.1}, {}, NotSupported, "'hinge' turns"),
        ({"plate.x": 0.1}, {}, NotSupported, "'plate' must have one coordinate"),
        ({"block": 0.1}, {"integrator": "adaptive"}, NotSupported, "rk4"),
        ({"block": 0.1}, {"control": lambda t, q, v: 0 * v}, NotSupported, "stages"),
        ({"block": 0.1}, {"control": np.zeros((10, 5))}, NotSupported, "table of steps"),
        ({"block": 0.1}, {"record_to": "x"}, NotSupported, "record_to"),
    ],
)
def test_what_friction_does_not_go_with_is_named(friction, more, error, words):
    b = cd.ModelBuilder().add_body("block", joint=cd.joints.prismatic("x"), inertia=POINT)
    b.add_body("hinge", joint=cd.joints.revolute("y"), inertia=POINT)
    b.add_body("plate", joint=cd.joints.planar(), inertia=cd.Inertia.sphere(1.0, 0.1))
    with pytest.raises(error, match=words):
        cd.simulate(b.build(), np.zeros(5), duration=0.1, step=0.01, friction=friction, **more)


def test_friction_beside_corners_of_another_joint_is_refused():
    b = cd.ModelBuilder().add_body("block", joint=cd.joints.prismatic("x"), inertia=POINT)
    b.add_body("bead", joint=cd.joints.track(ZIGZAG), inertia=POINT)
    with pytest.raises(NotSupported, match=r"block beside corners of track"):
        cd.simulate(b.build(), [0.0, 0.1], duration=0.1, friction={"block": 0.1})
