"""Models of any joints in maximal coordinates, moved: the tree in minimal coordinates, conservation laws, skeletons."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, InconsistentLoop, NotSupported, UnknownName
from condyle.skeleton import HeldModel, from_model, state_of
from twins.kinds import KINDS
from twins.trees import MIXED, twin

STATE = cd.skeleton.State


def mixed():
    tree = twin(MIXED, np.random.default_rng(5))
    return tree.model, *tree.state(np.random.default_rng(6))


def floating():
    """A free body with a spline curve and a spline surface on it, without gravity."""
    rng = np.random.default_rng(8)
    parts = [KINDS["spline_curve"](rng), KINDS["spline_surface"](rng)]
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("trunk", joint=cd.joints.free(), inertia=cd.Inertia.box(3.0, (0.5, 0.3, 0.2), com=(0.1, 0, 0.05)))
    b.add_body("limb", parent="trunk", joint=parts[0].joint, inertia=cd.Inertia(1.0, (0.1, 0.2, 0), (0.02, 0.03, 0.04)))
    b.add_body("hand", parent="limb", joint=parts[1].joint, inertia=cd.Inertia(0.5, (0, 0.1, 0.1), (0.02, 0.01, 0.02)))
    model = b.build()
    q = np.concatenate([[1, 0, 0, 0, 0, 0, 0], *(p.sample(rng) for p in parts)])
    return model, q, 0.5 * rng.normal(size=model.nv)


@pytest.mark.parametrize("kind", KINDS)
def test_accelerations_of_every_kind(kind):
    """Oracle: the recursion in minimal coordinates; 1e-9."""
    tree = twin([(kind, -1), (kind, 0)], np.random.default_rng(3))
    model, (q, v) = tree.model, tree.state(np.random.default_rng(4))
    tau = np.random.default_rng(5).normal(size=model.nv)
    held = HeldModel(model, state_of(model, q, v), q)
    found, expected = held.accelerations(motors=tau).coordinates, cd.forward_dynamics(model, q, v, tau)
    assert np.abs(found - expected).max() < 1e-9 * (1 + np.abs(expected).max())
    back = held.coordinates()
    assert np.abs(back[1] - v).max() < 1e-9
    assert np.abs(cd.forward_kinematics(model, back[0]) - cd.forward_kinematics(model, q)).max() < 1e-9


@pytest.mark.parametrize(("integrator", "order"), [("variational", 2), ("rk4", 4)])
def test_a_tree_of_splines_moves_as_in_minimal_coordinates(integrator, order):
    """Oracle: `cd.simulate` with a fine step; the distance falls at the order of the step; joints stay closed."""
    model, q, v = mixed()
    end = cd.simulate(model, q, 0.3 * v, duration=0.1, step=1e-4, record=0.1).q[-1]
    held, far = from_model(model, q, 0.3 * v), []
    assert isinstance(held, HeldModel)
    for step in (0.01, 0.005):
        motion = held.simulate(duration=0.1, step=step, integrator=integrator)
        assert motion.gaps().max() < 1e-12
        far.append(np.abs(motion.q[-1] - end).max())
    assert far[1] < 1e-3
    assert order - 0.5 < np.log2(far[0] / far[1]) < order + 0.9


def test_momentum_of_a_floating_tree_is_kept_and_energy_bounded():
    """Oracle: both momenta without loads; energy that swings as the step squared and does not run away."""
    held, swings = from_model(*floating()), []
    for step in (0.02, 0.01):
        motion = held.simulate(duration=1.0, step=step)
        P, L = motion.momentum()
        assert np.abs(P - P[0]).max() < 1e-12
        assert np.abs(L - L[0]).max() < 1e-12
        assert motion.gaps().max() < 1e-12
        swings.append(np.ptp(motion.energy().total))
    assert swings[1] < 0.4 * swings[0] < 0.02 * motion.energy().kinetic[0]


def test_hinges_step_as_a_skeleton_does():
    """Oracle: the compiled engine of skeletons, whose step is the same RATTLE in other code, to round-off."""
    b, rod = cd.ModelBuilder(), cd.Inertia.box(1.0, (0.1, 0.1, 0.5), com=(0.02, 0, -0.25))
    b.add_body("a", joint=cd.joints.revolute("y"), inertia=rod)
    b.add_body("b", "a", cd.joints.ball(), rod, placement=cd.SE3.from_translation((0, 0, -0.5)))
    model = b.build()
    q, v = np.array([0.4, 1, 0, 0, 0]), np.array([1.0, 0.5, -2.0, 1.0])
    compiled = from_model(model, q, v).simulate(duration=0.5, step=0.01)
    plain = HeldModel(model, state_of(model, q, v), q).simulate(duration=0.5, step=0.01)
    assert np.abs(plain.states.positions - compiled.states.positions).max() < 1e-11
    assert np.abs(plain.states.angular_velocities - compiled.states.angular_velocities).max() < 1e-10


def pulled():
    """Two bodies on splines with a spring between them, a damper and a limit."""
    rng = np.random.default_rng(2)
    parts = [KINDS["spline_curve"](rng), KINDS["prismatic"](rng)]
    b = cd.ModelBuilder().add_body("a", joint=parts[0].joint, inertia=cd.Inertia.sphere(1.0, 0.2))
    b.add_body("b", parent="a", joint=parts[1].joint, inertia=cd.Inertia.sphere(0.5, 0.1))
    names = b.build().coordinates
    b.add_spring("a", (0.1, 0, 0), None, (0, 1, 0), stiffness=30.0, length=0.3, damping=0.5)
    b.add_damping(names[1], 0.4).add_stiffness(names[1], 20.0)
    return b.build(), np.concatenate([p.sample(rng) for p in parts])


def test_loads_of_the_model_motors_and_forces_act():
    """Oracle: `cd.simulate` of the same model with the same forces."""
    model, q = pulled()
    tau, push = np.array([0.2, -1.0]), np.array([0.3, 0.1, 0.5])
    wrench = np.zeros((2, 6))
    motion = from_model(model, q).simulate(duration=0.1, step=0.002, integrator="rk4", motors=lambda t: tau)
    expected = cd.simulate(model, q, duration=0.1, step=0.002, control=tau)
    assert np.abs(motion.q - expected.q).max() < 1e-7
    assert np.abs(motion.as_trajectory().energy().total - expected.energy().total).max() < 1e-6
    a = from_model(model, q).accelerations(forces={"b": push}, motors={model.coordinates[1]: -1.0}).coordinates
    R = cd.forward_kinematics(model, q)[1].as_rotation()
    wrench[1, 3:] = R.T @ push
    assert np.abs(a - cd.forward_dynamics(model, q, [0.0, 0.0], [0.0, -1.0], wrench)).max() < 1e-9


def test_a_batch_is_its_members_and_one_that_fails_leaves_the_others():
    """Oracle: members by themselves; one thrown so fast that no step closes ends with its reason."""
    model, q = pulled()
    v = np.array([[0.3, 0.1], [-0.2, 0.4], [1e7, 0.0]])
    held = from_model(model, q)
    with pytest.warns(cd.simulation.StoppedWarning, match="1 of 3"):
        motion = held.simulate(state_of(model, np.tile(q, (3, 1)), v), duration=0.05)
    alone = held.simulate(state_of(model, q, v[1]), duration=0.05)
    assert np.abs(motion.q[1] - alone.q).max() < 1e-12
    assert motion.stopped[2].time < 0.05
    assert np.isnan(motion.q[2, -1]).all()
    assert motion.as_trajectory().stopped[2].q.shape == (2,)


def test_control_stop_and_records_are_those_of_skeletons():
    model, q = pulled()
    held, seen = from_model(model, q), []

    def control(t, state):
        seen.append((t, state.positions.shape))
        return {"motors": {model.coordinates[1]: 0.5}}

    motion = held.simulate(duration=0.1, record=0.05, control=control, stop=lambda t, state: t > 0.04, t0=0.0)
    assert motion.t.tolist() == pytest.approx([0.0, 0.05, 0.1])
    assert len(seen) == 5
    assert seen[0][1] == (2, 3)
    assert motion.stopped.time == pytest.approx(0.05)
    steady = held.simulate(duration=0.05, motors=[0.0, 0.5])
    assert np.abs(steady.q[-1] - motion.q[1]).max() < 1e-12


def test_an_open_state_is_refused_by_name_and_closed_by_projection():
    model, q = pulled()
    held = from_model(model, q)
    good = held.initial
    moved = STATE(good.positions + [[0, 0, 0], [0, 0, 0.01]], good.rotations, good.velocities, good.angular_velocities)
    with pytest.raises(InconsistentLoop, match=r"joint 'b'.*apart"):
        held.simulate(moved, duration=0.1)
    closed = held.projected(moved)
    assert held.gaps(closed).max() < 1e-12
    assert held.coordinates(closed)[0].shape == (2,)
    torn = STATE(good.positions, good.rotations, good.velocities + [[0, 0, 0], [1, 1, 1]], good.angular_velocities)
    with pytest.raises(InconsistentLoop, match="torn"):
        held.coordinates(torn)


def test_coordinates_are_found_from_far():
    """Oracle: the q that the state was made from."""
    model, q, v = mixed()
    there = from_model(model, q, v).initial
    found = from_model(model, 0.9 * q).coordinates(there)
    assert np.abs(found[1] - v).max() < 1e-8


def test_what_it_does_not_take_is_named():
    model, q = pulled()
    held = from_model(model, q)
    with pytest.raises(UnknownName, match="printed"):
        held.simulate(duration=0.1, integrator="printed")
    with pytest.raises(BadShape, match="positions"):
        held.simulate(from_model(*floating()).initial, duration=0.1)
    with pytest.raises(UnknownName, match="elbow"):
        held.simulate(duration=0.1, motors={"elbow": 1.0})
    with pytest.raises(BadShape, match="motors"):
        held.simulate(duration=0.1, motors=[1.0, 2.0, 3.0])
    with pytest.raises(cd.CondyleError, match="finite"):
        held.simulate(duration=0.1, forces={"b": (np.nan, 0, 0)})
    b = cd.ModelBuilder().add_body("a", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(1.0, 0.1))
    b.add_body("b", "a", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(1.0, 0.1))
    with pytest.raises(NotSupported, match=r"constraints.*cd.simulate"):
        from_model(b.add_constraint(cd.constraints.couple("b", "a", cd.functions.linear())).build())
