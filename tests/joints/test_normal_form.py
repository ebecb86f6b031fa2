"""Folding and merging keep the motion and leave as few segments and factors as possible; inverse and compose too."""

import numpy as np
import pytest
from scipy.linalg import expm

from condyle import joints
from condyle.errors import BadShape, BadValue, NotSupported, UnknownName
from condyle.joints import functions as fn
from condyle.joints.segments import POLYNOMIAL
from support.reference import hat, reference_pose
from support.samples import NUMBERS, SAMPLES, random_frames, random_q, surface

rng = np.random.default_rng(0)
G = rng.normal(size=(4, 6))


def test_a_linear_function_becomes_the_coordinate_itself():
    """Oracle: the written product; the stored term is φ = q."""
    joint = joints.product(G[:1], [fn.linear(scale=-3, offset=0.4)])
    (segment,) = joint.segments
    assert segment.terms[0].code == POLYNOMIAL and segment.terms[0].constants.tolist() == [[0.0, 1.0]]
    assert np.allclose(segment.twists[0, 0], -3 * G[0])
    assert np.abs(reference_pose(joint, 0.7) - expm(hat(G[0]) * (0.4 - 2.1))).max() < 1e-13


def test_constants_become_poses():
    """Oracle: the written product; one segment with one factor remains."""
    joint = joints.product(G, [0.3, fn.linear(), fn.constant(-0.7), fn.polynomial([0.2, 0, 0])])
    (segment,) = joint.segments
    phi = [0.3, 0.9, -0.7, 0.2]
    assert len(segment.terms) == 1
    expected = np.linalg.multi_dot([expm(hat(g) * x) for g, x in zip(G, phi, strict=True)])
    assert np.abs(reference_pose(joint, 0.9) - expected).max() < 1e-13


def test_zero_twists_go():
    """Oracle: the number of factors left; a surface that only turns has three."""
    turns = np.zeros((4, 4, 6))
    turns[..., 3:] = rng.normal(size=(4, 4, 3))
    twists = np.eye(6) * [0, 1, 1, 0, 0, 1]
    joint = joints.spline_surface(turns, (None, None), twists=twists)
    assert len(joint.segments[0].terms) == 3


def test_neighbours_of_one_grid_share_a_segment():
    """Oracle: the count of segments; two curves on the same coordinate's grid, and poses between, merge."""
    f = fn.spline(None, [0, 1, 0.5, 2, 1.0])
    joint = joints.product(G, [f, 0.5, 2 * f, fn.linear()])
    assert [len(s.terms) for s in joint.segments] == [2, 1]
    x = f(0.8)
    expected = np.linalg.multi_dot([expm(hat(g) * y) for g, y in zip(G, (x, 0.5, 2 * x, 0.8), strict=True)])
    assert np.abs(reference_pose(joint, 0.8) - expected).max() < 1e-13


def test_one_row_segments_of_a_chain_merge_into_one():
    """Oracle: the product of the joints' poses."""
    parts = [joints.revolute("x"), joints.weld(random_frames(2)[1]), joints.helical("y", 0.3), joints.elliptic(1, 2)]
    joint = joints.compose(*parts)
    assert len(joint.segments) == 1 and joint.coordinates == ("angle", "angle_2", "angle_3")
    expected = parts[0], parts[2], parts[3]
    poses = [reference_pose(p, q) for p, q in zip(expected, (0.3, 0.4, 0.5), strict=True)]
    whole = poses[0] @ reference_pose(parts[1], np.zeros(0)) @ poses[1] @ poses[2]
    assert np.abs(reference_pose(joint, [0.3, 0.4, 0.5]) - whole).max() < 1e-14


def test_a_pose_melts_into_a_spline_on_either_side():
    """Oracle: the product of the poses."""
    A, B = random_frames(3, 7)[1:]
    curve = joints.spline_curve(random_frames(6))
    joint = joints.compose(joints.weld(A), curve, joints.weld(B))
    assert len(joint.segments) == 1
    for q in (-0.5, 0.0, 1.7, 3.0, 3.4):
        assert np.abs(reference_pose(joint, q) - A @ reference_pose(curve, q) @ B).max() < 1e-13


@pytest.mark.parametrize("kind", NUMBERS)
def test_inverse_undoes_the_joint(kind):
    """Oracle: the product of the two poses by the definition is the identity."""
    joint = SAMPLES[kind]
    for _ in range(3):
        q = random_q(joint, rng, beyond=0.2)
        both = reference_pose(joint, q) @ reference_pose(joint.inverse(), q)
        assert np.abs(both - np.eye(4)).max() < 1e-12
    assert joint.inverse().domain == joint.domain and joint.inverse().coordinates == joint.coordinates


def test_composition_multiplies_poses():
    """Oracle: the product of the parts' poses, with quaternions and splines among them."""
    parts = [joints.free(), joints.spline_curve(random_frames(6)), joints.ball(), surface(), joints.revolute("z")]
    joint = joints.compose(*parts)
    assert joint.nq == 7 + 1 + 4 + 2 + 1 and joint.nv == 6 + 1 + 3 + 2 + 1
    assert joint.coordinates == ("pose", "q", "rotation", "q0", "q1", "angle")
    assert joint.offsets == [(0, 0), (7, 6), (8, 7), (12, 10), (13, 11), (14, 12)]
    q = [random_q(p, rng) for p in parts]
    expected = np.linalg.multi_dot([reference_pose(p, x) for p, x in zip(parts, q, strict=True)])
    assert np.abs(reference_pose(joint, np.concatenate(q)) - expected).max() < 1e-12


def test_composition_keeps_domains_and_refusals():
    """Oracle: the parts' own."""
    strict = joints.spline_curve(random_frames(6), outside="error")
    joint = joints.compose(joints.revolute("x"), strict, joints.spline_curve(random_frames(7), periodic=True))
    assert joint.domain == ((-np.inf, np.inf), (0, 3), (0, 7))
    assert joint.periodic == (False, False, True) and joint.outside == "error"


def test_names_can_be_changed():
    """Oracle: the names."""
    joint = joints.cylindrical("x")
    assert joint.renamed({"angle": "spin"}).coordinates == ("spin", "distance")
    assert joint.renamed(["a", "b"]).coordinates == ("a", "b")
    assert joints.compose(joint, joint, names=list("abcd")).coordinates == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: joints.ball().inverse(), NotSupported, "ball: a joint with a quaternion has no inverse in this form."),
        (lambda: joints.ball().inverse(), NotSupported, "Exchange parent and child in the model, or compose three rev"),
        (
            lambda: joints.cylindrical("x").renamed({"angel": "a"}),
            UnknownName,
            "no coordinate named 'angel' in cylindr",
        ),
        (lambda: joints.cylindrical("x").renamed({"angel": "a"}), UnknownName, "Did you mean 'angle'?"),
        (lambda: joints.cylindrical("x").renamed("a"), BadShape, "cylindrical: 2 coordinates need as many names"),
        (lambda: joints.compose(), BadValue, "compose: give at least one joint"),
        (
            lambda: joints.compose(joints.ball(), 3),
            BadValue,
            "compose: argument 1 must be a joint; got argument = 'int'",
        ),
    ],
)
def test_bad_uses_are_refused_in_words(make, error, words):
    """Oracle: the words themselves."""
    with pytest.raises(error) as trouble:
        make()
    assert words in str(trouble.value)


def test_a_joint_explains_itself():
    """Oracle: the words a person needs: kind, coordinates with domains, size, and the rule outside."""
    text = repr(joints.spline_curve(random_frames(9), name="flexion", outside="error"))
    assert text == "<spline_curve: flexion in [0, 6]; G = H exp×3 on 8 rows; outside: error>"
    assert "(periodic)" in repr(SAMPLES["closed_curve"]) and "quaternion and position" in repr(joints.free())
    assert repr(joints.weld()) == "<weld: no coordinates; G = pose; outside: extend>"
