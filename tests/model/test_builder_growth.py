"""What the builder does grows with the model, not with its square."""

import sys

import numpy as np
import pytest

import condyle as cd
from condyle.model.builder import model_builder as module
from condyle.model.packing.model_packing import pack_model

ROD = cd.Inertia.box(1.0, (0.1, 0.2, 0.3), com=(0.0, 0.0, -0.1))


def chain(count: int) -> cd.ModelBuilder:
    """Hinges one below the other, every one damped, limited and with a range."""
    b, below = cd.ModelBuilder(), np.eye(4)
    below[2, 3] = -0.2
    for i in range(count):
        joint = cd.joints.revolute("y" if i % 2 else "x", name=f"angle_{i}_deg")
        b.add_body(f"b{i}", f"b{i - 1}" if i else None, joint, ROD, placement=below)
    for i in range(count):
        b.set_range(f"b{i}", -1.0, 1.0).add_limit(f"angle_{i}_deg", stiffness=3.0).add_damping(
            f"b{i}.angle_{i}_deg", 0.1
        )
    return b


def calls(work) -> int:
    """How many functions of Python are entered while `work` runs."""
    counted = 0

    def count(frame, event, argument):
        nonlocal counted
        counted += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def test_naming_coordinates_makes_no_models(monkeypatch):
    """Oracle: a count of the models made; the one that is built."""
    made = []

    class Counted(cd.Model):
        def __post_init__(self):
            made.append(self)
            super().__post_init__()

    monkeypatch.setattr(module, "Model", Counted)
    chain(20).build()
    assert len(made) == 1


@pytest.mark.parametrize("work", [chain, lambda n: chain(n).build()], ids=["describe", "build"])
def test_building_grows_with_the_number_of_bodies(work):
    """Oracle: a count of calls: four times the bodies, hardly more than four times the work."""
    work(4)
    assert calls(lambda: work(160)) < 4.4 * calls(lambda: work(40))


def test_packing_grows_with_the_number_of_bodies():
    """Oracle: a count of calls; per body far fewer than the hundreds of doing each by itself."""
    small, large = chain(40).build(), chain(160).build()
    pack_model(small)
    fewer, more = (calls(lambda model=model: pack_model(model)) for model in (small, large))
    assert more < 4.2 * fewer
    assert (more - fewer) / 120 < 100


def test_a_long_branch_of_prescribed_joints_packs_as_fast_as_a_free_one():
    """Oracle: a count of calls; what can move a body is told from its parent, not from all its ancestors."""
    b = chain(160)
    for i in range(160):
        b.prescribe(f"b{i}", 0.0)
    free, driven = chain(160).build(), b.build()
    assert calls(lambda: pack_model(driven)) < 1.2 * calls(lambda: pack_model(free))


def test_bodies_packed_at_once_are_those_packed_one_by_one():
    """Oracle: models of one body each, whose tables hold the same numbers: mass, moments and the row of the hinge."""
    from condyle.model.kernels import layout as at

    def found(model, i):
        codes, numbers = model.tables
        first = codes[at.Header._fields.index("first_body")]
        body = at.Body(*codes[first + i * len(at.Body._fields) :][: len(at.Body._fields)])
        return np.concatenate([numbers[body.mass :][:4], numbers[body.row :][:46]])

    rng, b = np.random.default_rng(0), cd.ModelBuilder()
    alone = []
    for i in range(5):
        inertia = cd.Inertia.box(1 + i, rng.uniform(0.1, 1, 3), com=rng.normal(size=3))
        joint, place = (
            cd.joints.helical(rng.normal(size=3), 0.1 * i, rng.normal(size=3)),
            cd.SE3.exp(rng.normal(size=6)),
        )
        b.add_body(f"b{i}", None, joint, inertia, placement=place, offset=place.inverse())
        one = cd.ModelBuilder().add_body("b", None, joint, inertia, placement=place, offset=place.inverse())
        alone.append(found(one.build(), 0))
    model = b.build()
    np.testing.assert_allclose([found(model, i) for i in range(5)], alone, rtol=1e-13, atol=1e-13)
