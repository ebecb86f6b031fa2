"""Closed loops by three methods, mobility, and closing them."""

import dataclasses

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import condyle as cd
from condyle.gallery import planar_chain, rolling_disc, spatial_chain
from twins.trees import twin

C = cd.control
Q = np.array([1.2, -0.9, -1.0, 0.4])
TAU = np.array([1.0, -2.0, 0.5, 0.3])


@pytest.fixture(scope="module")
def ring():
    """Four links whose end is pinned where it is."""
    model = planar_chain((1.0, 1.1, 0.9, 1.0), (1.0, 0.8, 1.2, 0.5))
    end = cd.forward_kinematics(model, Q)[3].apply(np.array([1.0, 0, 0]))
    pin = C.point("link4", (1.0, 0, 0), axes="xy", name="pin").minus(end[:2])
    return C.AnimationSpace(model, [pin])


@pytest.fixture(scope="module")
def moving(ring):
    """A velocity of the closed ring."""
    return C.projected_velocity(ring, Q, np.array([1.0, -0.5, 0.3, 0.8]))


def kkt(space, q, v, tau):
    """Oracle: [M −G'; G 0] solved whole, with G and the bias from differences of positions."""
    model, h = space.model, 1e-5
    value = lambda x: cd.forward_kinematics(model, x)[3].apply(np.array([1.0, 0, 0]))[:2]  # noqa: E731
    G = np.stack([(value(q + h * e) - value(q - h * e)) / (2 * h) for e in np.eye(4)], axis=-1)
    bias = (value(q + 1e-4 * v) - 2 * value(q) + value(q - 1e-4 * v)) / 1e-8
    M, rest = cd.mass_matrix(model, q), tau - cd.bias_forces(model, q, v)
    return np.linalg.solve(np.block([[M, -G.T], [G, np.zeros((2, 2))]]), np.concatenate([rest, -bias]))


def test_elimination_solves_the_whole_system(ring, moving):
    """Oracle: the KKT system with differences for G and v'Hv."""
    got = C.partitioned_acceleration(ring, Q, moving, TAU)
    assert np.concatenate([got.a, got.reactions]) == pytest.approx(kkt(ring, Q, moving, TAU), abs=1e-5)


@pytest.fixture(scope="module")
def closed(ring):
    """The same ring closed by the engine's own constraint."""
    end = cd.forward_kinematics(ring.model, Q)[3].apply(np.array([1.0, 0, 0]))
    return with_constraints(ring.model, cd.constraints.point("link4", (1.0, 0, 0), None, end))


def with_constraints(model, *constraints):
    return dataclasses.replace(model, constraints=tuple(c.bound(model) for c in constraints))


def test_three_methods_agree(ring, closed, moving):
    """Oracle: the engine's multipliers, beside elimination by pivoting and two choices of extended coordinates."""
    hard = cd.forward_dynamics(closed, Q, moving, TAU)
    force = cd.constraint_forces(closed, Q, moving, TAU).forces[0].multipliers[:2]
    cut = C.partitioned_acceleration(ring, Q, moving, TAU)
    assert cut.a == pytest.approx(hard, abs=1e-10)
    assert cut.reactions == pytest.approx(force, abs=1e-10)
    for others in (("link1", "link2"), ("link3", "link4")):
        wide = C.AnimationSpace(ring.model, [*ring.coordinates, *(C.joint(n) for n in others)])
        extended = C.extended_acceleration(wide, "pin", Q, moving, TAU)
        assert extended.a == pytest.approx(hard, abs=1e-10)
        assert extended.reactions == pytest.approx(force, abs=1e-10)


def welded(q):
    """Bodies on ball, spline and hinge joints, two of them welded together as they are at q, one coupled."""
    model = twin((("revolute", -1), ("ball", 0), ("spline_curve", 1), ("ball", 2), ("revolute", 0)), RNG()).model
    T = [x.as_matrix() for x in cd.forward_kinematics(model, q)]
    weld = cd.constraints.weld("b3", None, "b4", np.linalg.inv(T[4]) @ T[3])
    k, other = (model.q_index(name) for name in ("b0", "b4"))
    return with_constraints(model, weld, cd.constraints.couple("b0", "b4", ratio=0.4, offset=q[k] - 0.4 * q[other]))


def RNG():
    return np.random.default_rng(3)


@pytest.mark.slow
def test_a_models_own_constraints_are_coordinates():
    """Oracle: the engine's accelerations and multipliers, row by row, for a weld and a coupling on mixed joints."""
    q, v = twin((("revolute", -1), ("ball", 0), ("spline_curve", 1), ("ball", 2), ("revolute", 0)), RNG()).state(RNG())
    model = welded(q)
    held = C.closing(model)
    assert held.value(q) == pytest.approx(0, abs=1e-12) and held.size == 7
    q, v = cd.project(model, q, v)
    tau = RNG().normal(size=model.nv)
    got, found = C.partitioned_acceleration(held, q, v, tau), cd.constraint_forces(model, q, v, tau)
    assert got.a == pytest.approx(cd.forward_dynamics(model, q, v, tau), rel=1e-9, abs=1e-9)
    assert got.reactions == pytest.approx(np.concatenate([f.multipliers for f in found.forces]), rel=1e-8, abs=1e-8)
    assert C.mobility(model, q) == C.mobility(held, q)


def test_a_batch_of_loops_is_its_members_whatever_their_rank(ring, moving):
    """Oracle: one at a time; a stretched four-bar has a lower rank than a bent one."""
    model = planar_chain((1.0, 1.0, 1.0))
    held = C.AnimationSpace(model, [C.point("link3", (1, 0, 0), axes="xy", name="pin")])
    q = np.array([[0.4, 0.7, 0.5], [0.3, 0.0, 0.0], [0.2, -0.6, 0.9]])
    together = C.partitioned_acceleration(held, q, np.zeros(3))
    for k in range(3):
        one = C.partitioned_acceleration(held, q[k], np.zeros(3))
        assert together.a[k] == pytest.approx(one.a, abs=1e-12)
        assert together.reactions[k] == pytest.approx(one.reactions, abs=1e-12)


def test_the_reaction_does_no_work_and_balances(ring, moving):
    """Oracle: forward dynamics with the reaction as a world force at the pin."""
    got = C.partitioned_acceleration(ring, Q, moving, TAU)
    force = cd.world_force(ring.model, Q, "link4", (*got.reactions, 0.0), point=(1.0, 0, 0))
    assert cd.forward_dynamics(ring.model, Q, moving, TAU, force) == pytest.approx(got.a, abs=1e-10)
    assert got.reactions @ (ring.gradient(Q) @ moving) == pytest.approx(0, abs=1e-12)


def run(ring, acceleration, duration=0.3):
    n = ring.model.nv

    def f(t, y):
        return np.concatenate([y[n:], acceleration(y[:n], y[n:])])

    return solve_ivp(f, (0, duration), np.concatenate([Q, np.zeros(n)]), rtol=1e-7, atol=1e-9).y[:n, -1]


def test_soft_springs_come_nearer_as_they_stiffen(ring, closed):
    """Oracle: the engine's constraint, simulated; the error falls about in proportion to the stiffness."""
    hard = cd.simulate(closed, Q, np.zeros(4), duration=0.3, step=1e-3, record=0.3).q[-1]
    errors = []
    for k in (1e3, 1e4, 1e5):
        soft = run(
            ring,
            lambda q, v, k=k: cd.forward_dynamics(
                ring.model, q, v, C.soft_forces(ring, q, v, stiffness=k, damping=0.2 * np.sqrt(k))
            ),
        )
        errors.append(np.abs(soft - hard).max())
    assert errors[0] > 3 * errors[1] > 9 * errors[2] > 0


def test_the_stiffness_matrix_is_the_slope_of_the_spring_forces(ring):
    """Oracle: central differences."""
    q, h = Q + 0.1, 1e-6
    force = lambda x: -C.soft_forces(ring, x, np.zeros(4), stiffness=1e4, damping=0.0)  # noqa: E731
    slope = np.stack([(force(q + h * e) - force(q - h * e)) / (2 * h) for e in np.eye(4)], axis=-1)
    assert C.stiffness_matrix(ring, q, stiffness=1e4) == pytest.approx(slope, rel=1e-6, abs=1e-3)


def test_mobility_is_by_rank():
    """Oracle: a planar four-bar has one freedom where the count says −2; spatial chains of 8, 10 closed have 2, 4."""
    four, q = planar_chain((1.0, 1.0, 1.0, 1.0)), np.array([0.5, 0.6, 0.7, 0.8])
    weld = [C.point("link4", (1, 0, 0)), C.orientation("link4")]
    with pytest.raises(cd.CondyleError, match=r"6 coordinates .* are more than the model's 4 freedoms"):
        C.AnimationSpace(four, weld)
    assert C.mobility(C.AnimationSpace(four, weld, redundant=True), q) == (-2, 1)
    for segments, left in ((4, 2), (5, 4)):
        chain, q = spatial_chain(segments), np.random.default_rng(0).uniform(-0.7, 0.7, 2 * segments)
        weld = [C.point(f"link{segments}", (0.3, 0, 0)), C.orientation(f"link{segments}")]
        assert C.mobility(C.AnimationSpace(chain, weld), q) == (left, left)


def test_a_loop_closes_or_says_its_gap(ring):
    """Oracle: the gap of a straight chain is distance less reach; a reachable pin is met to 1e-11."""
    q = C.assembled(ring, Q + 0.3)
    assert ring.value(q) == pytest.approx(0, abs=1e-11)
    far = C.AnimationSpace(planar_chain((1.0, 1.0)), [C.point("link2", (1, 0, 0), axes="xy", name="pin")])
    with pytest.raises(cd.CondyleError, match=r"cannot reach their values: 'pin\.x' stays 0\.9\d* away"):
        C.assembled(far, [0.2, -0.3], [2.95, 0.0])


def test_redundant_rows_share_and_contradictions_are_named(ring, moving):
    """Oracle: the same accelerations with a row given twice; a contradiction has words."""
    twice = C.function(lambda x: 2 * ring.coordinates[0].at(x)[:, 0], name="twice")
    both = C.AnimationSpace(ring.model, [*ring.coordinates, twice])
    got = C.partitioned_acceleration(both, Q, moving, TAU)
    assert got.a == pytest.approx(C.partitioned_acceleration(ring, Q, moving, TAU).a, abs=1e-10)
    with pytest.raises(cd.CondyleError, match="cannot be held: it contradicts the others"):
        C.partitioned_acceleration(both, Q, moving, TAU, acceleration=[0.0, 0.0, 1.0])


def test_stabilising_takes_drift_back(ring):
    """Oracle: a pin 1 mm off comes back as exp(−γ t)(1 + γ t)."""
    n, gamma = 4, 20.0
    start = np.concatenate([Q + 0.001, np.zeros(n)])

    def f(t, y):
        return np.concatenate(
            [y[:, n:], C.partitioned_acceleration(ring, y[:, :n], y[:, n:], stabilise=gamma).a], axis=1
        )

    end = C.bulirsch_stoer(f, 0.0, start[None], 0.2, 0.01, 1e-10)[0]
    factor = np.exp(-gamma * 0.2) * (1 + gamma * 0.2)
    assert ring.value(end[:n]) == pytest.approx(factor * ring.value(Q + 0.001), abs=1e-9)


@pytest.mark.slow
def test_a_coupling_to_several_coordinates_is_a_coordinate():
    """Oracle: the engine; q1 = 0.6 sin q3 − 0.4 q4 on a swinging chain."""
    model = planar_chain((1.0, 1.1, 0.9, 1.0))
    function = cd.functions.sinusoid(amplitude=0.6, coordinate=0) + cd.functions.linear(coordinate=1, scale=-0.4)
    coupled = with_constraints(model, cd.constraints.couple("link1", ("link3", "link4"), function))
    q, v = cd.project(coupled, Q, np.array([1.0, -0.5, 0.3, 0.8]))
    held = C.closing(coupled)
    assert held.value(q) == pytest.approx(q[0] - 0.6 * np.sin(q[2]) + 0.4 * q[3], abs=1e-12)
    assert held.bias(q, v) == pytest.approx(0.6 * np.sin(q[2]) * v[2] ** 2, abs=1e-12)
    got = C.partitioned_acceleration(held, q, v, TAU)
    assert got.a == pytest.approx(cd.forward_dynamics(coupled, q, v, TAU), abs=1e-9)


def test_what_has_no_loop_to_close_gets_words(ring):
    """Oracle: the words, for a model without constraints and for one that rolls."""
    with pytest.raises(cd.CondyleError, match="closing: this model has no constraints"):
        C.closing(ring.model)
    with pytest.raises(cd.CondyleError, match=r"constraint 0 \(rolling of .*\) holds rates, not positions"):
        C.closing(rolling_disc().model)
