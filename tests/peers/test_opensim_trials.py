"""Whole trials as OpenSim computes them: scaling, inverse kinematics and inverse dynamics."""

import re

import numpy as np
import pytest

import condyle as cd
from support.trial_files import SCALE, marker_tasks, measured, motion, write_trial

osim = pytest.importorskip("opensim")
from support.opensim_trials import (  # noqa: E402
    DATA,
    degrees_apart,
    dynamics_by_opensim,
    kinematics_by_opensim,
    laid_out,
    needs_trials,
    rms_ratio,
    scaled_by_opensim,
    scaled_by_wheel,
    sizes,
)

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore::condyle.errors.NotInModel")]
osim.Logger.setLevelString("error")


def same_bodies(one, other):
    """The largest differences of masses, centres of mass, moments and joint places."""
    pairs = list(zip(one.bodies, other.bodies, strict=True))
    return (
        max(abs(a.inertia.mass - b.inertia.mass) for a, b in pairs),
        max(np.abs(a.inertia.com - b.inertia.com).max() for a, b in pairs),
        max(np.abs(a.inertia.moment - b.inertia.moment).max() for a, b in pairs),
        max(np.abs(a.placement - b.placement).max() for a, b in pairs),
    )


def markers_apart(one, other):
    """The largest difference of a marker's place [m]; both must have the same markers."""
    here, there = ({m.name: m.at for m in model.markers} for model in (one, other))
    assert sorted(here) == sorted(there)
    return max(np.abs(here[name] - there[name]).max() for name in here)


def test_a_leg_of_our_own_is_scaled_followed_and_weighed_as_in_opensim(tmp_path):
    """Oracle: OpenSim's three tools on files of our own: uneven factors, masses, markers, angles, moments."""
    _, leg = write_trial(tmp_path, cutoff=6.0, model="person.osim")
    cd.trial.write_markers(measured(leg, [0.0, 0.5], motion(np.zeros(2))[0]), tmp_path / "static.trc")
    (tmp_path / "Setup_Scale.xml").write_text(SCALE.format(tasks=marker_tasks()))
    scaled_by_opensim(osim, tmp_path / "Setup_Scale.xml")
    theirs = cd.load(tmp_path / "person.osim")
    run = cd.trial.run(tmp_path, tmp_path / "out", report=False)
    ours = run.scaled["person"].model
    assert max(same_bodies(ours, theirs)) < 1e-12 and markers_apart(ours, theirs) < 1e-4
    again = (
        cd.trial.run(tmp_path / "Setup_IK.xml", tmp_path / "again", report=False).trials[0].kinematics
    )  # their model
    assert degrees_apart(theirs, again.q, kinematics_by_opensim(osim, tmp_path / "Setup_IK.xml", 1e-10)) < 0.05
    motion_file = kinematics_by_opensim(osim, tmp_path / "Setup_IK.xml", 1e-10)
    reference = dynamics_by_opensim(osim, tmp_path / "Setup_ID.xml", motion_file)
    loads = cd.trial.read_external_loads(tmp_path / "loads.xml")
    assert rms_ratio(cd.trial.inverse_dynamics(theirs, motion_file, loads=loads, cutoff=6.0), reference) < 5e-3


@pytest.mark.parametrize(("mass", "preserve"), [("-1", "false"), ("-1", "true"), ("50", "false")])
def test_masses_are_scaled_as_in_opensim(tmp_path, mass, preserve):
    """Oracle: OpenSim's scale tool, with and without a mass of the person, by ratios and by volumes."""
    _, leg = write_trial(tmp_path)
    cd.trial.write_markers(measured(leg, [0.0, 0.5], motion(np.zeros(2))[0]), tmp_path / "static.trc")
    text = SCALE.format(tasks=marker_tasks()).replace("<mass>30", f"<mass>{mass}")
    (tmp_path / "s.xml").write_text(text.replace("distribution>true", f"distribution>{preserve}"))
    scaled_by_opensim(osim, tmp_path / "s.xml")
    ours = cd.trial.run(tmp_path / "s.xml", tmp_path / "out", report=False).scaled["person"].model
    assert max(same_bodies(ours, cd.load(tmp_path / "person.osim"))) < 1e-12


def person_of(folder, text):
    """The person that a setup scales by OpenSim, and by condyle; the thigh grows after the first frame."""
    _, leg = write_trial(folder)
    still = measured(leg, [0.0, 0.5, 1.0], motion(np.zeros(3))[0])
    still.points[1:, still.names.index("KNEE")] += [0.0, -0.1, 0.0]
    cd.trial.write_markers(still, folder / "static.trc")
    (folder / "s.xml").write_text(text)
    scaled_by_opensim(osim, folder / "s.xml")
    return cd.trial.run(folder / "s.xml", folder / "out", report=False).scaled["person"].model, cd.load(
        folder / "person.osim"
    )


@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
@pytest.mark.parametrize("said", ["", "<time_range>-1 -1</time_range>", "<time_range>0.4 0.6</time_range>"])
def test_the_span_of_measured_distances_is_that_of_opensim(tmp_path, said):
    """Oracle: OpenSim's scale tool, without a span, with the one that programs write for none, and with one."""
    text = SCALE.format(tasks=marker_tasks()).replace("<time_range>0 1</time_range>", said, 1)
    ours, theirs = person_of(tmp_path, text)
    assert max(same_bodies(ours, theirs)) < 1e-12


@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
def test_sets_of_a_scaling_in_files_of_their_own_are_those_of_opensim(tmp_path):
    """Oracle: OpenSim's scale tool, whose MeasurementSet and ScaleSet are named by an attribute."""
    text = SCALE.format(tasks=marker_tasks())
    for tag in ("MeasurementSet", "ScaleSet"):
        inner = re.search(f"<{tag}>.*?</{tag}>", text, re.S)[0]
        (tmp_path / f"{tag}.xml").write_text(f'<OpenSimDocument Version="40000">{inner}</OpenSimDocument>')
        text = text.replace(inner, f'<{tag} file="{tag}.xml"/>')
    ours, theirs = person_of(tmp_path, text)
    assert max(same_bodies(ours, theirs)) < 1e-12
    before = {b.name: b.inertia.com for b in cd.load(tmp_path / "leg.osim").bodies}
    assert all(np.abs(b.inertia.com - before[b.name]).max() > 1e-3 for b in ours.bodies if b.name != "pelvis")


@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
def test_of_two_tasks_of_a_marker_opensim_takes_the_first(tmp_path):
    """Oracle: OpenSim's inverse kinematics of markers that do not fit each other."""
    _, leg = write_trial(tmp_path, count=3)
    seen = measured(leg, [0.0, 0.5, 1.0], motion(np.array([0.0, 0.5, 1.0]))[0])
    seen.points[:, seen.names.index("ASIS")] += 0.05
    cd.trial.write_markers(seen, tmp_path / "walk.trc")
    setup = tmp_path / "Setup_IK.xml"
    setup.write_text(setup.read_text().replace("</objects>", marker_tasks(50.0, ["ASIS"]) + "</objects>"))
    found = cd.trial.run(setup, tmp_path / "out", report=False).trials[0].kinematics
    assert degrees_apart(leg, found.q, kinematics_by_opensim(osim, setup, 1e-10)) < 1e-3


@needs_trials
@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
@pytest.mark.parametrize("path", sorted(DATA.glob("*/*.osim")), ids=lambda path: path.stem)
def test_every_model_is_scaled_as_in_opensim(path, tmp_path):
    """Oracle: OpenSim scales every model at hand by uneven factors: joints, masses, markers, wraps, points of muscles.

    It rounds places in files of before version 4 to six digits.
    """
    rng = np.random.default_rng(0)
    factors = {name: rng.uniform(0.8, 1.3, 3) for name in cd.load(path).names}
    if not scaled_by_wheel(osim, path, factors, 50.0, tmp_path / "theirs.osim"):
        pytest.skip("OpenSim does not scale this model")
    ours, theirs = (
        sizes(cd.trial.scale(path, factors=factors, mass=50.0).model),
        sizes(cd.load(tmp_path / "theirs.osim")),
    )
    assert not {name: (ours[name], x) for name, x in theirs.items() if not np.allclose(ours[name], x, atol=2e-6)}


@needs_trials
def test_gait2354_is_scaled_as_in_opensim(tmp_path):
    """Oracle: OpenSim's scale tool; markers by the same rule at its own static pose, which it leaves unconverged."""
    folder = laid_out(tmp_path, "gait2354")
    scaled_by_opensim(osim, folder / "subject01_Setup_Scale.xml")
    ours = cd.trial.run(folder / "subject01_Setup_Scale.xml", tmp_path / "out", report=False).scaled["subject01"]
    theirs = cd.load(folder / "subject01_simbody.osim")
    assert max(same_bodies(ours.model, theirs)) < 1e-12
    opened = osim.Model(str(tmp_path / "out" / "subject01_simbody" / "subject01_simbody.osim"))  # our file in OpenSim
    state = opened.initSystem()
    assert np.isclose(opened.getTotalMass(state), 72.6) and opened.getMarkerSet().getSize() == len(theirs.markers)
    soleus = opened.getMuscles().get("soleus_r").getTendonSlackLength()
    assert np.isclose(
        soleus, next(m for m in theirs.opensim.muscles if m.name == "soleus_r").get("tendon_slack_length")
    )
    muscles = {m.name: m for m in theirs.opensim.muscles}
    for muscle in ours.model.opensim.muscles:
        for key in ("optimal_fiber_length", "tendon_slack_length"):
            assert np.isclose(muscle.get(key), muscles[muscle.name].get(key), rtol=1e-12)
    states = cd.read_table(folder / "subject01_static_output.mot")
    q = ours.pose.q[0].copy()
    for name in (n for n in states.names if n.endswith("/value")):
        q[ours.model.q_index(name.split("/")[-2])] = states[name][0]
    scaled = cd.trial.scale(folder / "subject01_scaledOnly.osim")
    placed = cd.trial.place_markers(scaled, folder / "subject01_static.trc", pose=q, span=(1.0, 1.01))
    assert markers_apart(placed.model, theirs) < 1e-6
    assert markers_apart(ours.model, theirs) < 0.01  # their static pose has a higher cost than ours
    for reference in ("reference_subject01_scaledOnly.osim", "reference_subject01_simbody.osim"):  # of an older OpenSim
        mass, com, _, place = same_bodies(ours.model, cd.load(folder / reference))
        assert max(mass, com, place) < 1e-4


@needs_trials
def test_angles_of_gait2354_are_those_of_a_converged_opensim(tmp_path):
    """Oracle: OpenSim at accuracy 1e-10; at its default it stops up to 0.2 degrees before."""
    folder = laid_out(tmp_path, "gait2354")
    scaled_by_opensim(osim, folder / "subject01_Setup_Scale.xml")
    setup, model = folder / "subject01_Setup_IK.xml", cd.load(folder / "subject01_simbody.osim")
    found = cd.trial.run(setup, tmp_path / "out", report=False).trials[0].kinematics
    early, late = (degrees_apart(model, found.q, kinematics_by_opensim(osim, setup, a)) for a in (None, 1e-10))
    assert late < 0.05 and late < early < 0.2


@needs_trials
def test_forces_of_gait2354_are_those_of_opensim_and_of_the_stored_reference(tmp_path):
    """Oracle: OpenSim's inverse dynamics of the same motion, and the reference that is stored with the model."""
    folder = laid_out(tmp_path, "gait2354")
    model = cd.load(folder / "reference_subject01_simbody.osim")
    loads = cd.trial.read_external_loads(folder / "subject01_walk1_grf.xml")
    ik = folder / "reference_subject01_walk1_ik.mot"
    found = cd.trial.inverse_dynamics(model, ik, loads=loads, cutoff=6.0)
    assert rms_ratio(found, cd.read_table(folder / "reference_inverse_dynamics.sto")) < 1e-4
    (folder / "subject01_simbody.osim").write_bytes((folder / "reference_subject01_simbody.osim").read_bytes())
    assert rms_ratio(found, dynamics_by_opensim(osim, folder / "subject01_Setup_InverseDynamics.xml", ik)) < 1e-3


@needs_trials
def test_gait10dof_from_markers_to_moments_is_the_stored_reference(tmp_path):
    """Oracle: the references that are stored with the model: angles to its early stop, moments to half a percent."""
    folder = laid_out(tmp_path, "gait10dof")
    found = cd.trial.run(folder, tmp_path / "out", report=False).trials[0]
    model = found.kinematics.model
    assert degrees_apart(model, found.kinematics.q, folder / "ExperimentalData" / "reference_walk_IK.mot") < 0.1
    late = kinematics_by_opensim(osim, folder / "IK" / "walk_Setup_IK.xml", 1e-10)
    assert degrees_apart(model, found.kinematics.q, late) < 0.05
    assert rms_ratio(found.dynamics, cd.read_table(folder / "ExperimentalData" / "reference_walk_ID.sto")) < 5e-3
