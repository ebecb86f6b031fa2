"""Functions of time that people prescribe: steady ones, splines with kinks of their own, and those that cannot be."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import interpolate

import condyle as cd

TIMES = np.linspace(0.0, 1.0, 11)
VALUES = np.sin(3.0 * TIMES) + 0.2 * TIMES


def crank(motion, **derivatives):
    """A rod about the z axis, 1 kg at 1 m, whose turn is given."""
    rod = cd.Inertia.point(1.0, (1.0, 0.0, 0.0))
    b = cd.ModelBuilder().add_body("crank", joint=cd.joints.revolute("z"), inertia=rod)
    return b.prescribe("crank", motion, **derivatives).build()


class Counted:
    """A function that knows how often it was asked."""

    def __init__(self, f):
        self.f, self.calls = f, 0

    def __call__(self, t):
        self.calls += 1
        return self.f(t)


STEADY = {
    "real numbers only": (lambda t: float(0.5 + 2.0 * t), lambda t: 0.5 + 2.0 * t, lambda t: 2.0),
    "far away": (lambda t: float(1e4 + 2.0 * t), lambda t: 1e4 + 2.0 * t, lambda t: 2.0),
    "hardly bent": (lambda t: 2.0 * t + 1e-6 * np.sin(t), lambda t: 2.0 * t + 1e-6 * math.sin(t),
                    lambda t: 2.0 + 1e-6 * math.cos(t)),
    "constant": (lambda t: 0.3, lambda t: 0.3, lambda t: 0.0),
}  # fmt: skip


@pytest.mark.parametrize("name", STEADY)
def test_motions_that_hardly_accelerate_are_packed_at_once(name):
    """Oracle: the function and its derivative by hand; what round-off leaves of an acceleration is not resolved."""
    given, x, rate = STEADY[name]
    f = Counted(given)
    run = cd.simulate(crank(f), [given(0.0)], duration=2.0, record=0.1)
    assert f.calls < 3000
    assert_allclose(run.q[:, 0], [x(t) for t in run.t], rtol=1e-14, atol=1e-14)
    assert_allclose(run.v[:, 0], [rate(t) for t in run.t], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("coefficients", [[0.5], [0.5, 2.0], [0.5, 2.0, 1.0, -1.0]])
def test_polynomials_have_their_own_derivatives(coefficients):
    """Oracle: numpy's polynomials."""
    x = np.polynomial.Polynomial(coefficients)
    run = cd.simulate(crank(cd.functions.polynomial(coefficients)), [0.5], duration=1.0, record=0.05)
    assert_allclose(run.q[:, 0], x(run.t), atol=1e-14)
    assert_allclose(run.v[:, 0], x.deriv()(run.t), atol=1e-13)


SPLINES = {
    "cubic": interpolate.CubicSpline(TIMES, VALUES),
    "pchip": interpolate.PchipInterpolator(TIMES, VALUES),
    "akima": interpolate.Akima1DInterpolator(TIMES, VALUES),
    "order 4": interpolate.make_interp_spline(TIMES, VALUES, k=3),
    "smoothing": interpolate.UnivariateSpline(TIMES, VALUES, s=0.0),
}


@pytest.mark.parametrize("name", SPLINES)
@pytest.mark.parametrize("integrator", ["rk4", "adaptive"])
def test_splines_of_scipy_bend_at_their_knots(name, integrator):
    """Oracle: the spline and its derivative; forces by Newton's law, between knots where accelerations may jump."""
    spline = SPLINES[name]
    model = crank(spline)
    run = cd.simulate(model, [float(spline(0.0))], duration=0.97, record=0.01, integrator=integrator)
    assert_allclose(run.q[:, 0], spline(run.t), atol=1e-13)
    assert_allclose(run.v[:, 0], spline.derivative(1)(run.t), atol=1e-12)
    motion = model.prescribed[0]
    assert_allclose([motion.at(t)[2] for t in (0.03, 0.55, 0.91)], spline.derivative(2)((0.03, 0.55, 0.91)), atol=1e-12)


def test_a_free_body_on_a_driven_one_feels_jumps_of_acceleration():
    """Oracle: x = ½ a t² relative to a slide that accelerates at 2 m/s², then at −2 m/s²."""
    pieces = interpolate.PPoly(np.array([[1.0, -1.0], [0.0, 1.0], [0.0, 0.25]]), [0.0, 0.5, 1.0])
    b = cd.ModelBuilder(gravity=(0, 0, 0)).add_body(
        "slide", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(1.0, 0.1)
    )
    b.add_body("bead", "slide", cd.joints.prismatic("x"), cd.Inertia.sphere(1.0, 0.1)).prescribe("slide", pieces)
    run = cd.simulate(b.build(), [0.0, 0.0], duration=1.0, integrator="adaptive", tolerance=1e-10)
    assert_allclose(run.q[:, 0] + run.q[:, 1], 0.0, atol=1e-8)  # nothing holds the bead: it stays where it was
    assert_allclose(run.q[-1, 0], 0.5, atol=1e-12)
    stepped = cd.simulate(b.build(), [0.0, 0.0], duration=1.0, step=0.001)
    assert np.abs(stepped.q.sum(axis=1)).max() < 4.0 * 0.001 * 0.5  # the jump, for a step, for the rest of the time


def test_a_kink_that_nobody_told_of_is_refused_with_words():
    """Oracle: |t − 0.503| has no acceleration there; the words name the coordinate and the time."""
    with pytest.raises(cd.errors.NotConverged, match=r"(?s)'crank'.*0\.50.*times, values"):
        cd.simulate(crank(lambda t: abs(t - 0.503)), [0.503], duration=1.0)


@pytest.mark.parametrize("motion", [interpolate.CubicSpline(TIMES, np.stack([VALUES, VALUES], 1)), lambda t: [t, t]])
def test_two_numbers_are_no_motion_of_a_coordinate(motion):
    """The words name the coordinate and the shape."""
    with pytest.raises(cd.errors.BadShape, match=r"crank.*2"):
        crank(motion)


def test_a_spline_of_another_order_is_not_saved_as_one_of_samples(tmp_path):
    """Files hold splines of order 6; any other is refused before anything is written."""
    with pytest.raises(cd.errors.NotSupported, match="crank"):
        cd.save(crank(SPLINES["order 4"]), tmp_path / "crank.toml")
    assert not (tmp_path / "crank.toml").exists()
    again = cd.load(cd.save(crank((TIMES, VALUES)), tmp_path / "samples.toml"))
    assert_allclose(again.prescribed[0].at(0.43), crank((TIMES, VALUES)).prescribed[0].at(0.43), atol=1e-13)
