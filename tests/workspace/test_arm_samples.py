"""Samples and their statistics: Table 1, twist regressions, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from condyle.errors import BadSamples, BadShape, BadValue, NotFinite, UnknownName
from condyle.workspace import ArmSamples, TwistTrials, distance_report, fit_arm, fit_twist, synthetic_subject
from condyle.workspace.fit.samples import twist_angle
from condyle.workspace.fit.synthetic_subjects import SUBJECTS

TABLE_1 = {"male": (15, 31, 35, 21, 46, 6.5), "female": (10, 26, 29, 20, 35, 3.9)}  # cm


@pytest.mark.parametrize("name", TABLE_1)
def test_synthetic_subjects_have_the_sizes_of_table_1(name):
    """Oracle: the paper's Table 1, to the centimetre it is printed in (standard deviation to 2 mm)."""
    for seed in range(3):
        found = distance_report(synthetic_subject(name, noise=0.0, seed=seed))
        cm = 100 * np.array([found.clavicle, found.upper_arm, found.mean, found.nearest, found.farthest])
        assert np.abs(cm - TABLE_1[name][:5]).max() < 0.65
        assert abs(100 * found.deviation - TABLE_1[name][5]) < 0.2


@pytest.mark.parametrize("name", TABLE_1)
def test_links_of_a_noiseless_subject_are_rigid(name):
    """Oracle: the subject's own lengths; the triangle inequality of Table 1 holds."""
    samples, subject = synthetic_subject(name, noise=0.0), SUBJECTS[name]
    trials = samples.trials
    assert np.abs(np.linalg.norm(samples.shoulder, axis=1) - subject.clavicle).max() < 1e-14
    assert np.abs(np.linalg.norm(samples.elbow - samples.shoulder, axis=1) - subject.upper_arm).max() < 1e-14
    for wrist in (trials.wrist_low, trials.wrist_high):
        arm, fore = trials.elbow - trials.shoulder, wrist - trials.elbow
        assert np.abs(np.linalg.norm(fore, axis=1) - subject.forearm).max() < 1e-14
        assert np.abs(np.einsum("ni,ni->n", arm, fore)).max() < 1e-14  # bent 90°
    report = distance_report(samples)
    assert report.clavicle + report.upper_arm >= report.farthest - 1e-12
    assert abs(report.upper_arm - report.clavicle) <= report.nearest


def test_thirds_have_a_third_of_the_samples_each():
    """Oracle: counting; every distance of a third is below the next third's."""
    samples = synthetic_subject(count=150)
    thirds, distance = distance_report(samples).thirds, np.linalg.norm(samples.elbow, axis=1)
    assert np.bincount(thirds).tolist() == [50, 50, 50]
    assert distance[thirds == 0].max() <= distance[thirds == 1].min()
    assert distance[thirds == 1].max() <= distance[thirds == 2].min()


def test_the_quadratic_regression_finds_the_law_it_was_given():
    """Oracle: the coefficients of the synthetic twist law; a line leaves more behind."""
    trials = synthetic_subject(noise=0.0).trials
    quadratic, line = fit_twist(trials, 2), fit_twist(trials, 1)
    assert np.abs(np.degrees(quadratic.coefficients) - SUBJECTS["male"].twist_range).max() < 1e-9
    assert quadratic.rms < 1e-12 < line.rms
    assert np.degrees(quadratic(0.0)) == pytest.approx(183.0)
    assert (line(np.radians(10.0)) > line(np.radians(150.0))).all()  # more twist near rest, as the paper saw


def test_twist_beyond_half_a_turn_is_not_folded_back():
    """Oracle: a known turn of 250° about the upper arm."""
    s, e = np.zeros((1, 3)), np.array([[0.0, 0.0, -0.3]])
    a = np.radians(250)
    start, end = e + [[0.2, 0.0, 0.05]], e + [[0.2 * np.cos(a), -0.2 * np.sin(a), -0.1]]  # axis is −z
    assert np.degrees(twist_angle(s, e, start, end)) == pytest.approx([250.0])


def test_decimation_keeps_a_distance():
    """Oracle: all pairwise distances."""
    samples = synthetic_subject(count=400).decimated(0.03)
    gaps = np.linalg.norm(samples.elbow[:, None] - samples.elbow[None], axis=-1) + np.eye(len(samples))
    assert 50 < len(samples) < 400 and gaps.min() >= 0.03


def test_a_thin_region_is_warned_about():
    samples = synthetic_subject(count=300, seed=1)
    back = samples.elbow[:, 1] < -0.1
    thin = ArmSamples(samples.shoulder[~back], samples.elbow[~back], samples.trials)
    with pytest.warns(UserWarning, match=r"no sample near elevation \d+°, abduction -?\d+°: the surface is a guess"):
        thin.warn_if_thin()


def test_a_left_arm_is_named_and_mirrors_into_a_right_one():
    samples = synthetic_subject()
    left = samples.mirrored()
    with pytest.raises(BadSamples, match=r"samples of a left arm"):
        fit_arm(left)
    again = left.mirrored()
    assert np.array_equal(again.elbow, samples.elbow)
    assert np.allclose(left.trials.twist_range, samples.trials.twist_range)


@pytest.mark.parametrize(("factor", "unit"), [(100.0, "centimetres"), (1000.0, "millimetres")])
def test_other_units_are_named(factor, unit):
    with pytest.raises(BadSamples, match=f"samples are in metres; these look like {unit}: scale them"):
        fit_arm(synthetic_subject().turned(factor * np.eye(3)))


def test_too_few_samples_are_named():
    with pytest.raises(BadSamples, match=r"too few samples for this surface.*samples = 12, needed = 21"):
        fit_arm(synthetic_subject(count=12))


def test_nan_rows_are_named():
    elbow = np.ones((5, 3))
    elbow[3, 1] = np.nan
    with pytest.raises(NotFinite, match=r"arm samples: elbow has NaN or infinite rows; remove them; got rows = \[3\]"):
        ArmSamples(np.ones((5, 3)), elbow, synthetic_subject().trials)


def test_rows_that_do_not_match_are_named():
    with pytest.raises(
        BadShape, match=r"arm samples: every field has the same number of rows; got shoulder = 4, elbow = 5"
    ):
        ArmSamples(np.ones((4, 3)), np.ones((5, 3)), synthetic_subject().trials)
    with pytest.raises(BadShape, match=r"twist trials: elbow is one row of three per sample; got shape = \(5, 2\)"):
        TwistTrials(np.ones((5, 3)), np.ones((5, 2)), np.ones((5, 3)), np.ones((5, 3)))


@pytest.mark.parametrize(("field", "value", "words"), [
    ("elbow", 0.0, "way to the elbow of some rows"), ("elbow", 999999.0, "way to the elbow of some rows"),
    ("shoulder", 0.0, "clavicle of some rows"),
])  # fmt: skip
def test_lost_markers_are_named(field, value, words):
    """Oracle: what recorders write where a marker was lost; the rows."""
    samples = synthetic_subject()
    rows = getattr(samples, field).copy()
    rows[5:7] = value
    with pytest.raises(BadSamples, match=rf"{words} is not that of the others.*rows = \[5, 6\]"):
        fit_arm(replace(samples, **{field: rows}))


def test_twist_trials_of_another_unit_or_joint_are_named():
    """Oracle: the words."""
    samples, metres = synthetic_subject(), synthetic_subject().trials
    other = samples.turned(1000.0 * np.eye(3)).trials
    with pytest.raises(BadSamples, match="in the same unit as the samples; their upper arm is not"):
        fit_arm(replace(samples, trials=other))
    with pytest.raises(BadSamples, match="forearm has no length in most rows"):
        fit_arm(replace(samples, trials=replace(metres, wrist_low=metres.elbow)))
    with pytest.raises(BadSamples, match="clavicle has no length in most rows"):
        fit_arm(replace(samples, shoulder=0 * samples.shoulder))


def test_samples_that_are_no_numbers_are_named():
    """Oracle: the words."""
    samples = synthetic_subject()
    for bad in (samples.elbow + 1j, samples.elbow.astype(str)):
        with pytest.raises(BadShape, match="arm samples: elbow must be an array of real numbers"):
            replace(samples, elbow=bad)
    for bad in (np.ones((3, 3)), np.diag([1.0, 1.0, 0.001]), np.zeros((3, 3))):
        with pytest.raises(BadValue, match="takes a rotation or a mirror image, times the scale of the unit"):
            samples.turned(bad)
    with pytest.raises(BadShape, match="3 × 3 matrix"):
        samples.turned(np.eye(2))


def test_an_unknown_subject_is_named():
    with pytest.raises(UnknownName, match=r"no subject named 'mal' in the synthetic subjects. Did you mean 'male'?"):
        synthetic_subject("mal")


def test_too_few_trials_are_named():
    trials = TwistTrials(*np.ones((4, 2, 3)))
    samples = synthetic_subject()
    with pytest.raises(BadSamples, match=r"twist limits need at least 3 twist trials; got trials = 2"):
        fit_arm(ArmSamples(samples.shoulder, samples.elbow, trials))
    with pytest.raises(BadSamples, match=r"a regression needs more trials than coefficients"):
        fit_twist(trials)


def test_a_spacing_of_zero_is_refused():
    with pytest.raises(BadValue, match=r"spacing must be positive; got spacing = 0"):
        synthetic_subject().decimated(0)
