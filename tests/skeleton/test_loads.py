"""Friction, motors, external loads over time; the energy they put in."""

import numpy as np
import pytest

from condyle.errors import UnknownName
from condyle.skeleton import Skeleton

from .dense import CHAIN, GRAPHS, random_dense


def wheel(friction=0.0, inertia=0.5, **how):
    """A body on a hinge of the world about z through its centre: ω obeys I ω̇ = −μ ω + β."""
    return Skeleton.from_arrays(
        [1.0], [inertia * np.eye(3)], [(0, -1)], np.zeros((1, 2, 3)), np.tile([0, 0, 1.0], (1, 2, 1)), [[0, 0, 0]],
        angular_velocities=[[0, 0, 3.0]], friction=friction, joint_names=["axle"], **{"gravity": (0, 0, 0), **how},
    )  # fmt: skip


def test_friction_of_a_wheel_is_exponential_in_the_limit():
    """Oracle: ω = 3 exp(−μ t / I)."""
    for integrator, tolerance in (("variational", 3e-5), ("rk4", 1e-9), ("printed", 2e-2)):
        last = wheel(0.8).simulate(duration=1.0, step=0.01, integrator=integrator).last
        assert last.angular_velocities[0, 2] == pytest.approx(3 * np.exp(-0.8 / 0.5), abs=tolerance)


@pytest.mark.parametrize(("number", "stable"), [(0.5, True), (1.5, True), (2.5, False), (5.0, False)])
def test_explicit_friction_is_stable_up_to_two(number, stable):
    """Oracle: explicit Euler on friction: |1 − h μ / I| < 1."""
    mu = number * 0.5 / 0.01
    motion = wheel(mu).simulate(duration=20.0, step=0.01, integrator="printed", friction="explicit")
    spin = motion.states.angular_velocities[:, 0, 2]
    assert (np.nanmax(np.abs(spin)) <= 3.0) == stable


@pytest.mark.parametrize(("integrator", "friction"), [("printed", "implicit"), ("variational", "implicit")])
def test_implicit_friction_is_stable_at_any_stiffness(integrator, friction):
    """Oracle: the backward rule, ω_{k+1} = ω_k / (1 + h μ / I), exactly."""
    mu = 1000 * 0.5 / 0.01
    spin = wheel(mu).simulate(duration=0.02, step=0.01, integrator=integrator, friction=friction)
    assert spin.states.angular_velocities[:, 0, 2] == pytest.approx([3.0, 3 / 1001, 3 / 1001**2], rel=1e-12)


def test_trapezoidal_friction_is_the_default_and_exact():
    """Oracle: ω_{k+1} = ω_k (1 − a)/(1 + a) with a = h μ / 2 I."""
    a = 0.01 * 0.8 / (2 * 0.5)
    spin = wheel(0.8).simulate(duration=0.02, step=0.01).states.angular_velocities[:, 0, 2]
    assert spin == pytest.approx(3 * ((1 - a) / (1 + a)) ** np.arange(3), rel=1e-12)


@pytest.mark.parametrize("mu", [99.0, 101.0, 1e4, 1e8])
def test_default_friction_never_rings(mu):
    """Oracle: a wheel's decay has one sign; the trapezoidal rule changes it beyond h μ / I = 2 (μ = 100)."""
    spin = wheel(mu).simulate(duration=0.1, step=0.01).states.angular_velocities[:, 0, 2]
    assert spin.min() >= 0.0
    assert (np.diff(spin) <= 0.0).all()
    a = 0.01 * mu / (2 * 0.5)
    rule = (1 - a) / (1 + a) if mu < 100 else 1 / (1 + 2 * a)
    assert spin == pytest.approx(3 * rule ** np.arange(11), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("name", ["hinge and ball", "a branching tree", "a mixed ring"])
def test_stiff_friction_stops_the_joints_but_not_the_skeleton(name):
    """Oracle: conservation of angular momentum; with μ = 1e5 the joints turn no more and the whole is rigid."""
    dense = random_dense(*GRAPHS[name])
    dense.mu[:] = 1e5
    skeleton = Skeleton.from_arrays(**dense.arrays)
    motion = skeleton.simulate(duration=1.0, step=0.01, friction="implicit")
    report = motion.report()
    assert report.drifts()["angular momentum [N m s]"] < 1e-12
    assert report.drifts()["joint gap [m]"] < 1e-12
    s = motion.last
    spin = np.einsum("nij,nj->ni", s.rotations, s.angular_velocities)
    assert np.abs(spin - spin[0]).max() < 1e-3 < np.abs(spin).max()


def test_work_and_friction_balance_energy():
    """Oracle: the theorem d_t K = Σ e·(ω₁ − ω₂) and its loads, second order in the step."""
    dense = random_dense(*GRAPHS["a branching tree"], friction=0.3, gravity=(0, 0, -9.81), speed=0.5)
    skeleton = Skeleton.from_arrays(**dense.arrays)
    kicks = np.random.default_rng(0).normal(size=(2, len(dense.m), 3))
    errors = []
    for h in (0.01, 0.005):
        motion = skeleton.simulate(
            duration=1.0,
            step=h,
            motors=lambda t: {"joint0": np.sin(3 * t)},
            forces=kicks[0],
            torques=lambda t: kicks[1] * np.cos(t),
        )
        report = motion.report()
        assert np.abs(report.work).max() > 0.1
        errors.append(report.drifts()["energy less work [J]"])
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3)


def test_time_functions_are_the_held_control_in_the_limit():
    """Oracle: the same motor given as a function and as a control; the held one is first order."""
    skeleton = Skeleton.from_arrays(**random_dense(CHAIN, "hs").arrays)
    given = skeleton.simulate(duration=0.5, step=0.002, motors=lambda t: {"joint0": np.sin(5 * t)}).last
    asked = skeleton.simulate(
        duration=0.5, step=0.002, control=lambda t, state: {"motors": {"joint0": np.sin(5 * (t + 0.001))}}
    ).last
    assert asked.positions == pytest.approx(given.positions, abs=2e-6)


@pytest.mark.slow
def test_control_sees_the_whole_batch_once_per_step():
    """Oracle: a proportional control on a wheel has the closed form of a damped oscillator's energy: it decays."""
    skeleton = wheel()
    calls = []
    batch = skeleton.initial
    fast = np.array([1.0, 2.0, 3.0])[:, None, None]
    state = type(batch).checked(batch.positions, batch.rotations, batch.velocities, fast * batch.angular_velocities)

    def brake(t, s):
        calls.append((t, s.shape))
        return {"motors": -0.5 * s.angular_velocities[..., 0, 2:]}

    motion = skeleton.simulate(state, duration=0.05, step=0.01, control=brake)
    assert [c[1] for c in calls] == [(3,)] * 5
    expected = 3.0 * fast[:, 0, 0] * (1 - 0.01 * 0.5 / 0.5) ** 5  # held: I ω̇ = −0.5 ω_k
    assert motion.last.angular_velocities[:, 0, 2] == pytest.approx(expected, rel=1e-12)


def test_unknown_loads_and_joints_are_named():
    """Oracle: the words."""
    with pytest.raises(UnknownName, match=r"no joint named 'axel' in this skeleton\. Did you mean 'axle'"):
        wheel().simulate(duration=0.1, motors={"axel": 1.0})
    with pytest.raises(ValueError, match="forces: the world is no body and takes no load"):
        wheel().simulate(duration=0.1, forces={"world": (1.0, 0.0, 0.0)})
    with pytest.raises(ValueError, match=r"torques of 'body0' must be a vector \(..., 3\) in world axes; got \(2,\)"):
        wheel().simulate(duration=0.1, torques={"body0": (1.0, 0.0)})
    with pytest.raises(UnknownName, match="no load named 'motor' in what a control returns"):
        wheel().simulate(duration=0.1, control=lambda t, s: {"motor": 1.0})
    ball = Skeleton.from_arrays(**random_dense([(0, 1)], "s").arrays)
    with pytest.raises(ValueError, match="joint 'joint0' is a ball and has no axis for a motor given as one number"):
        ball.simulate(duration=0.1, motors={"joint0": 1.0})
