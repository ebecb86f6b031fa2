"""Motions of least torque: against closed forms, Pontryagin's conditions, and the motion played forward."""

from importlib.util import find_spec

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_bvp

import condyle as cd
from condyle import control as C
from condyle import errors
from condyle.control.optimal import optimize as module

pytestmark = pytest.mark.slow  # batches of derivatives take the compiler long

HAS_IPOPT = find_spec("casadi") is not None
WITH_IPOPT = pytest.mark.skipif(not HAS_IPOPT, reason="CasADi is not installed: its IPOPT is one of two solvers")
SOLVERS = [pytest.param("ipopt", marks=WITH_IPOPT), "trust-constr"]


def wheel(inertia=2.0):
    """A flywheel without gravity."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    return b.add_body("wheel", joint=cd.joints.revolute("z"), inertia=cd.Inertia(1, moment=inertia * np.eye(3))).build()


def pendulum():
    """A point of 1 kg at 0.5 m."""
    bob = cd.Inertia.point(1.0, (0, 0, -0.5))
    return cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_flywheel_turns_with_the_least_torque(solver):
    """Oracle: the closed form: a cubic in time, whose cost is 12 I² θ² / T³."""
    found = C.optimize(wheel(), [0.2], [1.5], duration=0.8, intervals=3, solver=solver)
    assert found.converged
    assert_allclose(found.cost, 12 * 2.0**2 * 1.3**2 / 0.8**3, rtol=1e-7)
    s = found.t / 0.8
    assert_allclose(found.q[:, 0], 0.2 + 1.3 * (3 * s**2 - 2 * s**3), atol=1e-6)


def least_torque_swing(duration, angle):
    """Pontryagin's conditions of min ∫ τ² dt for I θ̈ = τ − k sin θ, by scipy's solver of boundary values: ∫ τ² dt."""
    inertia, k = 0.25, 9.81 * 0.5

    def rates(t, y):
        x, v, px, pv = y[:4]  # H = τ² + px v + pv (τ − k sin x)/I, so τ = −pv/(2 I)
        tau = -pv / (2 * inertia)
        return np.array([v, (tau - k * np.sin(x)) / inertia, pv * k * np.cos(x) / inertia, -px, tau**2])

    def ends(a, b):
        return np.array([a[0], a[1], a[4], b[0] - angle, b[1]])

    t = np.linspace(0, duration, 50)
    first = np.zeros((5, len(t)))
    first[0] = angle * t / duration
    found = solve_bvp(rates, ends, t, first, tol=1e-10, max_nodes=20000)
    assert found.success
    return found.y[4, -1]


def test_a_pendulum_meets_pontryagins_conditions_at_fourth_order():
    """Oracle: the boundary value problem of the maximum principle; the error falls 16-fold as intervals are halved."""
    expected = least_torque_swing(1.0, 1.2)
    costs = [C.optimize(pendulum(), [0.0], [1.2], duration=1.0, intervals=n).cost for n in (4, 8, 16)]
    off = np.abs(np.array(costs) - expected) / expected
    assert off[-1] < 5e-5
    assert np.all(off[:-1] / off[1:] > 10)


@WITH_IPOPT
def test_a_leg_swings_and_its_replay_arrives():
    """Oracle: the engine itself: the torques played forward by adaptive steps; the conditions of an optimum."""
    leg, start, end = cd.gallery.leg(order=6), [-0.4, -0.3, 0.0], [0.5, -0.2, 0.1]
    coarse = C.optimize(leg, start, end, duration=0.6, intervals=12, speeds=8.0)
    fine = C.optimize(leg, start, end, duration=0.6, intervals=24, speeds=8.0, guess=coarse.trajectory)
    missed = [np.abs(x.replay().q[-1] - end).max() for x in (coarse, fine)]
    assert missed[1] < 5e-4 and missed[1] < missed[0] / 8
    assert fine.converged and fine.optimality.stationarity < 1e-8 and fine.optimality.feasibility < 1e-6
    assert fine.optimality.complementarity < 1e-6
    assert np.abs(fine.v).max() < 8.0 + 1e-6
    assert np.all(fine.q[:, 1] <= leg.limits["knee"].high + 1e-6)


def hopper():
    """A trunk, a thigh, a shank and a foot in the x-z plane, held by nothing."""
    b, J = cd.ModelBuilder(), cd.joints

    def bone(mass, low, high):
        return cd.Inertia.box(mass, (0.05, 0.05, high - low), com=(0, 0, (low + high) / 2))

    flat = J.compose(J.prismatic("x"), J.prismatic("z"), J.revolute("y"))
    b.add_body("trunk", joint=flat, inertia=bone(40.0, 0.0, 0.8))
    b.add_body("thigh", "trunk", J.revolute("y"), bone(8.0, -0.42, 0.0))
    b.add_body(
        "shank", "thigh", J.revolute("y"), bone(3.5, -0.43, 0.0), placement=cd.SE3.from_translation((0, 0, -0.42))
    )
    foot = cd.Inertia.box(1.0, (0.25, 0.1, 0.06), com=(0.04, 0, -0.03))
    b.add_body("foot", "shank", J.revolute("y"), foot, placement=cd.SE3.from_translation((0, 0, -0.43)))
    return b.build()


SOLE = [(-0.08, 0, -0.06), (0.17, 0, -0.06)]
SQUAT = np.array([0.01 * np.sin(0.5), 0.06 + 0.85 * np.cos(0.5), 0.2, -0.7, 1.0, -0.5])  # the sole is flat


def jump_asked(intervals):
    """A jump of 0.2 m: stance until 0.4 s, flight until 0.65 s."""
    model = hopper()
    clear = [C.keep(C.point("foot", p, axes="z", name=f"sole {k}"), low=0.0) for k, p in enumerate(SOLE)]
    foot = C.contact("foot", SOLE, during=[(0, 0.4), (0.65, 1.1)])
    asked = {"contacts": [foot], "kept": clear, "actuated": model.coordinates[3:], "torques": 300.0, "speeds": 6.0}
    return (model, SQUAT, SQUAT + [0.2, 0, 0, 0, 0, 0]), {"duration": 1.05, "intervals": intervals, **asked}


def test_derivatives_of_the_whole_program_are_those_of_its_numbers(monkeypatch):
    """Oracle: central differences of cost, rows and slopes along a random direction, with contacts and a keyframe."""
    caught = []

    def catch(program, z, *_):
        caught.append((program, z))
        raise StopIteration

    monkeypatch.setattr(module, "solve", catch)
    given, asked = jump_asked(8)
    with pytest.raises(StopIteration):
        C.optimize(*given, **asked, keyframes=[(C.center_of_mass(axes="xz", name="middle"), 0.5, (0.1, 1.1))])
    program, z = caught[0]
    rng = np.random.default_rng(0)
    z, d = z + 0.1 * rng.normal(size=len(z)), rng.normal(size=len(z))
    y, h = rng.normal(size=len(program.row_bounds[0])), 1e-6

    def difference(f):
        return (f(z + h * d) - f(z - h * d)) / (2 * h)

    def pulled(z):
        return 0.7 * program.cost_slope(z) + program.row_slopes(z).T @ y

    pairs = (
        (program.cost_slope(z) @ d, difference(program.cost)),
        (program.row_slopes(z) @ d, difference(program.rows)),
        (program.curvature(z, 0.7, y) @ d, difference(pulled)),
    )
    for got, expected in pairs:
        assert_allclose(got, expected, rtol=0, atol=1e-7 * np.abs(expected).max())
    for matrix, pattern in (
        (program.row_slopes(z), program.row_pattern), (program.curvature(z, 0.7, y), program.curvature_pattern),
    ):  # fmt: skip
        assert not np.any((np.abs(matrix.toarray()) > 0) & (pattern.toarray() == 0))


@WITH_IPOPT
def test_a_jump_leaves_the_ground_and_lands_where_it_should():
    """Oracle: mechanics: in flight only gravity changes momenta; from rest to rest pushes carry the weight."""
    (model, start, end), asked = jump_asked(20)
    found = C.optimize(model, start, end, **asked, tolerance=1e-7)
    assert found.converged and found.optimality.stationarity < 1e-6
    flight = (found.t > 0.4) & (found.t < 0.65)
    assert np.all(found.forces[flight] == 0.0) and np.all(found.forces[..., 2] > -1e-4)
    heights = C.AnimationSpace(model, C.point("foot", SOLE[1], axes="z")).value(found.q)[:, 0]
    assert heights[flight].max() > 0.02 and np.abs(heights[~flight]).max() < 1e-3
    assert_allclose(found.q[-1], end, atol=1e-3)
    q, v, a, h = found.q[flight], found.v[flight], found.a[flight], 1e-5
    mass = sum(b.inertia.mass for b in model.bodies)
    ahead, behind = (cd.momentum(model, q + k * h * v, v + k * h * a) for k in (1, -1))
    linear, angular = ((x - y) / (2 * h) for x, y in zip(ahead, behind, strict=True))
    assert_allclose(linear, np.broadcast_to([0, 0, -9.81 * mass], linear.shape), atol=1e-3)
    assert_allclose(angular, 0.0, atol=1e-3)
    pushed = np.sum(found.forces[..., 2].sum(1) * found._problem.mesh.weights)
    assert_allclose(pushed, mass * 9.81 * 1.05, rtol=2e-3)


def test_what_cannot_be_is_named():
    """Oracle: the errors' classes and names."""
    arm = pendulum()
    ball = cd.ModelBuilder().add_body("top", joint=cd.joints.ball(), inertia=cd.Inertia.box(1, (1, 1, 1))).build()
    with pytest.raises(errors.NotSupported, match="quaternions"):
        C.optimize(ball, [1, 0, 0, 0], duration=1.0)
    with pytest.raises(errors.BadShape, match="start"):
        C.optimize(arm, [0.0, 1.0], duration=1.0)
    with pytest.raises(errors.BadValue, match="duration"):
        C.optimize(arm, [0.0], duration=-1.0)
    with pytest.raises(errors.BadValue, match="duration"):
        C.optimize(arm, [0.0], duration="1")
    with pytest.raises(errors.BadValue, match="tolerance"):
        C.optimize(arm, [0.0], [1.0], duration=1.0, tolerance=0)
    with pytest.raises(errors.BadValue, match="intervals"):
        C.optimize(arm, [0.0], [1.0], duration=1.0, intervals=8.5)
    with pytest.raises(errors.BadShape, match="weights"):
        C.optimize(arm, [0.0], [1.0], duration=1.0, weights=[1.0, 2.0])
    with pytest.raises(errors.BadValue, match="time"):
        C.optimize(arm, [0.0], duration=1.0, keyframes=[(C.joint("bob"), 2.0, 0.5)])
    with pytest.raises(errors.UnknownName, match="solver"):
        C.optimize(arm, [0.0], [1.0], duration=1.0, solver="simplex")


def test_a_motion_that_is_not_optimal_says_so():
    """Oracle: two iterations are too few; the warning and the flag."""
    with pytest.warns(errors.CondyleWarning, match="not converge"):
        found = C.optimize(pendulum(), [0.0], [1.2], duration=1.0, intervals=8, iterations=2)
    assert not found.converged


@pytest.mark.parametrize("solver", ["ipopt", "trust-constr"])
def test_progress_counts_iterations(solver):
    """Oracle: the solver's own count, of at most the number allowed."""
    if solver == "ipopt":
        pytest.importorskip("casadi", reason="CasADi is not installed: IPOPT was not tried")
    seen = []
    options = {"duration": 0.8, "intervals": 3, "solver": solver, "progress": lambda *x: seen.append(x)}
    found = C.optimize(wheel(), [0.2], [1.5], **options)
    done = [x[1] for x in seen]
    assert {(stage, total) for stage, _, total in seen} == {("iterations", 500)}
    assert done == sorted(done) and abs(done[-1] - found.iterations) <= 1
