"""Spheres that touch planes and spheres: rest, bounces, friction and momentum against closed forms."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import condyle as cd
from condyle.errors import BadValue, NoStoredEnergy, UnknownName

G, RADIUS = 9.81, 0.1
STIFFNESS, MARGIN = 2e5, 1e-3
MATERIAL = {
    "hertz": {"stiffness": STIFFNESS, "margin": MARGIN},
    "hunt_crossley": {"modulus": 3e5},
    "smooth": {"modulus": 3e6, "dissipation": 1.0},
}
FRICTION = {
    "hertz": {"friction": 0.5, "slowest": 0.02},
    "hunt_crossley": {"static_friction": 0.6, "dynamic_friction": 0.5, "transition_velocity": 0.02},
    "smooth": {"static_friction": 0.6, "dynamic_friction": 0.5, "transition_velocity": 0.02},
}


def ball(law="hertz", mass=1.0, joint=None, **constants):
    """A ball over the ground; by default it moves up and down."""
    inertia = cd.Inertia.sphere(mass, RADIUS)
    b = cd.ModelBuilder().add_body("ball", joint=joint or cd.joints.prismatic("z"), inertia=inertia)
    return b.add_contact("ball", sphere=((0, 0, 0), RADIUS), law=law, **(MATERIAL[law] | constants)).build()


def balls():
    """Two free balls whose spheres are off their centres of mass, without gravity."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    for k, mass in enumerate((1.0, 2.5)):
        inertia = cd.Inertia(mass, (0.01, -0.02 * k, 0.03), np.array([0.01, 0.012, 0.008]) * mass)
        b.add_body(f"b{k}", joint=cd.joints.free(), inertia=inertia)
    second = cd.forces.sphere((0, 0, 0.02), 0.15)
    b.add_contact("b0", sphere=((0.01, 0, 0), RADIUS), against="b1", surface=second, stiffness=STIFFNESS,
                  dissipation=0.3, friction=0.4)  # fmt: skip
    return b.build()


def flying(model, apart=0.3):
    """The balls that come at each other with some spin, and not quite straight."""
    q, v = model.neutral(), np.zeros(model.nv)
    q[model.nq // 2 + 4 : model.nq // 2 + 7] = (apart, 0.04, 0.0)
    v[:6], v[6:] = (0.5, 1.0, 3.0, 1.5, 0.0, 0.1), (0.0, -2.0, 1.0, -0.5, 0.0, 0.0)
    return q, v


def deep_by(law, depth):
    """The mass of a ball that rests so deep, from the law as it is written."""
    if law == "hunt_crossley":
        return 4.0 / 3.0 * MATERIAL[law]["modulus"] * np.sqrt(RADIUS) * depth**1.5 / G
    s = 0.5 * (depth + np.hypot(depth, 2.0 * MARGIN))  # so that depth = s − margin²/s
    return STIFFNESS * s**1.5 / (1.0 + (MARGIN / s) ** 2) / G


@pytest.mark.parametrize("law", ["hertz", "hunt_crossley"])
def test_a_ball_rests_where_its_weight_and_the_law_agree(law):
    """Oracle: the law written out; and where a dropped ball comes to rest."""
    depth = 0.004
    model = ball(law, deep_by(law, depth), dissipation=3.0)
    assert_allclose(cd.forward_dynamics(model, [RADIUS - depth], [0.0]), 0.0, atol=1e-10)
    run = cd.simulate(model, [RADIUS + 0.002], duration=4.0, step=5e-4, record=0.5)
    assert_allclose(run.q[-1], RADIUS - depth, atol=1e-7)


@pytest.mark.parametrize("law", ["hertz", "hunt_crossley"])
def test_a_bounce_without_losses_keeps_energy(law):
    """Oracle: the energy in the air, and in the deepest place, where all of it is stored."""
    model = ball(law)
    run = cd.simulate(model, [0.3], duration=1.0, step=2e-3, record=2e-3, integrator="adaptive", tolerance=1e-10)
    energy = run.energy()
    assert energy.kinetic.min() < 0.01 * energy.kinetic.max() and run.q.min() < RADIUS - 0.003
    assert_allclose(energy.total, energy.total[0], rtol=1e-6)
    assert run.q[run.t > 0.4].max() == pytest.approx(0.3, abs=1e-5)  # it came back to where it was let go


def test_what_dissipation_and_friction_take_is_what_is_missing():
    """Oracle: ∫ (3/2 c f ẋ² + drag · slip²) of the law written out, by Simpson's rule over a bounce with sliding."""
    joint = cd.joints.compose(cd.joints.prismatic("x"), cd.joints.prismatic("z"))
    model = ball("hertz", joint=joint, dissipation=0.4, friction=0.5, slowest=0.05)
    run = cd.simulate(model, [0.0, 0.102], [0.7, -1.0], duration=0.03, step=1e-5, record=1e-5)
    depth, sink, slip = RADIUS - run.q[:, 1], -run.v[:, 1], run.v[:, 0]
    s = 0.5 * (depth + np.hypot(depth, 2.0 * MARGIN))
    elastic = STIFFNESS * s**1.5 / (1.0 + (MARGIN / s) ** 2)
    normal = elastic * np.maximum(1.0 + 0.6 * sink, 0.0)
    lost = (normal - elastic) * sink + 0.5 * normal * slip**2 / np.hypot(slip, 0.05)
    simpson = np.full(len(lost), 2.0 / 3.0)
    simpson[1::2], simpson[[0, -1]] = 4.0 / 3.0, 1.0 / 3.0
    energy = run.energy().total
    assert energy[0] - energy[-1] > 0.05 * energy[0]
    assert_allclose(energy[0] - energy[-1], 1e-5 * simpson @ lost, rtol=1e-6)


def test_bodies_that_collide_keep_their_momentum():
    """Oracle: linear and angular momentum before and after; both bodies went another way."""
    model = balls()
    q, v = flying(model)
    run = cd.simulate(model, q, v, duration=0.3, step=1e-2, record=0.1, integrator="adaptive", tolerance=1e-12)
    before, after = (cd.momentum(model, run.q[k], run.v[k]) for k in (0, -1))
    assert np.abs(run.v[-1] - v).max() > 0.5
    for name in ("linear", "angular"):
        assert_allclose(getattr(after, name), getattr(before, name), atol=1e-9, err_msg=name)


def test_a_sliding_block_is_slowed_by_friction_times_gravity():
    """Oracle: v − μ g t, while the block is much faster than `slowest`."""
    inertia = cd.Inertia.box(2.0, (0.4, 0.2, 0.1))
    b = cd.ModelBuilder().add_body("block", joint=cd.joints.free(), inertia=inertia)
    for x in (-0.2, 0.2):
        for y in (-0.1, 0.1):
            b.add_contact("block", sphere=((x, y, -0.03), 0.02), stiffness=STIFFNESS, dissipation=5.0, friction=0.5)
    model = b.build()
    assert [f.name for f in model.forces][:2] == ["hertz@world-block", "hertz@world-block_2"]
    q, v = model.neutral(), np.zeros(6)
    q[-1], v[3] = 0.05 - 0.0007, 3.0
    run = cd.simulate(model, q, v, duration=0.4, step=5e-4, record=0.1)
    speed = run.v[:, 3]
    assert_allclose(np.diff(speed[1:]) / 0.1, -0.5 * G, rtol=1e-3)
    assert abs(run.v[-1, 4]) < 1e-6


def touching(law, count=19):
    """A free ball that spins over the ground with friction, at random places from above to deep in it."""
    rng = np.random.default_rng(3)
    model = ball(law, joint=cd.joints.free(), **FRICTION[law])
    q, v = np.tile(model.neutral(), (count, 1)), rng.normal(size=(count, 6))
    q[:, 6] = RADIUS + rng.uniform(-0.01, 0.004, count)
    return model, q, v


@pytest.mark.parametrize("law", list(MATERIAL))
def test_members_of_a_batch_do_not_know_each_other(law):
    """Oracle: the same member alone, in other places and beside others, bit by bit."""
    model, q, v = touching(law)
    a = cd.forward_dynamics(model, q, v)
    assert np.ptp(a[:, 5]) > 1.0
    for i in range(0, len(q), 5):
        assert_array_equal(cd.forward_dynamics(model, q[i : i + 1], v[i : i + 1])[0], a[i])
    assert_array_equal(cd.forward_dynamics(model, q[3:11], v[3:11]), a[3:11])
    assert_array_equal(cd.forward_dynamics(model, q[::-1], v[::-1]), a[::-1])


@pytest.mark.parametrize("law", list(MATERIAL))
@pytest.mark.parametrize("bad", [1e300, -1e300])
def test_one_bad_member_leaves_its_neighbours_alone(law, bad):
    """Oracle: the batch without it."""
    model, q, v = touching(law)
    good = cd.forward_dynamics(model, q, v)
    for x, k in ((q, 6), (v, 2), (v, 5)):
        old, x[4, k] = x[4, k], bad
        found = cd.forward_dynamics(model, q, v, on_failure="nan")
        assert_array_equal(np.delete(found, 4, axis=0), np.delete(good, 4, axis=0))
        x[4, k] = old


@pytest.mark.parametrize("law", list(MATERIAL))
def test_members_have_materials_of_their_own(law):
    """Oracle: each member's own model."""
    model, q, v = touching(law, 9)
    (force,) = model.forces
    factors = np.linspace(0.5, 2.0, len(q))
    values = {f"{force.name}.{k}": x * factors for k, x in force.named.items()}
    found = cd.forward_dynamics(model, q, v, parameters=values)
    own = [model.with_parameters({k: float(x[i]) for k, x in values.items()}) for i in range(len(q))]
    assert_allclose(found, [cd.forward_dynamics(m, *s) for m, *s in zip(own, q, v, strict=True)], rtol=1e-11, atol=1e-9)
    assert np.abs(found - cd.forward_dynamics(model, q, v)).max() > 1.0


@pytest.mark.parametrize("law", ["hertz", "smooth"])
def test_integrators_agree_as_steps_shrink(law):
    """Oracle: the adaptive method; errors of a bounce with friction fall with the order of each method.

    OpenSim's friction has a kink at the transition velocity, which costs the high orders.
    """
    joint = cd.joints.compose(cd.joints.prismatic("x"), cd.joints.prismatic("z"), cd.joints.revolute("y"))
    constants = MATERIAL[law] | FRICTION[law] | {"dissipation": 0.5}
    model = ball(law, joint=joint, **constants)
    start = [0.0, 0.105, 0.0], [1.0, -0.5, 0.0]

    def end(integrator, step):
        run = cd.simulate(model, *start, duration=0.05, step=step, integrator=integrator, tolerance=1e-11)
        return np.concatenate([run.q[-1], run.v[-1]])

    exact = end("adaptive", 1e-3)
    assert exact[4] > 0.1 and exact[5] > 0.5  # it left the ground, and rolls on
    for integrator, step, order in (("rk4", 1e-4, 4), ("variational", 1e-4, 2), ("semi-implicit", 1e-4, 1)):
        errors = [np.abs(end(integrator, h) - exact).max() for h in (step, step / 4)]
        ratio = 0.7 * 4 ** min(order, 2 if law == "smooth" else 4)
        assert errors[1] < 0.02 * 4.0 ** (1 - order) and errors[0] / errors[1] > ratio, (integrator, errors)


def test_a_ball_on_a_floor_that_is_moved_feels_its_acceleration():
    """Oracle: it rests on a prescribed floor where weight plus m a and the law agree."""
    b = cd.ModelBuilder().add_body("floor", joint=cd.joints.prismatic("z"), inertia=cd.Inertia.point(1.0))
    mass, depth, a = deep_by("hertz", 0.004) * G / (G + 3.0), 0.004, 3.0
    b.add_body("ball", joint=cd.joints.prismatic("z"), inertia=cd.Inertia.sphere(mass, RADIUS))
    b.prescribe("floor", lambda t: 0.5 * a * t**2)
    b.add_contact("ball", sphere=((0, 0, 0), RADIUS), against="floor", stiffness=STIFFNESS, margin=MARGIN)
    run = cd.simulate(b.build(), [0.0, RADIUS - depth], [0.0, 0.0], duration=0.2, step=2e-4, record=0.1)
    assert_allclose(run.q[:, 1] - run.q[:, 0], RADIUS - depth, atol=1e-6)


def test_the_share_says_where_between_two_surfaces_a_force_acts():
    """Oracle: the moment of friction about the ball's centre is friction times its arm, radius − share of depth."""
    depth, slip = 0.004, 2.0
    moments = {}
    for share in (0.0, 0.5, 1.0):
        b = cd.ModelBuilder().add_body("ball", joint=cd.joints.free(), inertia=cd.Inertia.sphere(1.0, RADIUS))
        at = None, cd.forces.half_space(), "ball", cd.forces.sphere((0, 0, 0), RADIUS)
        b.add_force("hertz", at, share=share, stiffness=STIFFNESS, friction=0.5)
        model = b.build()
        q, v = model.neutral(), np.array([0, 0, 0, slip, 0, 0])
        q[6] = RADIUS - depth
        a = cd.forward_dynamics(model, q, v)
        moments[share] = 0.4 * RADIUS**2 * a[1] / a[3]  # a torque about y [N m] over a force along x [N], per mass
    for share, arm in moments.items():
        assert arm == pytest.approx(-(RADIUS - share * depth), rel=1e-9)


def test_energy_says_that_the_law_of_opensim_has_none():
    """Oracle: the warning with the name of the force."""
    with pytest.warns(NoStoredEnergy, match="smooth@world-ball"):
        cd.energy(ball("smooth"), [0.1], [0.0])


@pytest.mark.parametrize(
    ("constants", "error", "words"),
    [
        ({"law": "hertzz"}, UnknownName, "hertzz"),
        ({"law": "spring"}, BadValue, "spring"),
        ({}, BadValue, "stiffness"),
        ({"stiffness": 1.0, "margin": 0.0}, BadValue, "margin"),
        ({"stiffness": 1.0, "modulus": 1.0}, UnknownName, "modulus"),
        ({"stiffness": 1.0, "sphere": ((0, 0, 0), 0.0)}, BadValue, "radius"),
        ({"stiffness": 1.0, "sphere": ((0, 0, 0), np.nan)}, BadValue, "radius"),
        ({"stiffness": 1.0, "sphere": 0.1}, BadValue, "sphere"),
        ({"stiffness": 1.0, "against": "ball"}, BadValue, "ball"),
        ({"stiffness": 1.0, "surface": "ground"}, BadValue, "surfaces"),
    ],
)
def test_what_no_contact_is_is_refused_by_name(constants, error, words):
    """Oracle: the class and the word."""
    b = cd.ModelBuilder().add_body("ball", joint=cd.joints.free(), inertia=cd.Inertia.sphere(1.0, RADIUS))
    with pytest.raises(error, match=words):
        b.add_contact("ball", **({"sphere": ((0, 0, 0), RADIUS)} | constants))


def test_two_half_spaces_do_not_touch():
    """Oracle: the class and the word."""
    b = cd.ModelBuilder().add_body("ball", joint=cd.joints.free(), inertia=cd.Inertia.sphere(1.0, RADIUS))
    with pytest.raises(BadValue, match="sphere"):
        b.add_force("hertz", (None, cd.forces.half_space(), "ball", cd.forces.half_space()), stiffness=1.0)
