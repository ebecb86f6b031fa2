"""What `condyle check` doubts: bodies that weigh, with what they carry, next to nothing beside the others."""

import pytest

import condyle as cd
from condyle.dynamics.model_check import check_model

HINGE = cd.joints.revolute("y")


def rod(mass):
    return (
        cd.Inertia.box(mass, (0.1, 0.1, 0.4), com=(0.0, 0.0, -0.2)) if mass else cd.Inertia(0.0, (0, 0, 0), (0, 0, 0))
    )


def chain(*masses):
    """Rods on hinges, one after the other [kg]."""
    b, parent = cd.ModelBuilder(), None
    for i, mass in enumerate(masses):
        down = cd.SE3.from_translation((0.0, 0.0, -0.4 if i else 0.0))
        b.add_body(f"rod{i}", parent=parent, joint=HINGE, inertia=rod(mass), placement=down)
        parent = f"rod{i}"
    return b


def doubted(model):
    findings = [f for f in check_model(model, 8) if f.doubtful]
    assert all(f.ok for f in findings)
    return [f.what.split("'")[1] for f in findings]


@pytest.mark.parametrize(
    ("masses", "names"),
    [
        ((1.0, 1.0, 1e-9), ["rod2"]),
        ((1e3, 1e3, 1e-6), ["rod2"]),
        ((1.0, 1.0, 1e-7, 1e-7), ["rod2", "rod3"]),  # the median is half a kilogram
        ((1.0, 1e-9, 1.0), []),  # it carries a kilogram
        ((1.0, 1.0, 1e-4), []),  # as files of OpenSim have them on purpose
        ((1e-9, 1e-9), []),  # all are alike
    ],
)
def test_a_body_that_any_force_throws_is_doubted(masses, names):
    """Oracle: ratios by hand."""
    assert doubted(chain(*masses).build()) == names


def test_bodies_that_are_light_on_purpose_are_not_doubted():
    """Oracle: by hand: moments of their own, armature, a weld, a given motion; bare, the same body is told."""
    tip = {"parent": "rod1", "inertia": rod(1e-9)}

    def with_tip(**changed):
        return chain(1.0, 1.0).add_body("tip", **{**tip, "joint": HINGE, **changed})

    assert doubted(with_tip().build()) == ["tip"]
    assert doubted(with_tip(inertia=cd.Inertia(1e-9, (0, 0, 0), (1e-4, 1e-4, 1e-4))).build()) == []
    assert doubted(with_tip(joint=cd.joints.weld()).build()) == []
    assert doubted(with_tip().set_armature("tip", 0.01).build()) == []
    assert doubted(with_tip().prescribe("tip", lambda t: 0.1 * t).build()) == []


def test_a_massless_body_is_not_spoken_of():
    """Oracle: 0 is meant."""
    assert doubted(chain(1.0, 0.0, 1.0).build()) == []
