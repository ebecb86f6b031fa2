"""Laws of muscles: forces, fibres in equilibrium, springs and ligaments, activation."""

import warnings
from math import acos, asinh, comb, cos, exp, hypot, log, sin, sqrt

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator
from scipy.optimize import brentq

import condyle as cd
from condyle.errors import Approximated, BadShape, BadValue

ANGLE, FORCE, FIBER, SLACK = 0.3, 800.0, 0.1, 0.2
CONSTANTS = {"max_isometric_force": FORCE, "optimal_fiber_length": FIBER, "tendon_slack_length": SLACK,
                 "pennation_angle_at_optimal": ANGLE}  # fmt: skip
LAWS = ("thelen", "millard", "de_groote_fregly")


@pytest.fixture(scope="module")
def model():
    """A block on a slider: the coordinate is the length of every path."""
    b = cd.ModelBuilder().add_body("block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    ends = [(None, (0, 0, 0)), ("block", (0, 0, 0))]
    for law in LAWS:
        b.add_muscle(law, ends, law, **CONSTANTS)
        b.add_muscle(f"{law} rigid", ends, law, ignore_tendon_compliance=1, **CONSTANTS)
    b.add_muscle("spring", ends, "path_spring", stiffness=500.0, resting_length=0.25, dissipation=0.1)
    b.add_muscle("ligament", ends, "blankevoort", linear_stiffness=2000.0, slack_length=0.28)
    b.add_muscle("actuator", ends, "path_actuator", optimal_force=30.0)
    b.add_path("path", ends)
    return b.build()


def thelen_curves():
    e3 = exp(3.0)
    toe = 99 * 0.04 * e3 / (166 * e3 - 67)

    def tendon(x):
        e = x - 1
        return (
            0.0
            if e < 0
            else 0.33 * (exp(3 * e / toe) - 1) / (e3 - 1)
            if e < toe
            else 0.33 + 0.67 / (0.04 - toe) * (e - toe)
        )

    return (
        lambda x: exp(-((x - 1) ** 2) / 0.45),
        lambda x: 0.0 if x < 1 else (exp(5 * (x - 1) / 0.6) - 1) / (exp(5) - 1),
        tendon,
    )


def de_groote_curves():
    b = [(0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
         (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
         (0.1, 1.0, 0.353553390593274, 0.0)]  # fmt: skip
    base = exp(4 * (0.2 - 1) / 0.6)
    rest = -0.3211346127989808 * asinh(-0.374) + 0.8825327733249912
    return (
        lambda x: rest * sum(p * exp(-0.5 * ((x - q) / (r + s * x)) ** 2) for p, q, r, s in b),
        lambda x: (exp(4 * (x - 1) / 0.6) - base) / (exp(4) - base),
        lambda x: 0.2 * exp(log(6) / 0.049 * (x - 1)) - 0.2,
    )


def bezier(knots, curviness):
    """A curve of corners, drawn point by point from binomials and read between them by interpolation."""
    x, y = [], []
    for (x0, y0, d0), (x1, y1, d1), k in zip(knots, knots[1:], curviness, strict=False):
        X = (y1 - y0 - x1 * d1 + x0 * d0) / (d0 - d1)
        C, c = np.array([X, y0 + d0 * (X - x0)]), 0.1 + 0.8 * k
        P, Q = np.array([x0, y0]), np.array([x1, y1])
        points = [P, P + c * (C - P), P + c * (C - P), Q + c * (C - Q), Q + c * (C - Q), Q]
        u = np.linspace(0, 1, 2001)[:-1]
        weights = np.array([comb(5, i) * u**i * (1 - u) ** (5 - i) for i in range(6)])
        both = np.array(points).T @ weights
        x, y = [*x, *both[0]], [*y, *both[1]]
    x, y = [*x, knots[-1][0]], [*y, knots[-1][1]]
    inner = PchipInterpolator(x, y)
    (xa, ya, da), (xb, yb, db) = knots[0], knots[-1]
    return lambda s: ya + da * (s - xa) if s < xa else yb + db * (s - xb) if s > xb else float(inner(s))


def millard_curves():
    y1 = 1 - 0.8616 * (0.95 - 0.73)
    active = [(0.4441, 0, 0), ((0.4441 + 0.73) / 2, y1 / 2, 1.25 * y1 / (0.73 - 0.4441)), (0.84, (1 + y1) / 2, 0.8616),
              (1, 1, 0), ((1.05 + 1.8123) / 2, 0.5, -1 / (1.8123 - 1.1)), (1.8123, 0, 0)]  # fmt: skip
    stiff = 2 / 0.7
    foot = min(0.1 / stiff, 0.07)
    passive = [(1, 0, 0), (1 + foot, 0.1 * foot, 0.2), (1.7, 1, stiff)]
    k = 1.375 / 0.049
    toe, middle = 1.049 - 1 / 3 / k, 1.049 - 2 / 3 / k
    first = 1 + (toe - 1) / 10
    tendon = [(1, 0, 0), ((first + middle) / 2, 1 / 6, (1 / 3) / (middle - first)), (toe, 2 / 3, k)]
    return bezier(active, [1] * 5), bezier(passive, [0.75] * 2), bezier(tendon, [0.5] * 2)


CURVES = {"thelen": thelen_curves, "millard": millard_curves, "de_groote_fregly": de_groote_curves}


def at(model, x, name, v=0.0, a=0.5, **others):
    found = cd.muscles.forces(model, [x], [v], a, **others)
    return found, cd.muscles.names(model).index(name)


def width():
    return FIBER * sin(ANGLE)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("x", [0.27, 0.3, 0.33])
def test_a_fibre_at_rest_pulls_as_its_tendon_does(model, law, x):
    """Oracle: scipy's brentq on the equilibrium, with the curves written anew."""
    active, passive, tendon = CURVES[law]()
    a = 0.4

    def imbalance(fiber):
        c = sqrt(1 - (width() / fiber) ** 2)
        return (a * active(fiber / FIBER) + passive(fiber / FIBER)) * c - tendon((x - fiber * c) / SLACK)

    fiber = brentq(imbalance, 0.045, hypot(width(), x - SLACK), xtol=1e-15)
    found, k = at(model, x, law, a=a)
    assert found.status[k] == 0
    assert abs(found.fiber_length[k] - fiber) < 1e-9
    assert abs(found.tendon_force[k] - FORCE * tendon((x - fiber * sqrt(1 - (width() / fiber) ** 2)) / SLACK)) < 1e-5
    assert abs(found.pennation_angle[k] - acos(sqrt(1 - (width() / fiber) ** 2))) < 1e-9


@pytest.mark.parametrize("law", LAWS)
def test_a_rigid_tendon_leaves_the_path_to_the_fibre(model, law):
    """Oracle: geometry, and the curves written anew, at rest."""
    active, passive, _ = CURVES[law]()
    x, a = 0.302, 0.7
    fiber = hypot(width(), x - SLACK)
    c = (x - SLACK) / fiber
    found, k = at(model, x, f"{law} rigid", a=a)
    assert abs(found.fiber_length[k] - fiber) < 1e-15
    expected = FORCE * (a * active(fiber / FIBER) + passive(fiber / FIBER)) * c
    assert abs(found.tendon_force[k] - expected) < 1e-5
    moving, _ = at(model, x, f"{law} rigid", v=0.2, a=a)
    assert abs(moving.fiber_velocity[k] - 0.2 * c) < 1e-15
    assert moving.tendon_force[k] > found.tendon_force[k]


@pytest.mark.parametrize("law", LAWS)
def test_a_fibre_of_given_length_moves_so_that_both_pull_alike(model, law):
    """Oracle: the rigid muscle's force at that fibre length and speed, taken from another path length."""
    x, fiber, a = 0.305, 0.095, 0.6
    found, k = at(model, x, law, a=a, fiber_length=fiber)
    c = sqrt(1 - (width() / fiber) ** 2)
    stiff, j = at(model, SLACK + fiber * c, f"{law} rigid", v=found.fiber_velocity[k] / c, a=a)
    assert abs(stiff.fiber_length[j] - fiber) < 1e-12
    assert abs(stiff.tendon_force[j] - found.tendon_force[k]) < 1e-7 * FORCE


def test_springs_ligaments_and_actuators_follow_their_formulas(model):
    """Oracle: the formulas by hand."""
    x, v = 0.29, 0.3
    found, k = at(model, x, "spring", v=v, a=0.5)
    strain, rate, k_line = x / 0.28 - 1, v / 0.28, 2000.0
    expected = [500.0 * (x - 0.25) * 1.03, 0.5 * k_line * strain**2 / 0.06 + 0.003 * rate, 15.0, 0.0]
    np.testing.assert_allclose(found.tendon_force[k:], expected, rtol=1e-12)
    slack = cd.muscles.forces(model, [0.24], [0.0], 0.5, fiber_length=0.08)
    np.testing.assert_array_equal(slack.tendon_force[k : k + 2], 0.0)


def test_generalized_forces_are_tensions_times_moment_arms(model):
    """Oracle: the slider: each path pulls the block back by its tension."""
    found, _ = at(model, 0.3, "spring")
    assert abs(found.generalized_force[0] + found.tendon_force.sum()) < 1e-10
    a = cd.forward_dynamics(model.without_muscles(), [0.3], [0.0], tau=found.generalized_force)
    assert abs(a[0] + found.tendon_force.sum()) < 1e-9


@pytest.mark.slow
def test_a_path_too_short_for_its_tendon_is_told(model):
    """Oracle: a path of 0.15 m and a slack tendon of 0.2 m."""
    with pytest.warns(Approximated, match="thelen"):
        found = cd.muscles.forces(model, [[0.15], [0.3]], [0.0], 0.5)
    k = [cd.muscles.names(model).index(law) for law in LAWS]
    assert (found.status[0, k] == 1).all()
    assert (found.status[1, k] == 0).all()
    np.testing.assert_allclose(found.tendon_force[0, k[:2]], 0.0, atol=1e-12)


@pytest.mark.slow
def test_batches_are_their_states_one_by_one(model):
    """Oracle: single states, in another number type."""
    x = np.linspace(0.26, 0.34, 21)[:, None]
    many = cd.muscles.forces(model, x, 0.1 * np.ones(1), 0.3)
    for k in (0, 9, 20):
        one = cd.muscles.forces(model, x[k], [0.1], 0.3)
        np.testing.assert_allclose(many.tendon_force[k], one.tendon_force, rtol=1e-10, atol=1e-8)


def test_activation_rises_faster_than_it_falls(model):
    """Oracle: (u − a)/τ by hand."""
    n = len(model.muscles)
    rates = cd.muscles.activation_rates(model, np.full(n, 0.5), [[1.0] * n, [0.0] * n])
    y = 0.5 + 1.5 * 0.5
    assert abs(rates[0, 0] - 0.5 / (0.015 * y)) < 1e-12
    assert abs(rates[1, 0] + 0.5 * y / 0.050) < 1e-12
    f = 0.5 * np.tanh(0.05)
    k = cd.muscles.names(model).index("de_groote_fregly")
    assert abs(rates[0, k] - 0.5 * ((0.5 + f) / (0.015 * y) + (0.5 - f) * y / 0.06)) < 1e-11
    assert rates[0, -1] == 0.0


@pytest.mark.parametrize(
    ("others", "error", "words"),
    [
        ({"activation": 1.5}, BadValue, "thelen"),
        ({"activation": [0.1, 0.2]}, BadShape, "muscle"),
        ({"activation": 0.5, "fiber_length": -0.1}, BadValue, "fiber_length"),
    ],
)
def test_activations_and_fibres_that_cannot_be_are_refused(model, others, error, words):
    """Oracle: none; the words name the argument."""
    with pytest.raises(error, match=words):
        cd.muscles.forces(model, [0.3], [0.0], **others)


@pytest.mark.slow
def test_cosines_of_pennation_are_those_of_the_width(model):
    """Oracle: the width stays."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Approximated)
        found = cd.muscles.forces(model, np.linspace(0.2, 0.4, 9)[:, None], [0.0], 1.0)
    k = [cd.muscles.names(model).index(law) for law in LAWS]
    np.testing.assert_allclose(found.fiber_length[:, k] * np.sin(found.pennation_angle[:, k]), width(), atol=1e-12)
    assert abs(cos(found.pennation_angle[-1, 0])) <= 1
