"""Laws on coordinates: what they declare, their slopes and energies, members of batches, and who does not have them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadShape, BadValue, NotSupported, UnknownName
from condyle.forces import Element, OnCoordinate
from condyle.forces.kernels.declaration import COORDINATE
from condyle.forces.registry import laws_on
from condyle.skeleton import from_model

STATES = 17  # two full sets of lanes and one state
LAWS = [law.name for law in laws_on(COORDINATE)]


def door():
    """One hinge in free space."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    return b.add_body("door", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1))


@pytest.mark.parametrize(
    ("law", "constants", "error", "words"),
    [
        ("sprung", {}, UnknownName, "sprung"),
        ("coordinate_spring", {"stifness": 1.0}, UnknownName, "stifness"),
        ("coordinate_spring", {}, BadValue, "stiffness"),
        ("coordinate_spring", {"stiffness": -1.0}, BadValue, "stiffness"),
        ("coordinate_spring", {"stiffness": np.nan}, BadValue, "stiffness"),
        ("coordinate_spring", {"stiffness": "stiff"}, BadValue, "stiffness"),
        ("soft_limit", {"low": 0.0, "high": 1.0, "stiffness_below": 1, "stiffness_above": 1, "transition": 0.0},
         BadValue, "transition"),
        ("soft_limit", {"low": 1.0, "high": 0.0, "stiffness_below": 1, "stiffness_above": 1, "transition": 1.0},
         BadValue, "low"),
        ("limit", {"low": -np.inf, "high": np.inf, "stiffness": 1.0}, BadValue, "low, high or both"),
    ],
)  # fmt: skip
def test_what_a_law_does_not_take_is_refused_by_name(law, constants, error, words):
    """Oracle: the class and the constant."""
    with pytest.raises(error, match=words):
        door().add_force(law, "door", **constants)


def test_a_contact_is_of_a_law_of_contact():
    """Oracle: the class, the law that was given and one that would do."""
    with pytest.raises(BadValue, match=r"'damper'.*hertz"):
        door().add_contact("door", sphere=((0, 0, 0), 0.1), law="damper", damping=1.0)


def test_a_force_needs_the_constants_of_its_law():
    """Oracle: the class and the name of the force."""
    with pytest.raises(BadShape, match="mine"):
        Element("mine", "limit", OnCoordinate(0, 0), (1.0,))
    with pytest.raises(BadValue, match="mine"):
        Element("mine", "spring", OnCoordinate(0, 0), (1.0, 0.0, 1.0))


def test_forces_have_names_of_their_own():
    """Oracle: the default with a number where it is taken; a name that was given twice is refused."""
    b = (
        door()
        .add_damping("door", 1.0)
        .add_damping("door", 2.0)
        .add_force("constant_force", "door", name="wind", force=1.0)
    )
    assert [f.name for f in b.build().forces] == ["damper@door", "damper@door_2", "wind"]
    with pytest.raises(cd.CondyleError, match="wind"):
        b.add_force("constant_force", "door", name="wind", force=1.0)


@pytest.mark.parametrize(
    ("use", "error", "words"),
    [
        (from_model, NotSupported, r"'door'.*limit with a damping_depth"),
        (lambda model: cd.save(model, "door.osim"), cd.errors.CondyleWarning, r"door\.osim.*limit on 'door'"),
    ],
    ids=["skeleton", "osim"],
)
def test_a_load_that_others_do_not_have_is_named(use, error, words, monkeypatch, tmp_path):
    """Oracle: the words, for a limit whose damping rises with depth."""
    monkeypatch.chdir(tmp_path)
    b = cd.ModelBuilder().add_body("door", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1))
    model = b.add_limit("door", -1.0, 1.0, stiffness=10.0, damping_depth=0.1).build()
    with pytest.warns(error, match=words) if issubclass(error, Warning) else pytest.raises(error, match=words):
        use(model)


def with_force(law):
    """The hinge with one force; of limits, the ends are 0.1 and 0.2."""
    names = cd.forces.LAWS[law].constants
    return door().add_force(law, "door", **{name: 0.1 * (1 + k) for k, name in enumerate(names)}).build()


def mixed(low, high, stride):
    """Numbers from low to high out of order: states side by side are on both sides of a limit."""
    return np.linspace(low, high, STATES)[np.arange(STATES) * stride % STATES]


def both(of, *columns):
    """Results of a batch, which are those of its states one by one."""
    found = of(*(x[:, None] for x in columns))
    single = np.array([of(*(np.array([x]) for x in state)) for state in zip(*columns, strict=True)])
    assert_allclose(found, single, rtol=1e-13, atol=1e-15, err_msg="a batch and its states one by one")
    return np.ravel(found)


@pytest.mark.slow  # an entry of its own
@pytest.mark.parametrize("law", LAWS)
def test_slopes_and_energy_of_every_law_follow_from_its_force(law):
    """Oracle: differences of the force, and its integral at rest."""
    model, h = with_force(law), 1e-6
    q, v = mixed(-0.87, 1.11, 7), mixed(-0.7, 0.8, 5)

    def force(q, v):
        return both(lambda q, v: -cd.inverse_dynamics(model, q, v, 0.0 * q), q, v)

    def slope(by):
        return both(lambda q, v: -getattr(cd.inverse_dynamics_derivatives(model, q, v, 0.0 * q), by), q, v)

    assert_allclose(slope("dq"), (force(q + h, v) - force(q - h, v)) / (2 * h), atol=1e-8)
    assert_allclose(slope("dv"), (force(q, v + h) - force(q, v - h)) / (2 * h), atol=1e-8)
    if law != "constant_force":  # as external forces, not counted as potential
        below, above = (both(lambda q: cd.energy(model, q, 0.0 * q).potential, q + x) for x in (-h, h))
        assert_allclose(force(q, 0.0 * q), (below - above) / (2 * h), atol=1e-8)


@pytest.mark.slow  # an entry of its own
@pytest.mark.parametrize("law", LAWS)
def test_every_law_acts_on_members_with_tables_of_their_own(law):
    """Oracle: the force of single states over the moment of inertia, 2/5 m r² of a ball of each member's own mass."""
    model, q = with_force(law), mixed(-0.87, 1.11, 7)[:, None]
    v, mass = 0.3 - q, np.linspace(1.0, 3.0, STATES)
    moments = mass[:, None, None] * np.diag(np.full(3, 0.4 * 0.1**2))
    got = cd.forward_dynamics(model, q, v, parameters={"door.mass": mass, "door.moment": moments})
    force = np.array([-cd.inverse_dynamics(model, *state, [0.0]) for state in zip(q, v, strict=True)])
    assert_allclose(got, force / moments[:, 0, :1], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("law", LAWS)
def test_constants_are_parameters_of_members(law):
    """Oracle: each member's own model, bit by bit where lanes are used."""
    model = with_force(law)
    (force,) = model.forces
    names = [name for name, x in force.named.items() if name not in ("low", "high")]
    factors = np.linspace(1.0, 2.0, STATES)
    q, v = mixed(-0.87, 1.11, 7)[:, None], mixed(-0.7, 0.8, 5)[:, None]
    values = {f"{force.name}.{name}": factors * force.named[name] for name in names}
    got = cd.forward_dynamics(model, q, v, parameters=values)
    own = [model.with_parameters({name: x[i] for name, x in values.items()}) for i in range(STATES)]
    assert_allclose(got, [cd.forward_dynamics(m, *s) for m, *s in zip(own, q, v, strict=True)], rtol=1e-12, atol=1e-14)
    expected = {name: x * (2.0 if name in names else 1.0) for name, x in force.named.items()}
    assert own[-1].forces[0].named == pytest.approx(expected)
    bad = -1.0 if force.declared.constants[names[0]].least == 0.0 else np.nan
    with pytest.raises(cd.CondyleError, match=names[0]):
        cd.forward_dynamics(model, q, v, parameters={f"{force.name}.{names[0]}": np.full(STATES, bad)})


def test_dry_friction_slows_a_wheel_evenly_and_takes_its_energy():
    """Oracle: ω = ω0 − friction t / I far above `slowest`; the energy that is gone at the end is all."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("wheel", joint=cd.joints.revolute("z"), inertia=cd.Inertia(1.0, (0, 0, 0), (0.1, 0.1, 0.2)))
    model = b.add_force("dry_friction", "wheel", friction=0.5, slowest=1e-3).build()
    run = cd.simulate(model, [0.0], [4.0], duration=2.0, step=1e-4, record=0.1)
    sliding = run.t < 1.5
    assert_allclose(run.v[sliding, 0], 4.0 - 0.5 * run.t[sliding] / 0.2, atol=1e-4)
    assert abs(run.v[-1, 0]) < 1e-4
