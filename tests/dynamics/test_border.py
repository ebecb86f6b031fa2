"""What the dynamics functions refuse at their border: numbers that are none, and results that overflow."""

import inspect
import warnings
from fractions import Fraction

import numpy as np
import pytest

import condyle as cd
from condyle import errors
from support.thinning import slow_but


@pytest.fixture(scope="module")
def model() -> cd.Model:
    """A swinging rail and a cart on it."""
    b = cd.ModelBuilder()
    b.add_body("rail", joint=cd.joints.revolute("y"), inertia=cd.Inertia.sphere(1.0, 0.05, com=(0, 0, -1.0)))
    b.add_body("cart", parent="rail", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(2.0, 0.1))
    return b.build()


CALLS = {
    "inverse_dynamics": lambda m, q, v, **o: cd.inverse_dynamics(m, q, v, [1.0, 1.0], **o),
    "inverse_dynamics_derivatives": lambda m, q, v, **o: cd.inverse_dynamics_derivatives(m, q, v, [1.0, 1.0], **o).dq,
    "bias_forces": lambda m, q, v, **o: cd.bias_forces(m, q, v, **o),
    "forward_dynamics": lambda m, q, v, **o: cd.forward_dynamics(m, q, v, **o),
    "energy": lambda m, q, v, **o: cd.energy(m, q, v, **o).total,
    "momentum": lambda m, q, v, **o: cd.momentum(m, q, v, **o).angular,
}
STATES_ONLY = {
    "mass_matrix": lambda m, q, v, **o: cd.mass_matrix(m, q, **o),
    "center_of_mass": lambda m, q, v, **o: cd.center_of_mass(m, q, **o),
}
WITHOUT_NAN = {
    "body_velocities": lambda m, q, v: cd.body_velocities(m, q, v),
    "body_accelerations": lambda m, q, v: cd.body_accelerations(m, q, v, [0.0, 0.0]),
    "body_jacobian_rate": lambda m, q, v: cd.body_jacobian_rate(m, q, v, "cart"),
    "point_jacobian_rate": lambda m, q, v: cd.point_jacobian_rate(m, q, v, "cart"),
    "linearize": lambda m, q, v: cd.linearize(m, q, v),
}


LINEAR = "momentum", "body_velocities", "body_jacobian_rate", "point_jacobian_rate"
HUGE = dict.fromkeys(LINEAR, 1.7e308)  # these are linear in the speeds; the others take squares


COMPILES_LONG = "linearize", "inverse_dynamics_derivatives", "body_jacobian_rate", "point_jacobian_rate"


@pytest.mark.parametrize("name", slow_but({*CALLS, *WITHOUT_NAN} - {*COMPILES_LONG}, [*CALLS, *WITHOUT_NAN]))
def test_speeds_too_large_to_compute_with_are_named(model, name):
    """Oracle: squares of 1e200 are no float64; the class, the coordinate and the state. No NaN, no warning of numpy."""
    call = {**CALLS, **WITHOUT_NAN}[name]
    v = np.zeros((3, 2))
    v[1] = HUGE.get(name, 1e200)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(errors.NotFinite, match=r"state \[1\].*(rail|cart)"):
            call(model, np.full((3, 2), 5.0), v)
        with pytest.raises(errors.NotFinite, match=r"rail|cart"):
            call(model, [5.0, 5.0], v[1])


@pytest.mark.parametrize("name", slow_but({*CALLS} - {*COMPILES_LONG}, CALLS))
def test_errors_as_nan_leave_the_other_states_alone(model, name):
    """Oracle: the same states without the bad one."""
    v = np.full((3, 2), 0.3)
    q = np.full((3, 2), 0.5)
    calm = CALLS[name](model, q, v)
    v[1] = HUGE.get(name, 1e200)
    found = CALLS[name](model, q, v, on_failure="nan")
    assert np.isnan(found[1]).all() and np.array_equal(found[[0, 2]], calm[[0, 2]])
    with pytest.raises(errors.BadValue, match="on_failure must be 'raise' or 'nan'"):
        CALLS[name](model, q, v, on_failure="ignore")


@pytest.mark.parametrize("name", [*STATES_ONLY])
def test_places_too_far_to_compute_with_are_named(model, name):
    """Oracle: the moment of inertia of a cart 1e200 m away is no float64, nor its moment about 1e308 m."""
    q = np.full((3, 2), 0.1)
    q[2, 1] = 1.7e308
    with pytest.raises(errors.NotFinite, match=r"state \[2\].*'cart' is 1\.7e\+308"):
        STATES_ONLY[name](model, q, None)
    found = STATES_ONLY[name](model, q, None, on_failure="nan")
    assert np.isnan(found[2]).all() and np.array_equal(found[:2], STATES_ONLY[name](model, q[:2], None))


def test_large_angles_are_angles(model):
    """Oracle: numpy's sine of 1e200 rad, which is exact: what can be computed is not refused."""
    assert cd.energy(model, [1e200, 0.0], [0.0, 0.0]).total == pytest.approx(-9.81 * np.cos(1e200))


BAD = {
    "complex": (np.array([1.0, 1.0 + 2j]), "complex"),
    "object": (np.array([Fraction(1, 2), None], dtype=object), "Fraction"),
    "text": (["1.0", "2.0"], "text"),
    "dates": (np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]"), "datetime64"),
    "ragged": ([1.0, [2.0]], "inhomogeneous"),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("where", ["q", "v", "tau", "a", "wrenches"])
def test_numbers_that_are_not_real_are_refused(model, kind, where):
    """Oracle: the class, the argument's name and the kind; numpy would drop an imaginary part and read '1.0'."""
    value, words = BAD[kind]
    given = {"q": [0.0, 0.0], "v": [0.0, 0.0], where: value}
    call = cd.inverse_dynamics if where == "a" else cd.forward_dynamics
    with pytest.raises(errors.BadShape, match=f"^{where} must be an array of real numbers.*{words}"):
        call(model, **given)


@pytest.mark.parametrize("kind", ["complex", "object", "text"])
def test_coordinates_and_axes_of_joints_are_real(kind):
    """Oracle: the class and the words."""
    value, words = BAD[kind]
    for call in (
        lambda: cd.joints.universal("x", "y").pose(value),
        lambda: cd.joints.revolute([*value, 0.0]),
        lambda: cd.joints.product([[*value, 0, 0, 0, 0]], [cd.functions.linear()]),
        lambda: cd.functions.linear()(value),
        lambda: cd.SE3.from_translation([*value, value[0]]),
    ):
        with pytest.raises(errors.BadShape, match=f"real numbers.*{words}"):
            call()


def test_points_and_forces_are_real(model):
    """Oracle: the class and the argument's name."""
    q = [0.0, 0.0]
    with pytest.raises(errors.BadShape, match="point"):
        cd.point_jacobian(model, q, "cart", [1j, 0, 0])
    with pytest.raises(errors.NotFinite, match="point"):
        cd.point_jacobian(model, q, "cart", [np.nan, 0, 0])
    for bad in ([1j, 0, 0], [1.0, 2.0], "up"):
        with pytest.raises(errors.BadShape, match="force"):
            cd.world_force(model, q, "cart", bad)
    with pytest.raises(errors.NotFinite, match="moment"):
        cd.world_force(model, q, "cart", [0, 0, 1.0], moment=[np.inf, 0, 0])


def test_a_force_for_each_state_broadcasts(model):
    """Oracle: single calls."""
    q, f = np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    found = cd.world_force(model, q, "cart", f)
    assert np.array_equal(found, [cd.world_force(model, a, "cart", b) for a, b in zip(q, f, strict=True)])


@pytest.mark.parametrize(("values", "worst"), [((60, 80, 70), "80"), ((-60, -70, 1), "-70"), ((2.5, -9, 8), "-9")])
def test_the_value_farthest_outside_a_domain_is_named(values, worst):
    """Oracle: the distances from [−2, 2], by hand."""
    drive = cd.functions.from_callable(np.tanh, (-2, 2))
    joint = cd.joints.product([(0, 0, 0, 1, 0, 0)], [drive], outside="error")
    model = cd.ModelBuilder().add_body("slide", joint=joint, inertia=cd.Inertia.point(1.0)).build()
    with pytest.raises(errors.OutsideDomain, match=rf"'slide'.*got {worst};.*keep .* inside"):
        cd.forward_dynamics(model, np.reshape(values, (3, 1)), np.zeros((3, 1)))


NEEDED = {"body": "cart", "duration": 0.01, "markers": {}, "unknown": ()}


def of_models():
    """The public functions of `condyle` and `condyle.muscles` whose first argument is a model."""
    for home in (cd, cd.muscles):
        for name in home.__all__:
            thing = getattr(home, name)
            if inspect.isfunction(thing) and next(iter(inspect.signature(thing).parameters), "") == "model":
                yield pytest.param(thing, id=f"{home.__name__}.{name}")


@pytest.mark.parametrize("function", [*of_models()])
@pytest.mark.parametrize("thing", ["leg.toml", cd.ModelBuilder()], ids=["str", "builder"])
def test_what_is_no_model_is_refused_by_name(function, thing):
    """Oracle: the class and the way out; an AttributeError of str said nothing to who gave the name of a file."""
    _, *others = inspect.signature(function).parameters.values()
    asked = [p for p in others if p.default is p.empty]
    given = {p.name: NEEDED.get(p.name, [0.0, 0.0]) for p in asked}
    with pytest.raises(errors.BadValue, match=r"cd[.]Model.*(cd[.]load|build\(\)).*(str|ModelBuilder)"):
        function(thing, **given)


def test_masked_numbers_are_missing(model):
    """Oracle: the index; masks were dropped in silence, and what stood beneath them was used."""
    with pytest.raises(errors.NotFinite, match=r"q\[1\]"):
        cd.forward_dynamics(model, np.ma.array([0.1, 0.2], mask=[False, True]), [0.0, 0.0])
    whole = np.ma.array([0.1, 0.2])
    assert np.array_equal(cd.energy(model, whole, [0, 0]), cd.energy(model, [0.1, 0.2], [0, 0]))


def test_tables_whose_columns_are_in_another_order_are_refused(model):
    """Oracle: the model's order; pandas' labels were ignored, and coordinates changed places in silence."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"cart": [0.2, 0.4], "rail": [0.1, 0.3]})
    with pytest.raises(errors.BadShape, match=r"cart, rail.*rail, cart"):
        cd.center_of_mass(model, table)
    with pytest.raises(errors.BadShape, match=r"cart, rail.*rail, cart"):
        cd.energy(model, [0.1, 0.2], table.iloc[0])
    ordered = table[list(model.coordinates)]
    assert np.array_equal(cd.center_of_mass(model, ordered), cd.center_of_mass(model, [[0.1, 0.2], [0.3, 0.4]]))
