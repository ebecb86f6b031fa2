"""What is measured and what is not: rim, extra patch, subjects, sides, options, partial orientations, weights."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import KDTree

import condyle as cd
from condyle.errors import BadSamples, BadValue, OutOfReach
from condyle.splines.bezier.closest_point import domain_grid
from condyle.workspace import Limits, fit_arm, read_bvh_arm, synthetic_subject
from condyle.workspace.solve.arm_forward import posture_at
from support.arm_oracles import (
    chain,
    covered,
    elbows_on_rays,
    feasible_postures,
    nearest_hand,
    nearest_hand_of_twists,
)
from support.laboratory import FOLDER

pytestmark = pytest.mark.slow  # many arms are fitted; test_arm_inverse.py and test_arm_curves.py solve one of them

BVH = FOLDER / "bvh"
MIRROR = np.array([-1.0, 1.0, 1.0])


@pytest.fixture(scope="module")
def truth():
    return KDTree(synthetic_subject("male", seed=1, count=20000, noise=0.0).elbow)


def test_no_measured_answer_is_outside_the_true_workspace(male, truth):
    """Oracle: 20,000 noiseless elbows of the same subject, and the sampling distance."""
    goals = np.random.default_rng(0).uniform([-0.3, -0.4, -0.5], [0.7, 0.7, 0.6], (400, 3))
    found = male.solve(goals, outside="nan")
    found = found[np.isfinite(found.rows[:, 0])]
    off = truth.query(found.elbow)[0]
    assert found.measured.sum() > 50 and (~found.measured).sum() > 5
    assert off[found.measured].max() < min(0.03, male.region.spacing)
    assert (found.outside[~found.measured] > 0).all() and off[~found.measured].max() > 0.02


def test_an_arm_is_written_in_a_line(male):
    """Oracle: the words; no arrays."""
    assert repr(male).startswith(
        "<Arm: right, clavicle 15.0, upper arm 31.0, forearm 27.0 cm; <BezierSurface: 6 patches"
    )
    assert repr(male.region).startswith("<MeasuredRegion: 150 places")
    assert repr(synthetic_subject("male")) == "<ArmSamples: 150 places of a right arm>"


def test_unmeasured_answers_are_refused_by_choice(male):
    """Oracle: a goal that the default answers with measured False; the distance that the error names."""
    goals = np.random.default_rng(1).uniform([-0.3, -0.4, -0.5], [0.7, 0.7, 0.6], (200, 3))
    found = male.solve(goals, outside="nan")
    goal = goals[np.flatnonzero(found.outside > 0.02)[0]]
    with pytest.raises(OutOfReach, match="cm outside the measured workspace"):
        male.solve(goal, unmeasured="refuse")
    assert male.solve(goal, unmeasured="refuse", outside="nearest").measured
    kept = male.solve(goals, unmeasured="refuse", outside="nan")
    answered = np.isfinite(kept.rows[:, 0])
    assert kept.measured[answered].all()  # on the rim of the measured workspace, too
    assert answered.sum() > found.measured.sum() - 1


@pytest.mark.parametrize("name", ["male", "female"])
def test_subjects_follow_the_text_of_the_paper(name):
    """Oracle: section 2.3: farthest close to the sagittal plane, behind, slightly below; nearest in front, above."""
    elbow = synthetic_subject(name, noise=0.0, count=2000).elbow
    d = elbow / np.linalg.norm(elbow, axis=1, keepdims=True)
    far, near = (d[np.linalg.norm(elbow, axis=1).argsort()[k]] for k in (-1, 0))
    assert abs(far[0]) < 0.35 and far[1] < -0.8 and -0.5 < far[2] < 0
    assert abs(near[0]) < 0.35 and near[1] > 0.8 and 0 < near[2] < 0.5


def test_the_extra_patch_without_samples_is_refused():
    """Oracle: samples without the corner behind and below."""
    samples = synthetic_subject("male")
    front = samples.elbow[:, 1] > -0.1
    few = replace(samples, shoulder=samples.shoulder[front], elbow=samples.elbow[front])
    with pytest.raises(BadSamples, match="extra patch needs 3 samples"):
        fit_arm(few, extra=True, smoothing=1e-5)


def test_the_extra_patch_is_seeded(truth):
    """Oracle: true elbows near the measured part of the patch; given R₀ … R₂."""
    samples = synthetic_subject("male")
    arm = fit_arm(samples, extra=True, smoothing=1e-5)
    corners = arm.surface.complex.vertices[arm.surface.complex.triangles[6]]
    posture = posture_at(arm, np.random.default_rng(0).dirichlet([1, 1, 1], 500) @ corners, 0.5, 1.0, (0.0, 0.0, 0.0))
    assert posture.measured.any() and truth.query(posture.elbow[posture.measured])[0].max() < 0.03
    assert np.isfinite(posture.elevation).all()
    R = np.array([[0.05, -0.42, -0.16], [0.05, -0.43, -0.06], [0.0, -0.45, -0.12]])
    given = fit_arm(samples, extra=True, corner=R, smoothing=1e-5)
    tip, a, b = corners
    at = np.array([(2 * tip + a) / 3, (2 * tip + b) / 3, tip])
    assert np.abs(given.surface.evaluate(0.9999999999 * at)[:, 3:6] - R).max() < 1e-6
    assert given.surface.smoothness_gap() < 1e-10


@pytest.mark.parametrize("idle", [{"degree": 5}, {"extra": True}, {"split": 1}, {"smoothing": 1e-5}, {"loss": "tukey"}])
def test_options_without_an_effect_are_refused(idle):
    """Oracle: the options that the paper's surface has."""
    with pytest.raises(BadValue, match=next(iter(idle))):
        fit_arm(synthetic_subject(), method="interpolation", **idle)
    with pytest.raises(BadValue, match="alpha"):
        fit_arm(synthetic_subject(), alpha=0.1)


def test_elevation_and_abduction_are_the_true_angles(male):
    """Oracle: the direction of the elbow from the clavicle."""
    elevation, abduction = np.radians([[20.0, 70.0, 110.0, 90.0], [40.0, 80.0, 30.0, -10.0]])
    d = male.forward(elevation, abduction).elbow
    d = d / np.linalg.norm(d, axis=1, keepdims=True)
    s = np.sin(elevation)
    assert np.abs(d - np.stack([s * np.cos(abduction), s * np.sin(abduction), -np.cos(elevation)], axis=1)).max() < 1e-9


def test_a_left_arm_is_the_mirror_image_of_its_mirrored_data():
    """Oracle: the right arm of the mirrored samples."""
    samples = synthetic_subject("male", count=60)
    right, left = fit_arm(samples, smoothing=1e-5), fit_arm(samples.mirrored(), smoothing=1e-5, side="left")
    a, b = right.forward(1.2, 0.9, 0.3), left.forward(1.2, 0.9, 0.7)
    assert np.abs(a.wrist * MIRROR - b.wrist).max() < 1e-6
    assert np.abs(left.solve(b.wrist).elbow - right.solve(a.wrist).elbow * MIRROR).max() < 1e-5
    assert np.abs(b.skeleton.wrist - b.wrist).max() < 1e-12
    with pytest.raises(BadSamples, match='side="left"'):
        fit_arm(samples.mirrored(), smoothing=1e-5)


def test_any_axis_of_the_hand_is_directed(male):
    """Oracle: the hand of the nine angles by scipy; along z the answer is that of the default."""
    made, axis = feasible_postures(male, 20, seed=6), np.array([0.6, 0.0, 0.8])
    wanted = made.hand @ axis
    found = male.solve(made.wrist, hand_axis=wanted, about=axis)
    assert (found.orientation_error < 1e-6).all() and (found.penalty < 1e-12).all()
    for n in range(20):
        assert np.linalg.norm(chain(male.lengths, found.angles[n])[3] @ axis - wanted[n]) < 1e-6
    z = made.hand[..., 2]
    assert male.solve(made.wrist, hand_axis=z, about=[0, 0, 1]).feasible.sum() >= 19


def test_weights_decide_what_is_comfortable_and_what_is_broken(male):
    """Oracle: flexion nearer to its middle when it weighs more; the hand as asked with limits broken."""
    goals = feasible_postures(male, 20, seed=1).wrist
    heavy = replace(male, limits=Limits(weights=(1.0, 100.0, 1.0, 1.0, 1.0)))
    middle = np.mean(male.limits.flexion)
    assert np.abs(heavy.solve(goals).flexion - middle).mean() < np.abs(male.solve(goals).flexion - middle).mean()
    hand = np.diag([-1.0, 1.0, -1.0])
    kept = male.solve(goals, orientation=hand, keep="orientation")
    assert kept.orientation_error.max() == 0 and kept.penalty.max() > 1e-3
    assert max(np.abs(chain(male.lengths, a)[3] - hand).max() for a in kept.angles) < 1e-9


def compared_near_straight(arm, stretch, seed, rays=120):
    """Goals along upper arms, `stretch` (n,) of both links away: answers for hands' axes beside all hands there.

    Judge: elbows on rays round the place of the straight arm, by bisection; a lattice of wrist angles.
    """
    made, rng = feasible_postures(arm, len(stretch), seed=seed), np.random.default_rng(seed)
    bones = arm.lengths.upper_arm + arm.lengths.forearm
    goals = made.shoulder + (bones * stretch)[:, None] * (made.elbow - made.shoulder) / arm.lengths.upper_arm
    hands = rng.normal(size=(len(stretch), 3))
    hands /= np.linalg.norm(hands, axis=1, keepdims=True)
    found = arm.solve(goals, hand_axis=hands, outside="nan")
    rings = [elbows_on_rays(arm, place, goal, rays) for place, goal in zip(made.place, goals, strict=True)]
    whole = [n for n, ring in enumerate(rings) if ring is not None and covered(arm.region, ring).all()]
    nearest = [nearest_hand(arm, rings[n], goals[n], hands[n]) for n in whole]
    return found[whole], np.array(nearest)


@pytest.mark.parametrize("stretch", [0.998, 0.9995, 1 - 1e-6])
def test_near_a_straight_elbow_the_nearest_orientation_is_found_and_proven(male, stretch):
    """Oracle: all hands of 120 elbows round the straight arm. At 0.9995 goal 34 has a curve that crosses two edges
    twice and whose longest chord passes its middle."""
    found, nearest = compared_near_straight(male, np.full(40, stretch), 8)
    assert len(nearest) > 25 and (found.orientation_error > 1e-3).sum() > 10
    assert (found.orientation_error <= nearest + 1e-6).all()
    assert found.nearest.all()


@pytest.mark.parametrize("seed", [1, 2])
def test_up_to_the_straight_elbow_no_hand_is_nearer(male, seed):
    """Oracle: all hands of 120 elbows round the straight arm, at 1e-2 to 1e-10 of the stretch from it."""
    stretch = 1 - 10.0 ** np.random.default_rng(seed).uniform(-10, -2, 400)
    found, nearest = compared_near_straight(male, stretch, seed)
    assert len(nearest) > 250 and (found.orientation_error > 1e-3).sum() > 150
    assert (found.orientation_error <= nearest + 1e-6).all()
    assert found.nearest.all()


@pytest.mark.parametrize("short", [0.0, 1e-9, 1e-4])
def test_a_straight_arm_twists_as_the_hand_needs(ball_arm, short):
    """Oracle: on a ball the elbow of the stretched arm is known; of all twists in its range, scanned, and wrist angles
    of a lattice none brings the hand nearer."""
    arm, rng = ball_arm, np.random.default_rng(3)
    place = np.array([0.2, -0.1])
    along = (arm.rigid_elbow(place) - arm.rigid_shoulder(place)) / arm.lengths.upper_arm
    goal = arm.rigid_elbow(place) + (arm.lengths.forearm - short) * along
    for axis in rng.normal(size=(8, 3)):
        axis /= np.linalg.norm(axis)
        found = arm.solve(goal, hand_axis=axis)
        nearest = nearest_hand_of_twists(arm, place, axis)
        assert found.orientation_error <= nearest + 1e-6 + 3 * np.sqrt(short)
        assert np.arccos(np.clip(chain(arm.lengths, found.angles)[3][:, 2] @ axis, -1, 1)) == pytest.approx(
            found.orientation_error, abs=1e-7
        )


@pytest.mark.parametrize(("which", "dimension"), [([0], 22), ([0, 1], 27), (None, 51)])
def test_some_patches_are_split(which, dimension):
    """Oracle: the dimensions of the C1 space."""
    assert cd.bezier.smooth_basis(cd.bezier.refined(cd.bezier.hexagon(3), which)).shape[1] == dimension


def test_one_patch_split_fits_an_arm():
    """Oracle: continuity, and 24 triangles."""
    arm = fit_arm(synthetic_subject("male", count=90), split=[5], smoothing=1e-5)
    assert len(arm.surface.complex.triangles) == 24 and arm.surface.smoothness_gap() < 1e-10


def test_curves_split_rise_and_blossom():
    """Oracle: Bernstein's sum of a cubic."""
    b, t = np.random.default_rng(0).normal(size=(4, 3)), np.array([0.0, 0.3, 1.0])
    wanted = sum(c * (t**k * (1 - t) ** (3 - k))[:, None] * b[k] for k, c in enumerate((1, 3, 3, 1)))
    before, after = cd.bezier.split_curve(b, 0.3)
    assert np.allclose(cd.bezier.curve_points(b, t), wanted)
    assert np.allclose(cd.bezier.curve_points(cd.bezier.elevated_curve(b), t), wanted)
    assert np.allclose(cd.bezier.curve_blossom(b, [0.3] * 3), wanted[1])
    assert np.allclose(cd.bezier.curve_points(before, 0.5), cd.bezier.curve_points(b, 0.15))
    assert np.allclose(cd.bezier.curve_points(after, 0.5), cd.bezier.curve_points(b, 0.65))
    h = (cd.bezier.curve_points(b, 0.4 + 1e-6) - cd.bezier.curve_points(b, 0.4 - 1e-6)) / 2e-6
    assert np.allclose(cd.bezier.curve_points(cd.bezier.curve_derivative(b), 0.4), h)


def test_a_plane_meets_a_sphere_in_a_circle():
    """Oracle: the circle of closed-form radius."""
    complex = cd.bezier.hexagon(3)
    flat = cd.bezier.BezierSurface(complex, np.column_stack([complex.points, np.zeros(len(complex.points))]))
    (curve,) = cd.bezier.sphere_intersection(flat, [0.1, 0.0, 0.3], 0.5)
    assert curve.closed
    assert np.linalg.norm(curve.points[:, :2] - [0.1, 0.0], axis=1) == pytest.approx(0.4, abs=1e-12)
    assert cd.bezier.sphere_intersection(flat, [0.0, 0.0, 3.0], 0.5) == []


@pytest.mark.skipif(not BVH.is_dir(), reason="no folder shared/data/bvh beside or above the repository")
@pytest.mark.parametrize("name", ["09_04", "127_15", "22_23"])
@pytest.mark.parametrize("side", ["Right", "Left"])
def test_arms_of_real_motion_capture_are_fitted(name, side):
    """Oracle: links of rigid length, a fit within 2 mm."""
    joints = {"clavicle": "Shoulder", "shoulder": "Arm", "elbow": "ForeArm", "wrist": "Hand"}
    joints = {part: side + joint for part, joint in joints.items()}
    axes = [[-1, 0, 0], [0, 0, 1], [0, 1, 0]]
    samples = read_bvh_arm(BVH / f"{name}.bvh", **joints, unit=0.0254 / 0.45, frame=axes)
    with pytest.warns(UserWarning, match="no sample near"):
        arm = fit_arm(samples, smoothing=1e-6, side=side.lower())
    assert 0.25 < arm.lengths.upper_arm < 0.4 and arm.report.mean < 0.2


def test_orientation_given_up_for_a_measured_elbow_is_told(male):
    """Oracle: the orientation of an elbow outside the measured workspace, which that elbow serves exactly."""
    places, (low, high) = domain_grid(male.surface.complex, 16), np.array(male.limits.wrist).T
    wrist = np.random.default_rng(3).uniform(low, high, (len(places), 3))
    all_round = posture_at(male, places, 0.5, 0.6, wrist)
    beyond = all_round[~all_round.measured]
    with pytest.warns(cd.CondyleWarning, match=r"solve: goal \d+ gives up"):
        found = male.solve(beyond.wrist, orientation=beyond.skeleton.hand)
    told = found.measured & (found.orientation_error > 0.02)
    assert told.sum() > 10
    assert found.anywhere[told].max() < 1e-6
    assert (found.anywhere <= found.orientation_error + 1e-12).all()
