"""Every kind of load on a coordinate is known to whoever reads loads; an unknown one is refused by name."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadValue, NotSupported
from condyle.io import model_describe
from condyle.io.schema import AnyLoad
from condyle.model import CoordinateLoad
from condyle.model.kernels.layout import CONSTANT
from condyle.model.load_kinds import CONSTANTS
from condyle.skeleton import from_model

UNKNOWN = 99
STATES = 17  # two full sets of lanes and one state
FORCE = "coordinate_force of dynamics/kernels/loads.py"
SLOPES = "load_slopes of dynamics/derivatives/kernels/load_derivatives.py"


def hinge():
    """One hinge with a constant force."""
    b = cd.ModelBuilder().add_body("door", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1))
    return b.add_force("door", 2.0).build()


def test_files_and_the_model_know_the_same_kinds_of_loads():
    """Oracle: each list against the others; `spring` and `bushing` act between bodies."""
    types = {get_args(kind.model_fields["type"].annotation)[0]: kind for kind in get_args(get_args(AnyLoad)[0])}
    assert set(model_describe.LOADS) == set(CONSTANTS), (
        "name the kind in LOADS of io/model_describe.py and in CONSTANTS of model/load_kinds.py"
    )
    assert set(model_describe.LOADS.values()) == set(types) - {"spring", "bushing"}, (
        "add a class to io/schema.py and name it in AnyLoad"
    )
    for kind, word in model_describe.LOADS.items():
        missing = set(CONSTANTS[kind]) - set(types[word].model_fields)
        assert not missing, f"{word}: the names of CONSTANTS as fields in io/schema.py"


def test_a_model_refuses_a_kind_that_there_is_not():
    """Oracle: the number of the load and of the kind, and where kinds are."""
    model = hinge()
    with pytest.raises(BadValue, match=rf"load 0: there is no kind {UNKNOWN}.*layout\.py.*CONSTANTS"):
        replace(model, coordinate_loads=(CoordinateLoad(UNKNOWN, 0, 0, (1.0,)),))


@pytest.mark.parametrize("use", [from_model, lambda model: cd.save(model, "door.toml")], ids=["skeleton", "file"])
def test_a_kind_that_only_the_model_knows_is_refused_by_name(use, monkeypatch, tmp_path):
    """Oracle: the words, for a kind that was added to the model alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(CONSTANTS, UNKNOWN, ("force",))
    model = replace(hinge(), coordinate_loads=(CoordinateLoad(UNKNOWN, 0, 0, (1.0,)),))
    with pytest.raises(NotSupported, match=rf"'door'.* kind {UNKNOWN}"):
        use(model)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("use", "error", "words"),
    [
        (from_model, NotSupported, r"'door'.*limit with a damping_depth"),
        (lambda model: cd.save(model, "door.osim"), cd.errors.CondyleWarning, r"door\.osim.*load \(limit\) on 'door'"),
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


def with_word(kind):
    """The number of a kind and its word in files, if it has one."""
    return f"{kind} {model_describe.LOADS.get(kind, '')}".strip()


def with_load(kind):
    """The hinge without gravity, with one load; of limits, the ends are 0.1 and 0.2."""
    constants = tuple(0.1 * (1 + k) for k in range(len(CONSTANTS[kind])))
    return replace(hinge(), gravity=np.zeros(3), coordinate_loads=(CoordinateLoad(kind, 0, 0, constants),))


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
@pytest.mark.parametrize("kind", CONSTANTS, ids=with_word)
def test_slopes_and_energy_of_every_kind_follow_from_its_force(kind):
    """Oracle: differences of the force, and its integral at rest. A kind without a branch would act as a spring."""
    model, h = with_load(kind), 1e-6
    q, v = mixed(-0.87, 1.11, 7), mixed(-0.7, 0.8, 5)

    def force(q, v):
        return both(lambda q, v: -cd.inverse_dynamics(model, q, v, 0.0 * q), q, v)

    def slope(by):
        return both(lambda q, v: -getattr(cd.inverse_dynamics_derivatives(model, q, v, 0.0 * q), by), q, v)

    words = f"kind {kind}: its branches in {FORCE} and in {SLOPES} do not agree"
    assert_allclose(slope("dq"), (force(q + h, v) - force(q - h, v)) / (2 * h), atol=1e-8, err_msg=words)
    assert_allclose(slope("dv"), (force(q, v + h) - force(q, v - h)) / (2 * h), atol=1e-8, err_msg=words)
    if kind != CONSTANT:  # as external forces, not counted as potential
        below, above = (both(lambda q: cd.energy(model, q, 0.0 * q).potential, q + x) for x in (-h, h))
        words = f"kind {kind}: its branches in {FORCE} and in _load_energy of dynamics/energy.py do not agree"
        assert_allclose(force(q, 0.0 * q), (below - above) / (2 * h), atol=1e-8, err_msg=words)


@pytest.mark.slow  # an entry of its own
@pytest.mark.parametrize("kind", CONSTANTS, ids=with_word)
def test_every_kind_acts_on_members_with_tables_of_their_own(kind):
    """Oracle: the force of single states over the moment of inertia, 2/5 m r² of a ball of each member's own mass."""
    model, q = with_load(kind), mixed(-0.87, 1.11, 7)[:, None]
    v, mass = 0.3 - q, np.linspace(1.0, 3.0, STATES)
    moments = mass[:, None, None] * np.diag(np.full(3, 0.4 * 0.1**2))
    got = cd.forward_dynamics(model, q, v, parameters={"door.mass": mass, "door.moment": moments})
    force = np.array([-cd.inverse_dynamics(model, *state, [0.0]) for state in zip(q, v, strict=True)])
    assert_allclose(got, force / moments[:, 0, :1], rtol=1e-12, atol=1e-14)
