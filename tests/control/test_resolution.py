"""Redundancy: least velocity, least torque, null space, priorities, damping."""

import numpy as np
import pytest
from scipy.optimize import minimize

import condyle as cd
from condyle.gallery import planar_chain, spatial_chain

C = cd.control
RNG = np.random.default_rng(5)
Q, V = RNG.uniform(-0.8, 0.8, 10), RNG.normal(size=10)
WEIGHTS = RNG.uniform(0.5, 3.0, 10)


@pytest.fixture(scope="module")
def space():
    return C.AnimationSpace(spatial_chain(5), [C.point("link5", (0.3, 0, 0), name="tip")])


def kkt(A, c, G, b):
    """min ½ x'Ax + c'x with G x = b."""
    m = len(G)
    return np.linalg.solve(np.block([[A, G.T], [G, np.zeros((m, m))]]), np.concatenate([-c, b]))[: len(A)]


def test_least_weighted_velocity_satisfies_kkt(space):
    """Oracle: the KKT system."""
    x = np.array([0.3, -0.2, 0.5])
    got = C.resolve_velocity(space, Q, x, how=C.Resolution(weights=WEIGHTS))
    assert got.motion == pytest.approx(kkt(np.diag(WEIGHTS), np.zeros(10), space.gradient(Q), x), abs=1e-12)
    assert got.error == pytest.approx(0, abs=1e-13)


def test_least_torque_satisfies_kkt(space):
    """Oracle: the KKT system of τ'Wτ with τ = M a + h."""
    x = np.array([0.3, -0.2, 0.5])
    M, h = cd.mass_matrix(space.model, Q), cd.bias_forces(space.model, Q, V)
    W = np.diag(WEIGHTS)
    expected = kkt(M @ W @ M, M @ W @ h, space.gradient(Q), x - space.bias(Q, V))
    got = C.resolve_torque(space, Q, V, x, weights=WEIGHTS)
    assert got.motion == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("ask", ["torque", "assembled", "projected"])
def test_a_body_without_inertia_is_named(ask):
    """Oracle: the name, and the advice: with an inertia it goes."""
    answers = []
    for inertia in (cd.Inertia.massless(), cd.Inertia.sphere(0.1, 0.05)):
        b = cd.ModelBuilder().add_body("arm", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, -1)))
        b.add_body("flag", parent="arm", joint=cd.joints.revolute("y"), inertia=inertia)
        space = C.AnimationSpace(b.build(), [C.joint("arm")])
        calls = {
            "torque": lambda space=space: C.resolve_torque(space, [0.1, 0.2], [0, 0], [0.3]).motion,
            "assembled": lambda space=space: C.assembled(space, [0.1, 0.2], [0.3]),
            "projected": lambda space=space: C.projected_velocity(space, [0.1, 0.2], [0, 0], [0.3]),
        }
        answers.append(calls[ask])
    with pytest.raises(cd.errors.RankLost, match="'flag'"):
        answers[0]()
    assert answers[1]()[0] == pytest.approx(0.3)


def test_damping_trades_error_for_velocity_and_says_so(space):
    """Oracle: the minimum of |u̇ − G v|² + d² v'Wv found by scipy; the error reported is u̇ − G v."""
    x, d = np.array([0.3, -0.2, 0.5]), 0.2
    G = space.gradient(Q)

    def cost(v):
        return np.sum((x - G @ v) ** 2) + d**2 * v @ (WEIGHTS * v)

    got = C.resolve_velocity(space, Q, x, how=C.Resolution(weights=WEIGHTS, damping=d))
    best = minimize(cost, np.zeros(10), tol=1e-12)
    assert got.motion == pytest.approx(best.x, abs=1e-6)
    assert got.error == pytest.approx(x - G @ got.motion, abs=1e-14)
    assert 0 < np.linalg.norm(got.error) < 0.2


def test_secondary_wishes_move_no_coordinate(space):
    """Oracle: G v = u̇ stays, and v is the nearest such velocity to the wish in the weighted norm (KKT)."""
    x, wish = np.array([0.3, -0.2, 0.5]), RNG.normal(size=10)
    how = C.Resolution(weights=WEIGHTS, secondary=lambda t, q: wish)
    got = C.resolve_velocity(space, Q, x, how=how)
    least = kkt(np.diag(WEIGHTS), np.zeros(10), space.gradient(Q), x)
    near = kkt(np.diag(WEIGHTS), -WEIGHTS * wish, space.gradient(Q), np.zeros(3))
    assert got.error == pytest.approx(0, abs=1e-13)
    assert got.motion == pytest.approx(least + near, abs=1e-11)


def test_a_lower_priority_yields_and_comes_as_near_as_it_can():
    """Oracle: least squares of the lower level over all velocities that satisfy the upper one exactly."""
    model = planar_chain()
    fixed = [C.joint("link1"), C.joint("link2")]
    space = C.AnimationSpace(model, [C.point("link3", (1, 0, 0), axes="y", name="tip"), *fixed])
    q, x = np.array([0.3, 0.5, -0.4]), np.array([0.7, 0.2, -0.1])
    how = C.Resolution(priorities=[["link1", "link2"], ["tip"]])
    assert C.resolve_velocity(space, q, x, how=how).motion[:2] == pytest.approx([0.2, -0.1], abs=1e-12)
    both = C.AnimationSpace(
        planar_chain((1.0, 1.0)), [C.point("link2", (1, 0, 0), axes="y", name="tip"), C.joint("link1")]
    )
    q = np.array([0.0, 0.0])
    how = C.Resolution(priorities=[["tip"], ["link1"]])
    got = C.resolve_velocity(both, q, [0.7, 0.2], how=how)
    assert both.gradient(q)[0] @ got.motion == pytest.approx(0.7, abs=1e-12)
    assert got.error == pytest.approx(0, abs=1e-12)


def test_conflicting_priorities_report_what_is_missing():
    """Oracle: with one freedom the strict level takes it all."""
    model = planar_chain((1.0, 1.0))
    tip = C.point("link2", (1, 0, 0), axes="y", name="tip")
    space = C.AnimationSpace(model, [tip, C.function(lambda x: 2 * x.point("link2", (1, 0, 0))[:, 1], name="twice")])
    got = C.resolve_velocity(space, [0.2, 0.3], [0.5, 0.3], how=C.Resolution(priorities=[["tip"], ["twice"]]))
    assert got.error == pytest.approx([0.0, 0.3 - 1.0], abs=1e-12)


@pytest.mark.parametrize("damping", [0.0, 0.1])
def test_acceleration_is_the_derivative_of_the_velocity_law(space, damping):
    """Oracle: differences of the velocity law along its own flow."""
    from condyle.control.resolution import consistent_acceleration

    how = C.Resolution(weights=WEIGHTS, damping=damping)

    def law(t, q):
        return C.resolve_velocity(space, q, np.array([np.sin(t), t**2, 1.0]), how=how).motion

    def flow(q, t, h):
        k1 = law(t, q)
        k2 = law(t + h / 2, q + h / 2 * k1)
        return q + h * k2

    t, h, v = 0.7, 1e-4, law(0.7, Q)
    expected = (law(t + h, flow(Q, t, h)) - law(t - h, flow(Q, t, -h))) / (2 * h)
    x, x_rate = np.array([[np.sin(t), t**2, 1.0]]), np.array([[np.cos(t), 2 * t, 0.0]])
    got = consistent_acceleration(how, space.gradient(Q)[None], space.gradient_rate(Q, v)[None], x, x_rate)[0]
    assert got == pytest.approx(expected, abs=1e-6)
    if not damping:
        plain = C.resolve_acceleration(space, Q, v, x_rate[0], how=how).motion
        assert np.linalg.norm(got - plain) > 0.1  # the null-space part the report leaves out
        assert space.gradient(Q) @ (got - plain) == pytest.approx(0, abs=1e-10)


def test_dependent_coordinates_are_named(space):
    """Oracle: the words; the third depends on the first two, the fourth does not."""
    model = planar_chain((1.0, 1.0, 1.0, 1.0))
    own = C.function(lambda x: x["link1"] + 2 * x["link2"], name="sum")
    made = C.AnimationSpace(model, [C.joint("link1"), C.joint("link2"), own, C.joint("link4")])
    with pytest.raises(cd.CondyleError, match="coordinates 'link1', 'link2', 'sum' depend on each other here"):
        C.resolve_velocity(made, np.zeros(4), np.ones(4))
    got = C.resolve_velocity(made, np.zeros(4), np.ones(4), how=C.Resolution(damping=1e-3))
    assert np.abs(got.error).max() > 0.1


def test_a_batch_is_its_members(space):
    """Oracle: one at a time."""
    q, x = RNG.uniform(-0.8, 0.8, (7, 10)), RNG.normal(size=(7, 3))
    for how in (C.Resolution(), C.Resolution(damping=0.1), C.Resolution(priorities=[["tip.x"], ["tip.z"]])):
        got = C.resolve_velocity(space, q, x, how=how)
        assert got.motion[4] == pytest.approx(C.resolve_velocity(space, q[4], x[4], how=how).motion, abs=1e-12)


def test_bad_requests_get_words(space):
    """Oracle: the words."""
    with pytest.raises(cd.CondyleError, match=r"give 3 numbers: tip\.x, tip\.y, tip\.z"):
        C.resolve_velocity(space, Q, [1.0])
    with pytest.raises(cd.CondyleError, match="weights must be 10 numbers"):
        C.resolve_velocity(space, Q, [1.0, 0, 0], how=C.Resolution(weights=[1.0]))
    with pytest.raises(cd.CondyleError, match="weights must be positive"):
        C.resolve_velocity(space, Q, [1.0, 0, 0], how=C.Resolution(weights=-np.ones(10)))
    with pytest.raises(cd.CondyleError, match="a coordinate stands in two priority levels"):
        C.resolve_velocity(space, Q, [1.0, 0, 0], how=C.Resolution(priorities=[["tip"], ["tip.x"]]))
    with pytest.raises(cd.CondyleError, match=r"secondary must return velocities \(\.\.\., 10\); got \(3,\)"):
        C.resolve_velocity(space, Q, [1.0, 0, 0], how=C.Resolution(secondary=lambda t, q: np.zeros(3)))
    with pytest.raises(cd.CondyleError, match="damping must not be negative"):
        C.resolve_velocity(space, Q, [1.0, 0, 0], how=C.Resolution(damping=-1.0))
