"""What cannot be in one state stays in that state: every lane of a batch alone, its neighbours bit by bit the same."""

import warnings

import numpy as np
import pytest

import condyle as cd
from condyle.errors import Approximated, BadValue, UnknownName
from support.muscle_models import bodies

COUNT = 19  # two blocks of lanes and a part
WAY = cd.functions.polynomial([0.0, 0.1])


def over_everything():
    """Paths whose second point is in each wrap at an angle of the hand near 3, and far away at 0."""
    b = bodies()
    place = cd.SE3.from_translation([0.2, 0.0, 0.0])  # on the arm, where the hand's point comes to
    b.add_wrap("drum", "cylinder", "arm", place, radius=0.03, length=1.0)
    b.add_wrap("ball", "sphere", "arm", place, radius=0.03)
    b.add_wrap("egg", "ellipsoid", "arm", place, dimensions=(0.03, 0.04, 0.05))
    for name in ("drum", "ball", "egg"):
        b.add_path(name, [("arm", (0.1, -0.01, 0)), ("hand", (0.1, 0, 0))], wraps=[name])
    held = cd.muscles.conditional_point("hand", (0.1, 0, 0), "hand", (-1.0, 1.0))
    b.add_path("held", [(None, (0, 0.2, 0)), held])
    return b.build()


@pytest.fixture(scope="module")
def model():
    return over_everything()


def calm(count):
    rng = np.random.default_rng(1)
    return np.c_[rng.uniform(-1, 1, count), rng.uniform(-0.5, 0.5, count)]


@pytest.mark.slow
@pytest.mark.parametrize("lane", range(COUNT))
def test_a_point_inside_a_wrap_goes_straight_in_its_state_alone(model, lane):
    """Oracle: the straight distance there; the same batch without it elsewhere."""
    q = calm(COUNT)
    good = cd.muscles.lengths(model, q)
    q[lane, 1] = np.pi
    found = cd.muscles.lengths(model, q, on_failure="nan")
    np.testing.assert_allclose(found[lane, :3], np.hypot(0.1, 0.01), atol=1e-12)
    assert np.isnan(found[lane, 3])
    others = np.arange(COUNT) != lane
    np.testing.assert_array_equal(found[others], good[others])
    with pytest.raises(BadValue, match=f"held.*state {lane} "):
        cd.muscles.lengths(model, q)


@pytest.mark.slow
@pytest.mark.parametrize("lane", [0, 3, 7, 8, 18])
def test_a_fibre_without_equilibrium_is_named_in_its_state_alone(lane):
    """Oracle: the same batch without it elsewhere; the words name muscle and state."""
    b = cd.ModelBuilder().add_body("block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    for law in ("thelen", "millard", "de_groote_fregly"):
        b.add_muscle(law, [(None, (0, 0, 0)), ("block", (0, 0, 0))], law)
    model, q = b.build(), np.linspace(0.28, 0.32, COUNT)[:, None]
    v = np.zeros((COUNT, 1))
    good = cd.muscles.forces(model, q, v, 0.3)
    q[lane] = 0.15  # shorter than the slack tendon
    with pytest.warns(Approximated, match=rf"thelen.*state {lane}:"):
        found = cd.muscles.forces(model, q, v, 0.3)
    assert (found.status[lane] == 1).all()
    others = np.arange(COUNT) != lane
    assert not found.status[others].any()
    np.testing.assert_array_equal(found.tendon_force[others], good.tendon_force[others])


def test_what_no_model_can_have_is_refused_by_name():
    """Oracle: none; the words name the object and what was got."""
    ends, moving = [(None, (0, 0, 0)), ("arm", (0.1, 0, 0))], cd.muscles.moving_point("arm", [WAY, 0, 0], "knee")
    cases = [
        (lambda b: b.add_wrap("drum", "sphere", "leg", radius=0.1), UnknownName, "drum.*leg"),
        (lambda b: b.add_path("p", ends, wraps=["drum"]), UnknownName, "'p'.*drum"),
        (lambda b: b.add_path("p", [ends[0], moving]), UnknownName, "knee"),
        (lambda b: b.add_muscle("m", ends, tendon_slack_length=-0.2), BadValue, "'m'.*tendon_slack_length.*-0.2"),
        (lambda b: b.add_muscle("m", ends, optimal_fiber_length=0.0), BadValue, "'m'.*optimal_fiber_length"),
    ]
    for add, error, words in cases:
        with pytest.raises(error, match=words):
            add(bodies()).build()


def test_a_fibre_length_that_is_none_is_named():
    """Oracle: none; the words name the muscle."""
    b = bodies().add_muscle("m", [(None, (0, 0.3, 0)), ("arm", (0.1, 0, 0))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(BadValue, match="fiber_length"):
            cd.muscles.forces(b.build(), [0.1, 0.0], [0.0, 0.0], 0.5, fiber_length=-0.1)
