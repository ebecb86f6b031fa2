"""docs/limits.md: what it says is refused is refused by name, so that a limit that falls is struck out there."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadInertia, BadKnots, BadShape, BadValue, NotSupported, UnknownName

PAGE = " ".join((Path(__file__).parent.parent / "docs" / "limits.md").read_text().split())
ROD = cd.Inertia.box(1.0, (0.1, 0.1, 0.3), com=(0, 0, -0.2))
HEXAGON = [(np.cos(a), np.sin(a), 0.0) for a in np.arange(6) * np.pi / 3]


def builder(*joints):
    """A chain of rods, called a, b, …, on these joints."""
    b = cd.ModelBuilder()
    for k, joint in enumerate(joints):
        b.add_body("ab"[k], parent="ab"[k - 1] if k else None, joint=joint, inertia=ROD)
    return b


def hinges():
    return builder(cd.joints.revolute("y"), cd.joints.revolute("y"))


def coupled():
    """Two hinges, the second coupled to the first by a constraint."""
    return hinges().add_constraint(cd.constraints.couple("b", "a", ratio=0.5)).build()


def following():
    return hinges().add_coupler("b", "a", ratio=0.5).build()


def bushed():
    return hinges().add_bushing("a", None, "b", None, stiffness=[1.0] * 6).build()


def prescribed():
    return hinges().prescribe("a", (np.linspace(0, 1, 9), np.linspace(0, 1, 9))).build()


def cornered():
    return builder(cd.joints.track(HEXAGON, closed=True)).build()


def floating():
    return builder(cd.joints.free()).build()


@cache
def curved():
    """A bead on a spline of which control frames are kept."""
    frames = [cd.SE3.exp([0, 0.1 * k, 0, 0.1 * k, 0, 0]).as_matrix() for k in range(6)]
    return builder(cd.joints.spline_curve(frames)).build()


def run(model, **options):
    return cd.simulate(model, model.neutral(), duration=0.01, **options)


def gradient(model, **options):
    nothing = lambda trajectory: (0 * trajectory.q, 0 * trajectory.v)  # noqa: E731
    return cd.simulate_vjp(model, model.neutral(), duration=0.01, cotangent=nothing, **options)


def muscular():
    return hinges().add_muscle("m", [(None, (0.1, 0, 0)), ("a", (0, 0, -0.2))]).build()


PLANE = cd.functions.spline((None, None), np.zeros((4, 4)))
KINK = cd.functions.piecewise_linear([0, 1, 2], [0, 1, 0])

# words of the page; the error; what is tried with a folder
LIMITS = [
    ("`record_to=`", NotSupported, lambda f: run(muscular(), excitations=0.1, record_to=f / "r")),
    ("`parameters=`", NotSupported, lambda f: run(muscular(), excitations=0.1, parameters={"a.mass": [1, 2]})),
    ('integrator `"variational"` are refused', NotSupported,
     lambda f: run(muscular(), excitations=0.1, integrator="variational")),
    ("have no limits", NotSupported, lambda f: builder(cd.joints.ball()).add_limit("a", -1, 1, stiffness=1)),
    ("cannot be prescribed", NotSupported, lambda f: builder(cd.joints.ball()).prescribe("a", 0.0)),
    ("no `inverse()`", NotSupported, lambda f: cd.joints.ball().inverse()),
    ("order 4 or more", BadKnots, lambda f: cd.joints.spline_curve([np.eye(4)] * 5, order=3)),
    ("a piecewise-linear function is refused", BadKnots,
     lambda f: cd.joints.product([(0, 0, 1, 0, 0, 0)], [KINK])),
    ("in models without constraints", NotSupported,
     lambda f: run(builder(cd.joints.track(HEXAGON, closed=True), cd.joints.revolute("z"))
                   .add_constraint(cd.constraints.couple("b", "a")).build())),
    ("what depends on several is a constraint", NotSupported,
     lambda f: hinges().add_body("c", parent="b", joint=cd.joints.revolute("y"), inertia=ROD)
     .add_coupler("c", ("a", "b"), PLANE).build()),
    ("neither constraints", NotSupported, lambda f: run(coupled(), integrator="variational")),
    ("nor prescribed motion", NotSupported, lambda f: run(prescribed(), integrator="variational")),
    ("nor armature of ball joints", NotSupported,
     lambda f: run(builder(cd.joints.ball()).set_armature("a", 0.1).build(), integrator="variational")),
    ("nor corners", NotSupported, lambda f: run(cornered(), integrator="variational")),
    ('for `"rk4"` only', BadValue,
     lambda f: run(hinges().build(), control=lambda t, q, v: -q, control_at="stages", integrator="adaptive")),
    ("take no constraints, followers", NotSupported, lambda f: gradient(coupled())),
    ("no constraints, followers", NotSupported, lambda f: gradient(following())),
    ("followers, bushings", NotSupported, lambda f: gradient(bushed())),
    ("contacts or corners", NotSupported, lambda f: gradient(cornered())),
    ('no `"adaptive"`', NotSupported, lambda f: gradient(hinges().build(), integrator="adaptive")),
    ("no control function", NotSupported, lambda f: gradient(hinges().build(), control=lambda t, q, v: 0 * v)),
    ("none by control frames", NotSupported, lambda f: gradient(curved(), parameters=["a.frames"])),
    ("with muscles no `ball` and `free`", NotSupported,
     lambda f: gradient(builder(cd.joints.ball()).add_muscle("m", [(None, (0.1, 0, 0)), ("a", (0, 0, -0.2))]).build(),
                        excitations=0.1)),
    ("**`cd.Evaluator`** takes no constraints", NotSupported, lambda f: cd.Evaluator(coupled())),
    ("no prescribed coordinates", NotSupported, lambda f: cd.Evaluator(prescribed())),
    ("if complex, refused", BadShape, lambda f: cd.forward_dynamics(hinges().build(), [1j, 0], [0, 0])),
    ("Neither takes prescribed coordinates", NotSupported, lambda f: cd.skeleton.from_model(prescribed())),
    ("armature, or", NotSupported,
     lambda f: cd.skeleton.from_model(hinges().set_armature("a", 0.1).build())),
    ("`couple` and `roll` constraints", NotSupported, lambda f: cd.skeleton.from_model(coupled())),
    ("bodies without mass", BadInertia,
     lambda f: cd.skeleton.from_model(hinges().add_body("c", parent="b", joint=cd.joints.weld(),
                                                        inertia=cd.Inertia.point(0.0)).build())),
    ("no bushings", NotSupported, lambda f: cd.skeleton.from_model(bushed())),
    ("no damping of a floating root", NotSupported,
     lambda f: cd.skeleton.from_model(builder(cd.joints.free()).add_damping("a", 1.0).build())),
    ("a `HeldModel` no constraints", NotSupported,
     lambda f: cd.skeleton.from_model(builder(cd.joints.prismatic("z"), cd.joints.revolute("y"))
                                      .add_constraint(cd.constraints.couple("b", "a")).build())),
    ("corners or muscles", NotSupported, lambda f: cd.skeleton.from_model(cornered()).simulate(duration=0.1)),
    ("a free body is written as slides and hinges", NotSupported,
     lambda f: cd.control.optimize(floating(), floating().neutral(), duration=1.0)),
    ("constraints are refused", NotSupported,
     lambda f: cd.control.optimize(coupled(), [0, 0], [1, 0.5], duration=1.0)),
    ("`cd.identify` and", NotSupported,
     lambda f: cd.identify(coupled(), {"m": np.zeros((3, 3))}, np.zeros((3, 2)), unknown=["a.mass"])),
    ("SDF is read only", BadFile, lambda f: cd.save(hinges().build(), f / "m.sdf")),
    ("refused (`approximate=False`)", NotSupported,
     lambda f: cd.save(curved(), f / "m.urdf", approximate=False)),
    ("no USD, no FBX", BadFile, lambda f: cd.save(hinges().build(), f / "m.usd")),
    ("a spreadsheet or a MATLAB file", BadFile, lambda f: cd.read_table(f / "t.xlsx")),
    ("1280 x 720 in `.mp4`", UnknownName, lambda f: cd.view.export(hinges().build(), f / "m.mov")),
]  # fmt: skip


@pytest.mark.parametrize(("words", "error", "try_it"), LIMITS, ids=[words for words, *_ in LIMITS])
def test_what_the_page_says_is_refused_is_refused_by_name(words, error, try_it, tmp_path):
    """Oracle: the page itself; where this fails because something works, take the sentence out of docs/limits.md."""
    assert words in PAGE
    (tmp_path / "t.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(error) as refused:
        try_it(tmp_path)
    assert len(str(refused.value).split()) > 4  # a sentence, not a bare class


def grid(n):
    """A joint that turns by a spline of n coordinates."""
    heights = np.zeros((4,) * n)
    return cd.joints.product([(0, 0, 1, 0, 0, 0)], [cd.functions.spline((None,) * n, heights)])


def test_a_function_looks_up_four_coordinates_and_not_five():
    """Oracle: the number that the page says."""
    assert "looks up at most four coordinates" in PAGE
    assert grid(4).nq == 4
    with pytest.raises(NotSupported):
        grid(5)
