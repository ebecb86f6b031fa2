"""Simple joints against closed forms by scipy's rotations, and what their constructors refuse."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from condyle import joints
from condyle.errors import BadShape, BadValue, NotARotation, NotFinite
from support.reference import hat, reference_jacobian, reference_pose


def pose(rotation, position=(0, 0, 0)):
    """4x4 from a rotation vector and a position."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.from_rotvec(rotation).as_matrix(), position
    return T


def about(point, rotation):
    """A rotation about a point."""
    return pose((0, 0, 0), point) @ pose(rotation) @ pose((0, 0, 0), -np.asarray(point))


UNIT = np.array([1, 2, -2]) / 3
POINT = np.array([0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("joint", "q", "expected"),
    [
        (joints.weld(), [], np.eye(4)),
        (joints.weld(pose((0.3, 0, 0), (1, 2, 3))), [], pose((0.3, 0, 0), (1, 2, 3))),
        (joints.revolute(5 * UNIT), [0.7], pose(0.7 * UNIT)),
        (joints.revolute("y"), [0.7], pose((0, 0.7, 0))),
        (joints.revolute(1e-200 * UNIT, POINT), [0.7], about(POINT, 0.7 * UNIT)),
        (joints.prismatic(1e200 * UNIT), [0.7], pose((0, 0, 0), 0.7 * UNIT)),
        (joints.helical(UNIT, 0.2), [0.7], pose(0.7 * UNIT, 0.14 * UNIT)),
        (joints.helical(UNIT, 0.2, POINT), [0.7], pose((0, 0, 0), 0.14 * UNIT) @ about(POINT, 0.7 * UNIT)),
        (joints.cylindrical(UNIT, POINT), [0.7, 0.5], about(POINT, 0.7 * UNIT) @ pose((0, 0, 0), 0.5 * UNIT)),
        (joints.planar(), [0.3, 0.4, 0.5], pose((0, 0, 0.5), (0.3, 0.4, 0))),
        (joints.universal("x", "y"), [0.3, 0.4], pose((0.3, 0, 0)) @ pose((0, 0.4, 0))),
        (
            joints.universal(UNIT, "z", POINT),
            [0.3, 0.4],
            about(POINT, 0.3 * UNIT) @ about(POINT, (0, 0, 0.4)),
        ),
        (
            joints.universal("x", "y", POINT, 2 * POINT),
            [0.3, 0.4],
            about(POINT, (0.3, 0, 0)) @ about(2 * POINT, (0, 0.4, 0)),
        ),
        (
            joints.universal("x", "y", second_point=POINT),
            [0.3, 0.4],
            pose((0.3, 0, 0)) @ about(POINT, (0, 0.4, 0)),
        ),
        (joints.ball(), [np.cos(0.2), 0, np.sin(0.2), 0], pose((0, 0.4, 0))),
        (joints.free(), [np.cos(0.2), 0, np.sin(0.2), 0, 1, 2, 3], pose((0, 0.4, 0), (1, 2, 3))),
    ],
)
def test_pose_is_the_closed_form(joint, q, expected):
    """Oracle: scipy's rotations."""
    assert np.abs(reference_pose(joint, np.array(q, float)) - expected).max() < 1e-15


@pytest.mark.parametrize("q", [0.3, 1.2, 2.5, -2.0, 4.0])
def test_elliptic_joint_slides_tangent_to_its_ellipse(q):
    """Oracle: [LeeTerzopoulos2008, eqs. 17, 18] with the bottom row mended, and S = (0, 0, φ', √D, 0, 0)."""
    a, b = 1.7, 0.6
    joint = joints.elliptic(a, b)
    D = (a * np.cos(q)) ** 2 + (b * np.sin(q)) ** 2
    expected = pose((0, 0, np.arctan2(b * np.sin(q), a * np.cos(q))), (a * np.sin(q), -b * np.cos(q), 0))
    assert np.abs(reference_pose(joint, q) - expected).max() < 3e-14
    assert np.abs(reference_jacobian(joint, q)[:, 0] - [0, 0, a * b / D, np.sqrt(D), 0, 0]).max() < 5e-14


def test_round_ellipse_is_a_hinge_at_a_distance():
    """Oracle: for a = b the joint turns about its centre with a fixed axis."""
    joint = joints.elliptic(0.5, 0.5)
    start = reference_pose(joint, 0.0)
    assert np.abs(reference_pose(joint, 1.1) - pose((0, 0, 1.1)) @ start).max() < 1e-15


def test_product_is_the_form_itself():
    """Oracle: the written product by scipy's expm."""
    fn, rng = joints.functions, np.random.default_rng(0)
    g, H = rng.normal(size=(4, 6)), pose((0.2, 0.1, 0), (1, 0, 2))
    functions = [
        fn.sinusoid(0.5, 2, 0.1, 1.0),
        fn.linear(1, 0.3, -0.4),
        0.25,
        fn.polynomial([0.1, 0, 1], 1) + fn.linear(),
    ]
    joint = joints.product(g, functions, pose=H, coordinates=("a", "b"))
    a, b = 0.7, -0.4
    phi = [0.5 * np.sin(2 * a + 0.1) + 1, 0.3 * b - 0.4, 0.25, 0.1 + b * b + a]
    expected = H @ np.linalg.multi_dot([expm(hat(x) * y) for x, y in zip(g, phi, strict=True)])
    assert joint.coordinates == ("a", "b") and joint.nv == 2
    assert np.abs(reference_pose(joint, [a, b]) - expected).max() < 1e-13


def test_surface_is_the_product_of_six_exponentials():
    """Oracle: [LeeTerzopoulos2008, eq. 25] with scipy's tensor splines: translation, then x, y, z rotations."""
    from scipy.interpolate import NdBSpline

    rng = np.random.default_rng(2)
    controls = 0.5 * rng.normal(size=(5, 6, 6))
    knots = ([0, 0, 0, 0, 0.7, 2, 2, 2, 2], [0, 0, 0, 0, 1, 2.5, 3, 3, 3, 3])
    joint = joints.spline_surface(controls, knots)
    for q in rng.uniform((0, 0), (2, 3), (6, 2)):
        phi = NdBSpline(tuple(map(np.array, knots)), controls, 3)(q)
        expected = pose((0, 0, 0), phi[:3]) @ pose((phi[3], 0, 0)) @ pose((0, phi[4], 0)) @ pose((0, 0, phi[5]))
        assert np.abs(reference_pose(joint, q) - expected).max() < 1e-13
    assert joint.domain == ((0, 2), (0, 3)) and len(joint.segments) == 1


def test_surface_takes_twists_in_any_order():
    """Oracle: the written product, rotations first, with three coordinates and a base pose."""
    from scipy.interpolate import NdBSpline

    rng = np.random.default_rng(5)
    twists, H = rng.normal(size=(4, 6)), pose((0.2, 0.1, 0), (1, 0, 2))
    controls = 0.5 * rng.normal(size=(4, 5, 4, 4))
    joint = joints.spline_surface(controls, (None,) * 3, twists=twists, pose=H, names=("u", "v", "w"))
    full = tuple(np.concatenate([[0.0] * 3, np.arange(n - 2), [n - 3.0] * 3]) for n in (4, 5, 4))
    q = np.array([0.3, 1.4, 0.9])
    phi = NdBSpline(full, controls, 3)(q)
    expected = H @ np.linalg.multi_dot([expm(hat(g) * x) for g, x in zip(twists, phi, strict=True)])
    assert np.abs(reference_pose(joint, q) - expected).max() < 1e-13


ok = np.zeros((4, 4, 6))


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: joints.revolute([0, 0, 0]), BadValue, "revolute: the axis must not be zero: it has no direction"),
        (
            lambda: joints.revolute([0, np.nan, 1]),
            NotFinite,
            "revolute: the axis must be finite; got value = [0.0, nan",
        ),
        (lambda: joints.revolute([0, 1]), BadShape, "revolute: the axis must be three numbers; got shape = (2,)"),
        (lambda: joints.revolute("w"), BadValue, "revolute: the axis must be 'x', 'y', 'z' or three numbers; got axis"),
        (lambda: joints.revolute("x", point=[1]), BadShape, "revolute: the axis's point must be three numbers"),
        (lambda: joints.prismatic([0, 0, 0]), BadValue, "prismatic: the axis must not be zero"),
        (lambda: joints.helical("x", np.inf), NotFinite, "helical: the pitch must be finite; got value = inf"),
        (lambda: joints.helical("x", "0.2"), BadShape, "helical: the pitch must be one real number; got text"),
        (lambda: joints.helical([0, 0, 0], 1), BadValue, "helical: the axis must not be zero"),
        (lambda: joints.universal("x", [2, 0, 0]), BadValue, "universal: the axes must not be parallel"),
        (
            lambda: joints.universal("x", "y", [0, 1]),
            BadShape,
            "universal: the first axis's point must be three",
        ),
        (lambda: joints.universal("x", [0, 0, 0]), BadValue, "universal: the second axis must not be zero"),
        (lambda: joints.elliptic(1, 0), BadValue, "an ellipse needs positive semi-axes; got a = 1.0, b = 0.0"),
        (lambda: joints.elliptic(1, np.nan), NotFinite, "elliptic: b must be finite; got value = nan"),
        (lambda: joints.weld(2 * np.eye(4)), NotARotation, "weld: pose is not a pose"),
        (lambda: joints.planar(names=("x", "y")), BadShape, "planar: the functions read coordinates up to number 2"),
        (lambda: joints.planar(names=("x", "x", "a")), BadValue, "coordinate names must differ; got names = ('x', 'x'"),
        (
            lambda: joints.revolute("x", name="a.b"),
            BadValue,
            "coordinate names must be non-empty strings without a dot",
        ),
        (lambda: joints.product([[1, 0, 0]], [1]), BadShape, "product: twists must have shape (m, 6); got shape = (1,"),
        (lambda: joints.product(np.eye(6)[:1], joints.functions.linear()), BadShape, "product: functions are a list"),
        (lambda: joints.product(np.eye(6), [1]), BadShape, "product: one function for each twist; got twists = 6, fun"),
        (
            lambda: joints.product([np.full(6, np.nan)], [1]),
            NotFinite,
            "product: twists must be finite; got rows = [0]",
        ),
        (lambda: joints.product(np.eye(6)[:1], [np.sin]), BadValue, "function 0 must come from condyle.functions (fro"),
        (
            lambda: joints.product(np.eye(6)[:1], [joints.functions.linear(1)]),
            BadValue,
            "product: no factor reads these coordinates, so they move nothing; got coordinates = ['q0']",
        ),
        (
            lambda: joints.spline_surface(ok[0], (None,)),
            BadShape,
            "controls need an axis for each of two or more coord",
        ),
        (lambda: joints.spline_surface(ok[..., :5], (None,) * 2), BadShape, "6 twists need controls of shape (…, 6)"),
        (lambda: joints.spline_surface(ok, (None,)), BadShape, "2 coordinates need a tuple of 2 knot arrays"),
    ],
)
def test_bad_joints_are_refused_in_words(make, error, words):
    """Oracle: the words themselves."""
    with pytest.raises(error) as trouble:
        make()
    assert words in str(trouble.value)
