"""Places where bones touch, and bones from the poses of others, against closed forms of support functions."""

from functools import cache

import numpy as np
import pytest
from scipy.interpolate import BSpline

import condyle as cd
from condyle.errors import BadShape, BadValue

RING, TUBE = 0.010, 0.022  # [m] of a condyle that is a piece of a torus about z
FLEX = np.linspace(-0.2, 1.8, 601)


def plateau(half=0.03):
    side = np.linspace(-half, half, 9)
    return cd.joints.Surface.from_heights(side, side, np.zeros((9, 9)))  # a plane with its normal along z


def condyle():
    """The lower side of the torus, by the angle around z and around the tube, in the femur's axes (z to the side)."""

    def f(a, b):
        r = RING + TUBE * np.cos(b)
        return np.stack([r * np.sin(a), -r * np.cos(a), TUBE * np.sin(b)], axis=-1)

    return cd.joints.Surface.from_function(f, ((-2.6, 1.2), (-1.0, 1.0)))


def screw_home(t):
    """Rotation of the plateau in the femur: its normal is R z. Flexion t, then adduction and internal rotation."""
    Z = np.zeros_like(t)
    flexed = cd.SE3.exp(np.stack([Z, Z, -t, Z, Z, Z], 1)).as_matrix()[:, :3, :3]
    tilted = cd.SE3.exp(np.stack([0.06 * np.sin(t), 0.25 * (1 - np.exp(-2 * t)), Z, Z, Z, Z], 1)).as_matrix()[:, :3, :3]
    up = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]]).T @ np.eye(3)  # columns: plateau x, y, z in the femur at t = 0
    return flexed @ tilted @ np.array([up[:, 0], up[:, 1], up[:, 2]]).T


def touched(m):
    """The point of the torus whose outward normal is m: ring · m_xy/|m_xy| + tube · m."""
    flat = m * (1, 1, 0)
    return RING * flat / np.linalg.norm(flat, axis=1, keepdims=True) + TUBE * m


def true_poses(t):
    """Poses of the plateau in the femur, touching and sliding, and the touched points of the femur."""
    R = screw_home(t)
    p = touched(-R[:, :, 2])
    T = np.tile(np.eye(4), (len(t), 1, 1))
    T[:, :3, :3] = R
    T[:, :3, 3] = p - 0.006 * np.sin(t)[:, None] * R[:, :, 0] - 0.002 * R[:, :, 1]
    return T, p


def test_screw_home_starts_below_the_femur():
    """The plateau's normal points up to the femur at the start, so what touches is the lowest point."""
    T, p = true_poses(np.array([0.0, 0.1]))
    assert np.abs(T[0, :3, 2] - (0, 1, 0)).max() < 1e-15 and np.abs(p[0] - (0, -RING - TUBE, 0)).max() < 1e-15


def measured(seed=0, t=FLEX):
    """True poses with 0.3 mm and 0.1° of noise in every direction."""
    T, p = true_poses(t)
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(len(t), 6)) * np.repeat([np.radians(0.1), 3e-4], 3)
    noisy = T @ cd.SE3.exp(noise * (1, 1, 1, 0, 0, 0)).as_matrix()
    noisy[:, :3, 3] += noise[:, 3:]
    return cd.SE3.from_matrix(noisy), p


@pytest.mark.slow
def test_condyles_are_recovered_from_noisy_poses():
    """Oracle: the torus's support function; 0.3 mm of noise leave less than 0.1 mm of contact path and gap."""
    poses, p = measured()
    joint = cd.design.fit_curve(poses, FLEX, frames=10, smoothing="auto").joint
    inner = slice(12, -12, 6)
    path = cd.joints.contact_path(joint.inverse(), plateau(), condyle(), FLEX[inner])
    assert np.abs(path.gap).max() < 1e-4
    assert np.linalg.norm(path.child - p[inner], axis=1).max() < 5e-5
    assert np.sqrt(np.mean((path.child - p[inner]) ** 2)) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 12))
def test_the_largest_point_of_a_condyles_path(seed):
    """Oracle: the torus's support function, for other noise: no point of the path on the condyle is 0.05 mm off."""
    poses, p = measured(seed)
    joint = cd.design.fit_curve(poses, FLEX, frames=10, smoothing="auto").joint
    inner = slice(12, -12, 6)
    path = cd.joints.contact_path(joint.inverse(), plateau(), condyle(), FLEX[inner])
    assert np.linalg.norm(path.child - p[inner], axis=1).max() < 5e-5


def test_contact_is_where_the_support_function_says():
    """Oracle: closed form; the joint here is the exact motion as a fine spline."""
    t = np.linspace(-0.2, 1.8, 5)
    T, p = true_poses(t)
    flat, round_ = plateau(), condyle()
    for k in range(len(t)):
        joint = cd.joints.compose(cd.joints.weld(np.linalg.inv(T[k])), cd.joints.prismatic("x"))
        path = cd.joints.contact_path(joint, flat, round_, [0.0])
        assert np.abs(path.child[0] - p[k]).max() < 1e-9 and abs(path.gap[0]) < 1e-11


def test_lifted_shapes_have_a_gap_and_lost_ones_are_nan():
    T = true_poses(np.array([0.3]))[0][0]
    lift = cd.joints.compose(cd.joints.prismatic("z"), cd.joints.weld(np.linalg.inv(T)))
    path = cd.joints.contact_path(lift, plateau(), condyle(), [-0.001, 0.0, 0.004])
    assert np.abs(path.gap - (-0.001, 0.0, 0.004)).max() < 1e-11
    away = cd.joints.compose(cd.joints.prismatic("x"), cd.joints.weld(np.linalg.inv(T)))
    assert np.isnan(cd.joints.contact_path(away, plateau(), condyle(), [0.2]).gap).all()
    with pytest.raises(BadShape, match=r"\(N, 1\)"):
        cd.joints.contact_path(lift, plateau(), condyle(), np.zeros((2, 3)))


def rolling_profile(t):
    """Support function of a profile whose radius h + h″ = 27 + 8 cos t mm falls from 35 mm on."""
    h = 0.027 + 0.004 * t * np.sin(t)
    return h, 0.004 * (np.sin(t) + t * np.cos(t))


def flat_poses(t):
    """Poses of a flat plateau that touches the profile with its outward normal m(t), and the profile's points."""
    h, slope = rolling_profile(t)
    m = np.stack([np.sin(t), -np.cos(t), 0 * t], axis=1)  # downwards at t = 0
    tangent = np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
    T = np.tile(np.eye(4), (len(t), 1, 1))
    T[:, :3, 0], T[:, :3, 1], T[:, :3, 2] = tangent, [0, 0, -1.0], -m
    points = h[:, None] * m + slope[:, None] * tangent
    T[:, :3, 3] = points - 0.005 * np.sin(2 * t)[:, None] * tangent
    return T, points


ROLLED = np.linspace(-0.1, 1.9, 601)
PLACES = np.linspace(0.05, 1.75, 61)


@cache
def left_bone(seed, metric):
    """How far the bone that a plateau leaves is from the profile [m], (61 * 11,), from 0.3 mm and 0.1° of noise."""
    T, _ = flat_poses(ROLLED)
    noise = np.random.default_rng(seed).normal(size=(len(ROLLED), 6)) * np.repeat([np.radians(0.1), 3e-4], 3)
    T[:, :3, 3] += noise[:, 3:]
    poses = cd.SE3.from_matrix(T @ cd.SE3.exp(noise * (1, 1, 1, 0, 0, 0)).as_matrix())
    joint = cd.design.fit_curve(poses, ROLLED, frames=8, smoothing="auto", metric=metric).joint
    bone = cd.joints.conjugate_surface(joint, plateau(), PLACES, np.linspace(-0.01, 0.01, 11), frame="parent")
    dense = flat_poses(np.linspace(-0.4, 2.2, 4001))[1]
    return np.array([np.linalg.norm(dense[:, :2] - v[:2], axis=1).min() for v in bone.vertices])


@pytest.mark.slow
def test_a_bone_is_recovered_from_the_other_and_noisy_poses():
    """Oracle: the profile in closed form; 0.3 mm of noise leave less than 0.1 mm of the bone's surface."""
    off = left_bone(1, 1.0)
    assert max(off) < 1e-4
    assert np.sqrt(np.mean(np.square(off))) < 5e-5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_the_largest_point_of_a_bone_left_by_the_other(seed):
    """Oracle: the profile in closed form: with rotations and positions weighed by noise no point is 0.1 mm off."""
    assert max(left_bone(seed, "noise")) < 1e-4


def leverages(t, at, count=8):
    """How much of a pose's variance is left at places by the best linear fit of a cubic spline with so many frames."""
    knots = np.r_[3 * [t[0]], np.linspace(t[0], t[-1], count - 2), 3 * [t[-1]]]
    A, B = (BSpline.design_matrix(x, knots, 3).toarray() for x in (t, at))
    return np.einsum("ni,ij,nj->n", B, np.linalg.inv(A.T @ A), B)


@pytest.mark.slow
def test_a_bone_left_by_the_other_is_as_exact_as_the_noise_allows():
    """Oracle: the Cramér-Rao bound of eight frames: the normal part of 0.3 mm, and of 0.1° at the plateau's origin."""
    T, points = flat_poses(PLACES)
    arms = np.linalg.norm(points - T[:, :3, 3], axis=1)  # along x; at the edges 10 mm across are added
    single = np.sqrt(3e-4**2 + np.radians(0.1) ** 2 * (arms[:, None] ** 2 + np.linspace(-0.01, 0.01, 11) ** 2))
    bound = np.sqrt((single**2 * leverages(ROLLED, PLACES)[:, None]).mean())
    found = np.sqrt(np.mean([left_bone(seed, "noise") ** 2 for seed in range(12)]))
    assert 0.7 * bound < found < 1.15 * bound


def bone_meshes():
    """The torus and the plateau as meshes; triangles face outwards."""
    a, b = np.meshgrid(np.linspace(-2.5, 0.9, 171), np.linspace(-0.9, 0.9, 61), indexing="ij")
    r = RING + TUBE * np.cos(b)
    femur = np.stack([r * np.sin(a), -r * np.cos(a), TUBE * np.sin(b)], axis=-1)
    x, y = np.meshgrid(np.linspace(-0.02, 0.02, 41), np.linspace(-0.015, 0.015, 31), indexing="ij")
    tibia = np.stack([x, y, 0 * x], axis=-1)
    return cd.joints.Mesh.from_grid(femur, title="femur"), cd.joints.Mesh.from_grid(tibia, title="tibia")


def closed_form(T):
    """What touches of the plateau (N, 2) and of the torus (N, 3) at poses of the plateau that touch."""
    p = touched(-T[:, :3, 2])
    return np.einsum("nji,nj->ni", T[:, :3, :3], p - T[:, :3, 3])[:, :2], p


@cache
def recovered(seed, count=601, smoothing="auto"):
    """Coordinates, and errors [m] of gap, paths on plateau and condyle, and the gap through the noisy poses alone."""
    t, options = np.linspace(*FLEX[[0, -1]], count), {"frames": 8, "metric": "noise", "smoothing": smoothing}
    found = cd.design.joint_from_bones(*bone_meshes(), measured(seed, t)[0], t, through="contact", options=options)
    inner = (found.q[:, 0] > FLEX[12]) & (found.q[:, 0] < FLEX[-13])
    q, path = found.q[inner], found.compartments[0].path
    flat, round_ = closed_form(true_poses(q[:, 0])[0])
    G = found.fit.joint.pose(q).as_matrix()
    alone = ((closed_form(G)[1] - G[:, :3, 3]) * G[:, :3, 2]).sum(axis=1)
    off = [np.linalg.norm(x, axis=1) for x in (path.child[inner, :2] - flat, path.parent[inner] - round_)]
    return q[:, 0], np.abs(path.gap[inner]), *off, np.abs(alone)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_bones_and_noisy_poses_together(seed):
    """Oracle: the torus's support function: no gap, and no point of the path on the condyle 0.05 mm off."""
    _, gap, on_plateau, on_condyle, _ = recovered(seed)
    assert gap.max() < 1e-6
    assert on_condyle.max() < 5e-5
    assert np.sqrt(np.mean(on_plateau**2)) < 1e-4  # its largest point is beyond what the noise allows


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_no_point_is_off_by_a_tenth_of_a_millimetre_after_four_times_as_many_poses(seed):
    """Oracle: the torus's support function: gap, gap through the poses alone, and both paths, at the largest point."""
    _, *errors = recovered(seed, 2401, 0.0)
    assert [bool(e.max() < 1e-4) for e in errors] == 4 * [True]


@pytest.mark.slow
def test_the_path_on_the_plateau_is_as_exact_as_the_noise_allows():
    """Oracle: the Cramér-Rao bound of eight frames: a single pose's variance, by differences, times the leverage."""
    q = recovered(0)[0]
    T, variance = true_poses(q)[0], np.zeros(len(q))
    for e in np.diag(np.repeat([np.radians(0.1), 3e-4], 3)):
        change = closed_form(T @ cd.SE3.exp(e).as_matrix())[0] - closed_form(T @ cd.SE3.exp(-e).as_matrix())[0]
        variance += (change**2).sum(axis=1) / 4.0
    bound = np.sqrt((variance * leverages(FLEX, q)).mean())
    found = np.sqrt(np.mean([recovered(seed)[2] ** 2 for seed in range(12)]))
    assert 0.7 * bound < found < 1.15 * bound


def test_the_conjugate_of_a_plane_is_the_profile_that_it_touches():
    """Oracle: a wheel that rolls on a plane: the plane leaves the wheel's rim in it."""
    x, turn = (0, 0, 0, 1, 0, 0), (0, 1, 0, 0, 0, 0)
    up = cd.joints.weld(cd.SE3.from_translation((0, 0, 0.02)))
    roll = cd.joints.product([x, turn], [cd.functions.linear(scale=0.02), cd.functions.linear()])
    rim = cd.joints.conjugate_surface(
        cd.joints.compose(up, roll), plateau(), np.linspace(-1, 1, 21), [-0.01, 0.0, 0.01]
    )
    assert np.abs(np.hypot(rim.vertices[:, 0], rim.vertices[:, 2]) - 0.02).max() < 1e-9
    assert (rim.area_vectors @ (0, 0, -1)).sum() > 0  # it faces the plane
    with pytest.raises(BadValue, match="moves along itself"):
        cd.joints.conjugate_surface(cd.joints.prismatic("z"), plateau(), [0.0, 0.1], [0.0, 0.01])


@pytest.mark.slow
@pytest.mark.parametrize("length", [0.01, 0.1])
def test_gaps_are_closed_by_the_least_motion_in_the_metric(length):
    """Oracle: closed form: a gap g at an arm a from the child's origin turns it by g a/(a² + length²)."""
    t, gap = np.linspace(-0.1, 1.7, 81), 2e-5
    T = true_poses(t)[0]
    T[:, :3, 3] -= gap * T[:, :3, 2]
    options = {"frames": 30, "metric": length, "smoothing": 0.0}
    found = cd.design.joint_from_bones(*bone_meshes(), cd.SE3.from_matrix(T), t, through="contact", options=options)
    moved = found.joint.pose(t[20:60, None]).as_matrix()
    turned = np.linalg.norm((cd.SE3.from_matrix(T[20:60]).inverse() @ cd.SE3.from_matrix(moved)).log()[:, :3], axis=1)
    arm = np.hypot(0.006 * np.sin(t[20:60]), 0.002)
    assert turned == pytest.approx(gap * arm / (arm**2 + length**2), rel=0.05, abs=2e-6)
