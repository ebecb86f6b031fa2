"""A wire with a corner: the impulse, the motion through it, and what a round bend does instead."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import condyle as cd
from condyle.gallery import bent_wire, corner_impulse, through_corner
from condyle.gallery.wires.corner import START, corner_bend, corners, rounded, sharp
from condyle.gallery.wires.impact import struck

G = 9.81


def slide(heading):
    return cd.joints.prismatic((np.cos(heading), 0.0, np.sin(heading)))


def bead_on(joint, mass=0.5):
    return cd.ModelBuilder().add_body("bead", joint=joint, inertia=cd.Inertia.sphere(mass, 0.04)).build()


@pytest.mark.parametrize("angle", [0.2, 0.7, 1.4])
def test_a_point_keeps_the_cosine_of_its_speed(angle):
    """Oracle: v cos θ; 0.764842 for 0.7 rad."""
    before, after = bead_on(slide(-0.3)), bead_on(slide(angle - 0.3))
    assert corner_impulse(before, [0.0], after, [0.0], [3.0]) == pytest.approx([3.0 * np.cos(angle)], abs=1e-14)
    both = bead_on(sharp(angle, 0.3))
    assert struck(both, [0.0, 0.0], [3.0, 0.0], [0]) == pytest.approx([0.0, 3.0 * np.cos(angle)], abs=1e-14)
    assert np.cos(0.7) == pytest.approx(0.764842, abs=5e-7)


@pytest.mark.parametrize("radius", [0.1, 0.6])
def test_a_body_sent_around_an_arc_gives_a_part_of_its_speed_to_turning(radius):
    """Oracle: S₊ᵀ J S₋ / S₊ᵀ J S₊ by hand: m v cos θ = (m + I / r²) v₊ for an arc of radius r at the angle θ."""
    angle, mass, moment, v = 0.6, 0.8, 0.03, 2.5
    heading = cd.SE3.exp([0, -angle, 0, 0, 0, 0])  # x to the new direction
    arc = cd.joints.product([np.array([0, -1.0 / radius, 0, 1.0, 0, 0])], [cd.functions.linear()])
    after = cd.joints.compose(cd.joints.weld(heading), arc, cd.joints.weld(heading.inverse()))
    inertia = cd.Inertia(mass, (0, 0, 0), (0.05, moment, 0.04))
    b = cd.ModelBuilder().add_body("body", joint=bent_wire(slide(0.0), after), inertia=inertia)
    expected = mass * np.cos(angle) / (mass + moment / radius**2) * v
    assert struck(b.build(), [0.0, 0.0], [v, 0.0], [0]) == pytest.approx([0.0, expected], abs=1e-13)


def with_pendulum(wire, m=0.3, M=0.5, l=0.4):
    """A cart on a wire that carries a rod with a bob."""
    b = cd.ModelBuilder()
    b.add_body("cart", joint=wire, inertia=cd.Inertia.point(M))
    bob = cd.Inertia(m, (0.0, 0.0, -l), (2e-3, 3e-3, 1e-3))
    return b.add_body("bob", parent="cart", joint=cd.joints.revolute("y"), inertia=bob).build()


def test_a_carried_pendulum_keeps_its_momentum_along_what_is_allowed():
    """Oracle: two bodies by hand. Momentum along the new wire, and about the hinge, are those from before."""
    angle, m, M, l = 0.6, 0.3, 0.5, 0.4
    before, after = (with_pendulum(slide(heading), m, M, l) for heading in (0.0, angle))
    v, swing, rate = 2.0, 0.8, -1.3
    u, w = corner_impulse(before, [0.0, swing], after, [0.0, swing], [v, rate])
    old, new = np.array([1.0, 0.0]), np.array([np.cos(angle), np.sin(angle)])
    arm = l * np.array([-np.cos(swing), np.sin(swing)])  # velocity (x, z) of the bob per rate: it is at R_y (0, 0, −l)
    momentum_old, momentum_new = M * v * old + m * (v * old + rate * arm), M * u * new + m * (u * new + w * arm)
    assert momentum_new @ new == pytest.approx(momentum_old @ new, abs=1e-12)
    about = [m * speed @ arm + 3e-3 * turn for speed, turn in ((u * new + w * arm, w), (v * old + rate * arm, rate))]
    assert about[0] == pytest.approx(about[1], abs=1e-12)


def dense_impulse(angle, swing, v, rate, m=0.3, M=0.5, l=0.4, moment=3e-3):
    """Of cart and bob in the plane as free bodies (x, z; x, z, turn) held by dense equations: KKT with reactions."""
    mass = np.diag([M, M, m, m, moment])
    arm = l * np.array([-np.cos(swing), np.sin(swing)])
    hinge = np.array([[1, 0, -1, 0, arm[0]], [0, 1, 0, -1, arm[1]]])  # the bob's centre moves with the cart and its arm
    wire = np.array([[-np.sin(angle), np.cos(angle), 0, 0, 0]])
    A = np.vstack([hinge, wire])
    arriving = np.array([v, 0.0, v + rate * arm[0], rate * arm[1], rate])
    system = np.block([[mass, A.T], [A, np.zeros((3, 3))]])
    x = np.linalg.solve(system, np.concatenate([mass @ arriving, np.zeros(3)]))[:5]
    lost = 0.5 * (arriving @ mass @ arriving - x @ mass @ x)
    return x, lost


def test_a_chain_through_the_corner_obeys_the_dense_equations_of_impact():
    """Oracle: both bodies free in the plane, held by reactions, as one dense linear system; the energy lost too."""
    angle = 0.6
    model = with_pendulum(bent_wire(slide(0.0), slide(angle)))
    run, impacts = through_corner(model, "cart", [-0.5, 0.0, 0.8], [2.0, 0.0, -1.3], duration=0.6)
    (impact,) = impacts
    x, lost = dense_impulse(angle, impact.q[2], impact.arriving[0], impact.arriving[2])
    assert impact.leaving == pytest.approx([0.0, x[0] * np.cos(angle) + x[1] * np.sin(angle), x[4]], abs=1e-12)
    assert impact.lost == pytest.approx(lost, abs=1e-13)
    energy = run.energy().total
    assert energy[0] - energy[-1] == pytest.approx(lost, abs=1e-9)  # rk4 of the swing
    assert lost > 0.1


def test_a_chain_arrives_when_another_integrator_says():
    """Oracle: cart and bob by hand on the straight wire, scipy's DOP853 with its own event; no condyle."""
    m, M, l, moment = 0.3, 0.5, 0.4, 3e-3

    def rates(_, x):
        _, a, u, w = x
        mass = np.array([[M + m, -m * l * np.cos(a)], [-m * l * np.cos(a), m * l**2 + moment]])
        force = np.array([-m * l * np.sin(a) * w**2, -m * G * l * np.sin(a)])
        return [u, w, *np.linalg.solve(mass, force)]

    def met(_, x):
        return x[0]

    met.terminal = True
    exact = solve_ivp(rates, (0, 1), [-0.5, 0.8, 2.0, -1.3], "DOP853", events=met, rtol=1e-13, atol=1e-13)
    model = with_pendulum(bent_wire(slide(0.0), slide(0.6)))
    _, impacts = through_corner(model, "cart", [-0.5, 0.0, 0.8], [2.0, 0.0, -1.3], duration=0.6, step=2e-4)
    assert impacts[0].time == pytest.approx(exact.t_events[0][0], abs=1e-11)
    assert impacts[0].arriving[[0, 2]] == pytest.approx(exact.y_events[0][0][2:], abs=1e-10)


@pytest.fixture(scope="module")
def side_by_side():
    return corners(angle=0.7, slope=0.35, duration=4.0)


def test_every_pass_comes_when_the_closed_form_says(side_by_side):
    """Oracle: along the wire g sin(slope); speeds shrink by cos θ each time, and so do the times between passes."""
    _, _, impacts = side_by_side
    pull = G * np.sin(0.35)
    speeds = np.sqrt(2 * pull * START) * np.cos(0.7) ** np.arange(len(impacts) + 1)
    times = speeds[0] / pull + np.concatenate([[0.0], 2 * np.cumsum(speeds[1:-1]) / pull])
    assert len(impacts) == 5
    assert [x.time for x in impacts] == pytest.approx(times, abs=1e-12)
    assert [abs(x.leaving[:2]).max() for x in impacts] == pytest.approx(speeds[1:], abs=1e-12)


def test_the_energy_lost_is_half_the_mass_of_the_change(side_by_side):
    """Oracle: Carnot, ½ m |Δv|² with the velocities as vectors, = ½ m v² sin² θ; and what the trajectory loses."""
    _, motion, impacts = side_by_side
    for x in impacts:
        assert x.lost == pytest.approx(0.5 * 0.5 * (abs(x.arriving[:2]).max() * np.sin(0.7)) ** 2, abs=1e-13)
    bead = motion.q[:, :2]
    height = np.where(bead[:, 0] < 0, -bead[:, 0], bead[:, 1]) * np.sin(0.35)
    total = 0.5 * (0.5 * (motion.v[:, :2] ** 2).sum(axis=1)) + 0.5 * G * height
    steps = [x.lost * (motion.t >= x.time) for x in impacts]
    assert total == pytest.approx(total[0] - np.sum(steps, axis=0), abs=1e-12)


def test_the_bend_keeps_its_energy(side_by_side):
    """Oracle: conservation; the bead on the bend comes back up to where it was let go, on both sides."""
    _, motion, impacts = side_by_side
    energy = motion.energy().total
    kept = energy + np.sum([x.lost * (motion.t >= x.time) for x in impacts], axis=0)
    assert np.ptp(kept) < 5e-5 * np.ptp(energy)
    assert motion["round"].max() == pytest.approx(START, abs=2e-4)
    assert motion["sharp.after"].max() < 0.6 * START


@pytest.mark.parametrize("radius", [0.1, 0.05, 0.025])
def test_no_bend_however_small_loses_what_the_corner_does(radius):
    """Oracle: conservation, by an integrator that controls its error. The corner would keep cos² 0.7 = 0.585 of it."""
    scene = corner_bend(0.7, radius)
    energy = scene.run(1.2, record=0.05, integrator="adaptive", tolerance=1e-10).energy()
    assert np.ptp(energy.total) < 1e-7 * np.ptp(energy.kinetic)


def test_a_bend_costs_time_but_no_speed():
    """Oracle: in the limit a body stops sliding for θ √(I/m) / v, turns by θ, and leaves with its speed."""
    angle, m, I, v = 0.7, 0.5, 0.01, 2.0
    late = [lateness(angle, radius, m, I, v) for radius in (0.02, 0.01)]
    limit = angle * np.sqrt(I / m) / v
    errors = [abs(x - limit) for x in late]
    assert errors[1] < 0.6 * errors[0]
    assert errors[1] < 0.1 * limit


def lateness(angle, radius, m, I, v):
    """How much longer than on a straight wire of the same length a body takes, without gravity."""
    wire = rounded(angle, radius, slope=0.0, reach=0.3, order=6)
    b = cd.ModelBuilder(gravity=(0, 0, 0)).add_body("slider", joint=wire, inertia=cd.Inertia(m, (0, 0, 0), (I, I, I)))
    model = b.build()
    start, end = -0.15, 0.15
    speeds = [np.linalg.norm(wire.jacobian([q])[3:, 0]) for q in (start, end)]
    path = cd.simulate(model, [start], [v / speeds[0]], duration=0.19, step=2e-5, record=1e-4)
    k = int(np.argmax(path.q[:, 0] > end))
    passed = path.t[k] - (path.q[k, 0] - end) / path.v[k, 0]
    assert path.v[k, 0] * speeds[1] == pytest.approx(v, rel=1e-3)  # no speed is lost
    q = np.linspace(start, end, 4001)
    length = np.trapezoid(np.linalg.norm(wire.jacobian(q[:, None])[:, 3:, 0], axis=1), q)
    return passed - length / v


def test_a_start_past_the_corner_may_come_back():
    """Oracle: symmetry; the same times from the other side."""
    model = bead_on(sharp(0.7, 0.35))
    there, back = (through_corner(model, "bead", q, duration=2.0)[1] for q in ([-0.8, 0.0], [0.0, 0.8]))
    assert [x.time for x in there] == pytest.approx([x.time for x in back], abs=1e-12)
    assert len(there) == 2


@pytest.mark.slow
def test_it_comes_to_rest_in_the_corner_and_says_so():
    """Oracle: a geometric series; its end is t₁ + 2 v₁ cos θ / (g sin(slope) (1 − cos θ)). The words."""
    run, impacts = through_corner(bead_on(sharp(1.2, 0.6)), "bead", [-0.1, 0.0], duration=1.0)
    pull = G * np.sin(0.6)
    first = np.sqrt(2 * pull * 0.1)
    end = first / pull + 2 * first / pull * np.cos(1.2) / (1 - np.cos(1.2))
    assert run.stopped.time == pytest.approx(end, abs=1e-9)
    assert "200 impacts, each sooner after the last: it comes to rest at the corner" in str(run.stopped)
    assert np.isnan(run.q[-1]).all() and len(impacts) == 200


def test_the_motion_is_saved_and_loaded(side_by_side, tmp_path):
    """Oracle: the arrays."""
    _, motion, _ = side_by_side
    cd.save(motion, tmp_path / "corner.npz")
    again = cd.load(tmp_path / "corner.npz")
    assert np.array_equal(again.q, motion.q) and np.array_equal(again.v, motion.v)


def test_bodies_must_be_in_the_same_places():
    """Oracle: the words."""
    before, after = bead_on(slide(0.0)), bead_on(slide(0.7))
    with pytest.raises(cd.CondyleError, match="the bodies must have the same poses before and after; got gap = 0"):
        corner_impulse(before, [0.0], after, [0.1], [1.0])


def test_wires_and_starts_that_do_not_fit_are_named():
    """Oracle: the words."""
    with pytest.raises(cd.CondyleError, match="the wire after the corner must start from the identity at 0"):
        bent_wire(slide(0.0), cd.joints.compose(cd.joints.weld(cd.SE3.from_translation((1, 0, 0))), slide(0.3)))
    with pytest.raises(cd.CondyleError, match=r"both sides must have one coordinate.*track.*got before = 1, after = 2"):
        bent_wire(slide(0.0), cd.joints.universal("x", "y"))
    model = bead_on(sharp())
    for q in ([-0.2, 0.3], [0.2, 0.0], [0.0, -0.1]):
        with pytest.raises(cd.CondyleError, match="the start must be on the wire, before ≤ 0 and after = 0"):
            through_corner(model, "bead", q, duration=0.1)
    with pytest.raises(cd.CondyleError, match="through_corner moves one state, not a batch"):
        through_corner(model, "bead", [[-0.2, 0.0]], duration=0.1)
