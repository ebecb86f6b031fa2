"""A model stays as it was made, whatever happens to what it was made of, and wherever it is copied to."""

import copy
import pickle
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType

import numpy as np
import pytest

import condyle as cd
from condyle import errors
from condyle.forces import Element, OnCoordinate

ROD = cd.Inertia.box(1.0, (0.1, 0.2, 0.3), com=(0.0, 0.0, -0.1))


def every_part():
    """A model with all that a model can have."""
    b = cd.ModelBuilder()
    frames = np.tile(np.eye(4), (6, 1, 1))
    frames[:, 0, 3] = np.linspace(0, 1, 6)
    look = [cd.shapes.sphere(0.1)]
    b.add_body("base", joint=cd.joints.free(), inertia=ROD, shapes=look)
    b.add_body("arm", "base", cd.joints.revolute("y"), ROD, placement=cd.SE3.exp([0, 0, 1, 0, 0, 1]))
    b.add_body("slide", "arm", cd.joints.spline_curve(frames, name="along"), ROD, offset=cd.SE3.exp([1, 0, 0, 0, 1, 0]))
    b.add_body("end", "arm", cd.joints.universal("x", "y"), ROD)
    b.add_spring("base", (0, 0, 1), "end", (0, 1, 0), stiffness=3.0, length=0.5)
    b.add_damping("arm", 0.2).set_range("along", 0.1, 0.9).prescribe("end.first", 0.0)
    b.add_constraint(cd.constraints.point("slide", (0, 0, 0), "end", (0, 0, 0)))
    return b.add_constraint(cd.constraints.couple("end.second", "arm", ratio=0.5)).build()


def arrays(value, seen=None):
    """All arrays that can be reached through dataclasses, tuples and dictionaries."""
    seen = set() if seen is None else seen
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for x in value:
            yield from arrays(x, seen)
    elif isinstance(value, (dict, MappingProxyType)):
        yield from arrays(list(value.values()), seen)
    elif is_dataclass(value) and id(value) not in seen:
        seen.add(id(value))
        yield from arrays([getattr(value, f.name) for f in fields(value)], seen)


def computed(model):
    """What a model computes once and keeps."""
    return (model.tables, model.inertial_frames, model.principal_moments, model.plain_places)


COPIES = {
    "built": lambda model: model,
    "pickled": lambda model: pickle.loads(pickle.dumps(model)),
    "deep copy": copy.deepcopy,
    "shallow copy": copy.copy,
    "replaced": lambda model: replace(model, gravity=(0, 0, -1.6)),
}


@pytest.mark.parametrize("made", COPIES)
def test_no_array_of_a_model_can_be_written_to(made):
    """Oracle: numpy's own flag, on every array that a model leads to."""
    model = every_part()
    model.tables  # noqa: B018  (computed before it is copied)
    model = COPIES[made](model)
    found = [*arrays(model), *arrays(computed(model))]
    assert len(found) > 30
    assert not any(array.flags.writeable for array in found)
    for mapping in (model.ranges, model.prescribed):
        with pytest.raises(TypeError):
            mapping["arm"] = (0.0, 0.0)


@pytest.mark.parametrize("made", ["pickled", "deep copy", "shallow copy"])
def test_a_copy_is_the_same_model(made):
    """Oracle: the tables of the model that was copied."""
    model = every_part()
    for ours, others in zip(model.tables, COPIES[made](model).tables, strict=True):
        np.testing.assert_array_equal(ours, others)


def test_what_a_model_was_made_of_can_change_without_changing_it():
    """Oracle: the energy and the acceleration before the caller's arrays were written to."""
    gravity, point, placement = np.array([0.0, 0.0, -9.81]), np.array([0.0, 0.1, 0.0]), np.eye(4)
    coefficients, pose = np.array([0.0, 1.0, 0.5]), np.eye(4)
    joint = cd.joints.product([(0, 0, 1, 0, 0, 0)], [cd.functions.polynomial(coefficients)], pose=pose)
    b = cd.ModelBuilder(gravity=gravity)
    b.add_body("arm", None, joint, ROD, placement=placement, offset=placement)
    b.add_spring(None, point, "arm", point, stiffness=3.0, length=0.0)
    made = [b.build(), b.build().with_gravity(gravity)]
    before = [(cd.energy(m, [0.3], [0.7]).total, cd.forward_dynamics(m, [0.3], [0.7])) for m in made]
    for array in (gravity, point, placement, coefficients, pose):
        array += 1.0
    after = [(cd.energy(m, [0.3], [0.7]).total, cd.forward_dynamics(m, [0.3], [0.7])) for m in made]
    assert before == after
    np.testing.assert_array_equal(made[0].gravity, [0, 0, -9.81])


def test_what_the_caller_gave_stays_his_own():
    """Oracle: numpy's flag: an array given to a joint, a model or a shape can still be written to."""
    pose = np.eye(4)
    cd.ModelBuilder().add_body("a", joint=cd.joints.weld(pose), inertia=ROD, placement=pose,
                               shapes=[cd.shapes.box((1, 1, 1), pose)]).build()  # fmt: skip
    pose[0, 3] = 1.0


@pytest.mark.parametrize(
    "value", [cd.joints.ball(), cd.Inertia.sphere(1.0, 0.1), cd.shapes.sphere(0.1), cd.joints.weld()]
)
@pytest.mark.parametrize("copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy], ids=["pickle", "deepcopy"])
def test_joints_inertias_and_shapes_stay_frozen(value, copied):
    """Oracle: numpy's own flag."""
    assert not any(array.flags.writeable for array in arrays(copied(value)))


def broken():
    """Models whose numbers point outside: what replaced what, the class and the words of the refusal."""
    m = every_part()
    body, load, spring = m.bodies[2], m.coordinate_forces[0], m.line_forces[0]
    loop, coupling = m.constraints
    for parent in (2, 7, -2, 10**9, 0.5):
        yield {"bodies": (*m.bodies[:2], replace(body, parent=parent))}, errors.BadTree, "'slide'.*parent"
    yield {"bodies": m.bodies[:2]}, errors.CondyleError, "load|spring|model"
    yield {"bodies": ()}, errors.BadTree, "at least one body"
    yield {"bodies": (m.bodies[0], m.bodies[0])}, errors.BadTree, "'base'"
    for changes in ({"q": 99}, {"v": -1}, {"v": 10**6}):
        yield {"forces": (replace(load, at=replace(load.at, **changes)),)}, errors.CondyleError, "force 0"
    base = Element("on a quaternion", "coordinate_spring", OnCoordinate(0, 0), (1.0, 0.0, 0.0))
    yield {"forces": (base,)}, errors.BadValue, "force 0"
    for changes in ({"a": 4}, {"b": -2}, {"a": spring.at.b}):
        yield {"forces": (replace(spring, at=replace(spring.at, **changes)),)}, errors.BadValue, "force 0"
    yield {"forces": (spring, spring)}, errors.BadTree, "names must differ"
    yield {"forces": ("spring",)}, errors.BadValue, "force 0"
    for v in (0, 99, -1):
        yield {"prescribed": {v: m.prescribed[next(iter(m.prescribed))]}}, errors.BadValue, "prescribed"
    for changes in ({"a": 9}, {"b": -3}, {"kind": 7}):
        yield {"constraints": (replace(loop, **changes),)}, errors.BadValue, "point of"
    for changes in ({"q": 0}, {"others": ()}, {"others": ((50, 50),)}, {"slide": cd.joints.ball()}):
        yield {"constraints": (replace(coupling, **changes),)}, errors.CondyleError, "coupling of"
    yield {"gravity": (0, 0)}, errors.BadShape, "gravity"
    yield {"gravity": (0, 0, np.nan)}, errors.NotFinite, "gravity"
    yield {"ranges": {"nobody": (0, 1)}}, errors.UnknownName, "nobody"
    yield {"ranges": {"arm": (1, 0)}}, errors.BadValue, "'arm'"


@pytest.mark.parametrize(("changes", "error", "words"), list(broken()))
def test_a_model_with_numbers_that_point_outside_is_refused(changes, error, words):
    """Oracle: the class and the part; before, kernels read what does not belong to them."""
    with pytest.raises(error, match=words):
        replace(every_part(), **changes)


def test_a_rolling_contact_that_points_outside_is_refused():
    """Oracle: the class and the part."""
    slide = cd.joints.prismatic("x", name="along")
    joint = cd.joints.compose(slide, cd.joints.revolute("y", name="turn"))
    b = cd.ModelBuilder().add_body("wheel", joint=joint, inertia=ROD)
    model = b.add_constraint(cd.constraints.roll("wheel", slide, tangents=(0,))).build()
    for changes in ({"body": 1}, {"offsets": ((5, 5),)}, {"tangents": (3,)}, {"tangents": (0, 0)}):
        with pytest.raises(errors.BadValue, match="rolling of 'wheel'"):
            replace(model, constraints=(replace(model.constraints[0], **changes),))


def test_joints_that_read_what_they_do_not_have_are_refused():
    """Oracle: the class and the part; before, `pose` read memory of its own choosing."""
    joint = cd.joints.revolute("z")
    segment = joint.segments[0]
    term = replace(segment.terms[0], coordinates=(1,))
    for changes in ({"terms": (term,)}, {"terms": ()}, {"poses": np.zeros((2, 4, 4))}, {"kind": 5}, {"kind": 1}):
        with pytest.raises(errors.CondyleError, match="revolute, segment 0"):
            replace(joint, segments=(replace(segment, **changes),))
    with pytest.raises(errors.BadShape, match="at least one segment"):
        replace(joint, segments=(), coordinates=())
    with pytest.raises(errors.BadValue, match="segment 0"):
        replace(joint, coordinates=())


def test_names_of_a_replaced_range_are_those_of_the_model():
    """Oracle: the name that the model shows; any form of it may be given."""
    b = cd.ModelBuilder().add_body(
        "arm", joint=cd.joints.revolute("y", name="lift"), inertia=ROD, joint_name="shoulder"
    )
    model = replace(b.build(), ranges={"shoulder": (0, 1)})
    assert dict(model.ranges) == {"lift": (0.0, 1.0)}
    assert model.range_of("shoulder.lift") == (0.0, 1.0)
