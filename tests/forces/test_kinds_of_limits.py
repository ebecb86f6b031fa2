"""Laws that push back at the ends of a range are limits to whoever asks for limits."""

import warnings
from xml.etree import ElementTree

import numpy as np
import pytest

import condyle as cd
from condyle.errors import NotInModel
from condyle.forces.kernels.declaration import COORDINATE
from condyle.forces.registry import laws_on
from condyle.simulation import OutsideRangeWarning, stable_steps

MASS = 2.0
LAWS = [law.name for law in laws_on(COORDINATE)]
LIMITS = [law.name for law in laws_on(COORDINATE) if law.limit]
VALUES = {"low": -1.0, "high": 1.0, "stiffness_below": 800.0, "stiffness_above": 800.0, "stiffness": 800.0}
VALUES |= {"damping": 3.0, "damping_depth": 0.05, "transition": 0.05, "rest": 0.2, "force": 1.0}


def cart(kind, **changed):
    """A mass on a rail of the range −1 to 1 m, with one load."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(MASS)).set_range("cart", -1.0, 1.0)
    b.add_force(kind, "cart", **{name: (VALUES | changed).get(name, 0.1) for name in cd.forces.LAWS[kind].constants})
    return b.build()


def of_all(kinds):
    return pytest.mark.parametrize("kind", sorted(kinds))


def loaded(model, q, v):
    """The force of the load at many states (n,)."""
    return -cd.inverse_dynamics(model, q[:, None], v[:, None], np.zeros((q.size, 1)))[:, 0]


@of_all(LAWS)
def test_limits_are_what_does_nothing_between_its_ends_and_pushes_back_beyond(kind):
    """Oracle: forces inside of −1 and 1 with rates of both signs, and far outside at rest."""
    model = cart(kind)
    idle = not loaded(model, np.linspace(-0.99, 0.99, 12), np.array([0.5, -0.5] * 6)).any()
    below, above = loaded(model, np.array([-3.0, 3.0]), np.zeros(2))
    assert (kind in LIMITS) == (idle and below > 0 > above), "Law.limit of its declaration"


@of_all(LIMITS)
def test_a_limit_of_any_kind_is_one_in_files_of_robots(kind, tmp_path):
    """Oracle: the attributes of the written joint, and what the warning counts as a force at limits."""
    with pytest.warns(NotInModel, match="1 force at limits"):
        cd.io.write_robot(cart(kind), tmp_path / "cart.xml", seconds=0.0)
    (joint,) = ElementTree.parse(tmp_path / "cart.xml").iter("joint")
    assert joint.get("limited") == "true"
    assert [float(x) for x in joint.get("range").split()] == [-1.0, 1.0]
    with pytest.warns(NotInModel, match="1 force at limits"):
        cd.io.write_robot(cart(kind), tmp_path / "cart.urdf", seconds=0.0)


@of_all(LIMITS)
def test_a_coordinate_with_a_limit_of_any_kind_gets_no_stiff_one(kind):
    """Oracle: the loads, unless the coordinate is named."""
    model = cart(kind)
    assert cd.stiff_limits(model) is model
    assert len(cd.stiff_limits(model, ["cart"]).forces) == 2


@of_all(LIMITS)
def test_a_limit_of_any_kind_may_yield_without_a_word(kind):
    """Oracle: the cart passes the end by about v √(m/k): 0.05 m, then 1 m, where a tenth of the range is 0.2 m."""
    model = cart(kind, damping=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = cd.simulate(model, [0.0], [1.0], duration=2.0, record=0.01)
    assert 1.04 < run.q.max() < 1.1 and run.q[-1, 0] < 0.2  # it came back
    with pytest.warns(OutsideRangeWarning, match="cart"):
        cd.simulate(model, [0.0], [20.0], duration=0.2, record=0.01)


@pytest.mark.slow  # linearisation
@of_all(LIMITS)
def test_a_limit_of_any_kind_counts_as_engaged_in_stable_steps(kind):
    """Oracle: √(k/m) of the steepest slope of the force at rest, found on a fine grid."""
    model = cart(kind, damping=0.0)
    x = np.linspace(0.9, 1.2, 3001)
    steepest = -np.diff(loaded(model, x, np.zeros_like(x))).min() / (x[1] - x[0])
    assert stable_steps(model).rate == pytest.approx(np.sqrt(steepest / MASS), rel=1e-3)
