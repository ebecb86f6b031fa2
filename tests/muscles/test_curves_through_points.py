"""Laws whose curves go through points: Schutte's muscle, a muscle with a rigid tendon, ligaments; and McKibben's."""

import warnings
from math import exp, pi, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

import condyle as cd
from condyle.errors import BadValue

X = np.array([0.2, 0.5, 0.8, 1.0, 1.3, 1.7])
FORCE, FIBER, SLACK = 500.0, 0.1, 0.2
SIZES = {"max_isometric_force": FORCE, "optimal_fiber_length": FIBER, "tendon_slack_length": SLACK}


def active(x):  # cubics are what the spline gives back exactly
    return 0.1 + 0.9 * x - 0.3 * (x - 1) ** 3


def stretch(x):
    return 0.4 * (x - 0.2) ** 3


def tendon(e):
    return 30.0 * e + 100.0 * e**2 + 20.0 * e**3


def points(f, x):
    return tuple(x.tolist()), tuple(f(x).tolist())


CURVES = {
    "active_force_length_curve": points(active, X),
    "passive_force_length_curve": points(stretch, X),
    "tendon_force_length_curve": points(tendon, np.linspace(-0.1, 0.3, 7)),
}


@pytest.fixture(scope="module")
def model():
    b = cd.ModelBuilder().add_body("block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    ends = [(None, (0, 0, 0)), ("block", (0, 0, 0))]
    b.add_muscle("schutte", ends, "schutte", **SIZES, **CURVES)
    b.add_muscle("plain", ends, "schutte", **SIZES)
    b.add_muscle("rigid", ends, "rigid_tendon", **SIZES,
                 active_force_length_curve=CURVES["active_force_length_curve"],
                 passive_force_length_curve=CURVES["passive_force_length_curve"],
                 force_velocity_curve=points(lambda v: 1 + v - v**3, np.linspace(-1, 1, 5)))  # fmt: skip
    b.add_muscle("ligament", ends, "ligament", pcsa_force=40.0, resting_length=0.25,
                 force_length_curve=points(stretch, X))  # fmt: skip
    b.add_muscle("rubber", ends, "mckibben", number_of_turns=2.0, thread_length=0.3, cord_length=0.05)
    return b.build()


def column(model, name):
    return cd.muscles.names(model).index(name)


def found(model, x, v, a, **others):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        return cd.muscles.forces(model, x, v, a, **others)


def test_schutte_s_fibre_moves_as_its_quadratic_says(model):
    """Oracle: the roots of the quadratic of force over speed, by numpy, for curves that are cubics."""
    k, d, kv, slope = column(model, "schutte"), 0.1, 0.15, 0.13 * 0.15 / 1.15
    for x, fiber, a in [(0.31, 0.1, 0.5), (0.32, 0.09, 0.3), (0.305, 0.1, 0.9), (0.31, 0.104, 0.8)]:
        r = found(model, [x], [0.0], a, fiber_length=[fiber] * 5)
        F = tendon((x - fiber) / SLACK - 1)
        assert abs(r.tendon_force[k] - FORCE * F) < 1e-10
        A, need = a * active(fiber / FIBER), max(0.0, F - stretch(fiber / FIBER))
        if need < A:
            v = min(np.roots([1, -(need + kv * (A + d)) / d, kv * (need - A) / d]))
        else:
            v = max(np.roots([1, -((need - 1.4 * A) / d - slope), -slope * (need - A) / d]))
        assert abs(r.fiber_velocity[k] - v * FIBER / 0.1) < 1e-9
        assert abs(r.active_fiber_force[k] - FORCE * need) < 1e-9  # the force at that speed


def test_schutte_s_fibre_at_rest_pulls_as_its_tendon_does(model):
    """Oracle: scipy's brentq; the passive force without a curve is an exponential."""
    r = found(model, [0.31], [0.0], 0.4)
    curved = brentq(lambda l: 0.4 * active(l / FIBER) + stretch(l / FIBER) - tendon((0.31 - l) / SLACK - 1), 0.05, 0.11)
    assert abs(r.fiber_length[column(model, "schutte")] - curved) < 1e-11
    k = column(model, "plain")
    assert abs(r.passive_fiber_force[k] - FORCE * exp(8 * (r.fiber_length[k] / FIBER - 1) - 4)) < 1e-9


def test_schutte_s_activation_rises_faster_than_it_falls(model):
    """Oracle: its two rates by hand."""
    rates = cd.muscles.activation_rates(model, [[0.3] * 5, [0.6] * 5], [[0.8] * 5, [0.2] * 5])
    expected = [0.5 * (7.667 * 0.8 + 1.459854) / 0.1, -0.4 * 1.459854 / 0.1]
    np.testing.assert_allclose(rates[:, column(model, "schutte")], expected, rtol=1e-13)


def test_a_rigid_tendon_s_fibre_follows_the_path(model):
    """Oracle: its curves by hand."""
    r, k = found(model, [0.31], [0.3], 0.6), column(model, "rigid")
    v = 0.3 / FIBER / 10.0
    expected = FORCE * (0.6 * active(1.1) * (1 + v - v**3) + stretch(1.1))
    assert abs(r.tendon_force[k] - expected) < 1e-9


def test_ligaments_pull_above_their_resting_length_and_rubber_by_its_pressure(model):
    """Oracle: their formulas by hand."""
    for x in (0.2, 0.31):
        r = found(model, [x], [0.0], [0.5, 0.5, 0.5, 0.0, 2e4])
        ligament = 40.0 * stretch(x / 0.25) if x > 0.25 else 0.0
        assert abs(r.tendon_force[column(model, "ligament")] - ligament) < 1e-12
        rubber = 2e4 * 0.3**2 / (4 * pi * 2**2) * (3 * ((x - 0.05) / 0.3) ** 2 - 1)
        assert abs(r.tendon_force[column(model, "rubber")] - rubber) < 1e-9
    assert sqrt(1 / 3) * 0.3 + 0.05 < 0.31  # one of each sign


def test_curves_are_kept_in_files(model, tmp_path):
    """Oracle: the forces before."""
    before = found(model, [0.31], [0.2], 0.5, fiber_length=[0.1] * 5).tendon_force
    for name in ("m.toml", "m.osim"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again = cd.load(cd.save(model, tmp_path / name))
        after = found(again, [0.31], [0.2], 0.5, fiber_length=[0.1] * 5).tendon_force
        np.testing.assert_allclose(after, before, rtol=1e-9, err_msg=name)


@pytest.mark.parametrize(
    "curve", [((0, 1), (0,)), ((0, 0), (1, 2)), ((1, 0), (0, 1)), ((0,), (0,)), 3.0, ((0, np.nan), (0, 1)), "ab"]
)
def test_a_curve_that_is_none_is_refused_by_name(curve):
    """Oracle: none; the words name the muscle and the curve."""
    b = cd.ModelBuilder().add_body("block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    with pytest.raises(BadValue, match=r"m'.*force_length_curve"):
        b.add_muscle("m", [(None, (0, 0, 0)), ("block", (0, 0, 0))], "schutte", active_force_length_curve=curve).build()


def test_a_ligament_needs_its_resting_length():
    """Oracle: none; the words name it."""
    b = cd.ModelBuilder().add_body("block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    with pytest.raises(BadValue, match="resting_length"):
        b.add_muscle("m", [(None, (0, 0, 0)), ("block", (0, 0, 0))], "ligament", pcsa_force=3.0).build()
