"""Setup files, of OpenSim and in TOML, and which of them make one trial."""

import re
from dataclasses import replace

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile
from condyle.trial.setup_files.opensim_setups import read_setup
from condyle.trial.setup_files.plan import plan_of
from condyle.trial.setup_files.toml_setups import read_toml_setup
from support.osim_files import in_set
from support.trial_files import DYNAMICS, KINEMATICS, SCALE, leg_osim, marker_tasks, write_trial

TASK = (
    '<IKCoordinateTask name="{}"><apply>true</apply><weight>5</weight><value_type>{}</value_type>'
    "<value>0.25</value></IKCoordinateTask>"
)
TOML = """
model = "leg.osim"
[scale]
markers = "static.trc"
mass = 30.0
factors = { shank_r = 1.1 }
measurement = [{ name = "thigh", pairs = [["TH1", "KNEE"]], bodies = { thigh_r = "Y" } }]
place_markers = { markers = "static.trc" }
[[trial]]
name = "walk"
markers = "walk.trc"
span = [0.0, 1.0]
weights = { ASIS = 2.0, TH1 = 1.0 }
coordinates = { knee_angle_r = { weight = 0.5, value = -0.2 } }
cutoff = 6.0
loads = "grf.mot"
force = [{ name = "right", body = "shank_r", force = "ground_force_v", point = "ground_force_p" }]
[[trial]]
name = "run"
markers = "run.trc"
dynamics = false
"""


def written(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def test_a_setup_for_scaling_is_read_whole(tmp_path):
    """Oracle: the file, written by hand."""
    step = read_setup(written(tmp_path, "s.xml", SCALE.format(tasks=marker_tasks(3.0))))
    assert step.mass == 30.0 and step.keep_mass_distribution and step.span == (0.0, 1.0)
    assert step.measurements[0].pairs == (("TH1", "KNEE"),) and step.factors == {"shank_r": (1.2, 1.1, 1.0)}
    assert [p.name for p in step.outputs] == ["person_scaled.osim", "person.osim"]
    assert step.placement.tasks.weights["ASIS"] == 3.0 and step.model == tmp_path / "leg.osim"


def test_a_setup_that_only_places_markers_scales_nothing(tmp_path):
    """Oracle: the mass of the person belongs to scaling; a mass that is not positive leaves masses to the bodies."""
    text = SCALE.format(tasks=marker_tasks())
    off = read_setup(written(tmp_path, "s.xml", text.replace("<ModelScaler>", "<ModelScaler><apply>false</apply>")))
    assert off.mass is None and off.measurements == () and off.factors == {} and off.placement is not None
    assert read_setup(written(tmp_path, "s.xml", text.replace("<mass>30", "<mass>-1"))).mass is None


def test_tasks_of_coordinates_are_read_in_all_three_ways(tmp_path):
    """Oracle: the default, a value by hand, or a file."""
    tasks = TASK.format("a", "default_value") + TASK.format("b", "manual_value") + TASK.format("c", "from_file")
    tasks += '<IKMarkerTask name="x"><apply>false</apply><weight>1</weight></IKMarkerTask>'
    step = read_setup(written(tmp_path, "k.xml", KINEMATICS.format(model="leg.osim", tasks=tasks)))
    assert step.tasks.coordinates == {"a": (5.0, None), "b": (5.0, 0.25), "c": (5.0, None)}
    assert step.tasks.from_file == ("c",) and step.tasks.weights is None


def test_a_setup_of_inverse_dynamics_is_read(tmp_path):
    """Oracle: the file; a negative cutoff is none."""
    step = read_setup(written(tmp_path, "d.xml", DYNAMICS.format(model="../leg.osim", cutoff=-1)))
    assert step.cutoff is None and step.model == (tmp_path / "../leg.osim").resolve() and step.loads.name == "loads.xml"


def test_external_loads_name_their_bodies_and_columns(tmp_path):
    """Oracle: the file of the trial; a force that is turned off is left out."""
    write_trial(tmp_path)
    text = (tmp_path / "loads.xml").read_text()
    loads = cd.trial.read_external_loads(tmp_path / "loads.xml")
    assert loads.forces[0].body == "shank_r" and loads.forces[0].torque == "ground_torque_"
    for version, count in (("30000", 0), ("40000", 1)):  # from version 30509 on OpenSim does not read it
        off = text.replace("<applied_to", "<isDisabled>true</isDisabled><applied_to").replace("40000", version)
        assert len(cd.trial.read_external_loads(written(tmp_path, "off.xml", off)).forces) == count


def test_a_folder_is_one_trial_of_kinematics_and_its_dynamics(tmp_path):
    """Oracle: the dynamics names the motion of the kinematics; ExternalLoads and marker files are no setups."""
    write_trial(tmp_path)
    plan = plan_of(tmp_path)
    assert [t.name for t in plan.trials] == ["walk_ik"] and len(plan.trials[0].dynamics) == 1
    assert plan_of(tmp_path / "Setup_ID.xml").trials[0].kinematics is None


def test_a_toml_file_says_the_same(tmp_path):
    """Oracle: the file, written by hand."""
    plan = plan_of(written(tmp_path, "t.toml", TOML))
    scale, (walk, run) = plan.scalings[0], plan.trials
    assert scale.factors == {"shank_r": (1.1, 1.1, 1.1)} and scale.measurements[0].bodies == {"thigh_r": "Y"}
    assert walk.kinematics.tasks.coordinates == {"knee_angle_r": (0.5, -0.2)} and walk.dynamics[0].cutoff == 6.0
    assert walk.dynamics[0].loads.forces[0].point == "ground_force_p" and walk.kinematics.model == scale.output
    assert run.dynamics == ()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("x.xml", '<OpenSimDocument Version="40000"><CMCTool/></OpenSimDocument>', "CMCTool.*InverseKinematicsTool"),
        ("x.xml", "<OpenSimDocument/>", "empty"),
        ("x.xml", "<OpenSimDocument><InverseKinematicsTool>", "XML"),
        ("x.xml", '<OpenSimDocument><InverseKinematicsTool name="k"/></OpenSimDocument>', "model_file"),
        ("x.toml", 'model = "a.osim"\n[[trial]]\nname = "w"\nmarker = "w.trc"', "unknown key.*markers"),
        (
            "x.toml",
            'model = "a.osim"\n[[trial]]\nname = "w"\nmarkers = "w.trc"\nloads = "g.mot"',
            r"trial\[0\] 'w'.*force",
        ),
        ("x.toml", "model = ", "x.toml"),
        ("x.txt", "", "xml"),
    ],
)
def test_files_that_are_no_setups_are_refused_by_name(tmp_path, name, text, words):
    """Oracle: what is named in the words."""
    with pytest.raises(BadFile, match=words):
        plan_of(written(tmp_path, name, text))


@pytest.mark.parametrize("key", ["model", "markers", "loads"])
@pytest.mark.parametrize("name", ["x" * 300, "x" * 5000, "x\\u0000y"])
def test_names_that_no_file_can_have_are_refused(tmp_path, key, name):
    """Oracle: the setup and the name in the words; a system error has neither."""
    names = {"model": "leg.osim", "markers": "a.trc", "loads": "grf.xml"} | {key: name}
    text = 'model = "{model}"\n[[trial]]\nname = "a"\nmarkers = "{markers}"\nloads = "{loads}"\n'
    with pytest.raises(BadFile, match=r"(?s)t\.toml.*'x.*not the name of a file"):
        read_toml_setup(written(tmp_path, "t.toml", text.format(**names)))
    tool = f"<InverseKinematicsTool><model_file>{'x' * 300}</model_file></InverseKinematicsTool>"
    with pytest.raises(BadFile, match=r"not the name of a file"):
        read_setup(written(tmp_path, "Setup.xml", f'<OpenSimDocument Version="40000">{tool}</OpenSimDocument>'))


def test_a_folder_without_setups_and_a_file_that_is_not_there_are_refused(tmp_path):
    """Oracle: the words."""
    with pytest.raises(BadFile, match="no setup files"):
        plan_of(tmp_path)
    with pytest.raises(BadFile, match=r"nowhere\.xml"):
        plan_of(tmp_path / "nowhere.xml")


def test_setups_in_a_folder_that_are_damaged_or_of_other_tools_are_not_passed_over(tmp_path):
    """Oracle: the damaged file is named in an error, the other tool's in a warning."""
    write_trial(tmp_path)
    written(tmp_path, "Setup_CMC.xml", '<OpenSimDocument Version="40000"><CMCTool name="c"/></OpenSimDocument>')
    with pytest.warns(cd.CondyleWarning, match=r"Setup_CMC\.xml"):
        assert len(plan_of(tmp_path).trials) == 1
    text = (tmp_path / "Setup_ID.xml").read_text()
    for name, damaged in (("Setup_ID.xml", text[:-20]), ("more.toml", 'model = "leg.osim"\n[[trial]]\nname = ')):
        written(tmp_path, name, damaged)
        with pytest.warns(cd.CondyleWarning), pytest.raises(BadFile, match=name):
            plan_of(tmp_path)
        (tmp_path / name).write_text(text) if name.endswith("xml") else (tmp_path / name).unlink()


def test_names_of_trials_are_names_of_folders(tmp_path):
    """Oracle: names that would lead elsewhere are refused, or changed where a file of OpenSim has them."""
    with pytest.raises(BadFile, match="name"):
        plan_of(written(tmp_path, "t.toml", 'model = "a.osim"\n[[trial]]\nname = "../x"\nmarkers = "w.trc"'))
    text = KINEMATICS.format(model="leg.osim", tasks="").replace("walk_ik.mot", "a:b?.mot")
    paths = [written(tmp_path, name, text) for name in ("one.xml", "two.xml")]
    assert [t.name for t in plan_of(paths).trials] == ["a_b_", "a_b__2"]


def test_coordinates_from_a_file_are_followed_in_degrees(tmp_path):
    """Oracle: a strong task from a file of degrees decides the knee, against the markers."""
    times, leg = write_trial(tmp_path)
    knee = np.degrees(-0.5 + 0.1 * times)
    cd.write_table(
        cd.Table(("time", "knee_angle_r"), np.column_stack([times, knee]), in_degrees=True), tmp_path / "k.mot"
    )
    tasks = marker_tasks() + TASK.format("knee_angle_r", "from_file").replace("<weight>5", "<weight>1e6")
    text = KINEMATICS.format(model="leg.osim", tasks=tasks).replace(
        "<marker_file>", "<coordinate_file>k.mot</coordinate_file><marker_file>"
    )
    found = cd.trial.run(written(tmp_path, "Setup_IK.xml", text), tmp_path / "out", report=False).trials[0].kinematics
    assert np.allclose(found.q[:, leg.q_index("knee_angle_r")], -0.5 + 0.1 * times, atol=1e-5)


def test_files_that_a_setup_names_elsewhere_are_taken_from_beside_it_and_told(tmp_path):
    """Oracle: the paths; a model that a setup for scaling makes is not looked for, nor a file that is at its place."""
    write_trial(tmp_path)
    setup = KINEMATICS.format(model="../away/leg.osim", tasks=marker_tasks()).replace("walk.trc", "../away/walk.trc")
    path = written(tmp_path, "k.xml", setup)
    with pytest.warns(cd.CondyleWarning, match=r"away.*(walk\.trc|leg\.osim).*beside"):
        (trial,) = plan_of(path).trials
    assert trial.kinematics.markers == tmp_path / "walk.trc" and trial.kinematics.model == tmp_path / "leg.osim"
    made = SCALE.format(tasks=marker_tasks()).replace("person.osim", "leg.osim").replace("leg.osim", "x.osim", 1)
    with pytest.warns(cd.CondyleWarning, match="beside"):
        step = plan_of([written(tmp_path, "s.xml", made), path]).trials[0].kinematics
    assert step.model == (tmp_path / "../away/leg.osim").resolve()


def test_a_span_may_be_infinite(tmp_path):
    """Oracle: the whole file, which setups that OpenSim 4 writes ask for so."""
    times, _ = write_trial(tmp_path)
    text = (tmp_path / "Setup_IK.xml").read_text().replace("<time_range>0 1<", "<time_range> -Inf Inf<")
    found = cd.trial.run(written(tmp_path, "k.xml", text), tmp_path / "out", report=False).trials[0].kinematics
    assert np.allclose(found.times, times, atol=1e-6)


def test_tasks_without_a_weight_weigh_nothing_and_are_told(tmp_path):
    """Oracle: the weight that OpenSim gives them."""
    tasks = (
        marker_tasks()
        + '<IKCoordinateTask name="knee_angle_r"><value_type>default_value</value_type></IKCoordinateTask>'
    )
    with pytest.warns(cd.CondyleWarning, match="knee_angle_r"):
        step = read_setup(written(tmp_path, "k.xml", KINEMATICS.format(model="leg.osim", tasks=tasks)))
    assert step.tasks.coordinates == {"knee_angle_r": (0.0, None)} and step.tasks.weights["ASIS"] == 1.0


def test_scaling_without_an_order_or_axes_scales_nothing_and_is_told(tmp_path):
    """Oracle: what OpenSim makes of such files."""
    text = SCALE.format(tasks=marker_tasks())
    with pytest.warns(cd.CondyleWarning, match="no scaling_order"):
        step = read_setup(written(tmp_path, "s.xml", re.sub("<scaling_order>.*?</scaling_order>", "", text)))
    assert step.order == ()
    with pytest.warns(cd.CondyleWarning, match="thigh_r along no axes"):
        step = read_setup(written(tmp_path, "s.xml", text.replace("<axes>X Y Z</axes>", "")))
    assert step.measurements[0].bodies == {}


def test_two_forces_of_one_name_are_two_forces(tmp_path):
    """Oracle: the columns of each."""
    times, _ = write_trial(tmp_path)
    force = np.column_stack([np.linspace(-0.1, 1.1, 9), np.tile([[10.0, 20.0, 30.0, 1.0, 2.0, 3.0]], (9, 1))])
    names = ("time", "a_x", "a_y", "a_z", "b_x", "b_y", "b_z")
    cd.write_table(cd.Table(names, force, in_degrees=False), tmp_path / "two.mot")
    one = """<ExternalForce><applied_to_body>shank_r</applied_to_body>
<force_identifier>{}_</force_identifier></ExternalForce>"""
    both = f"<objects>{one.format('a')}{one.format('b')}</objects>"
    loads = f"<ExternalLoads>{both}<datafile>two.mot</datafile></ExternalLoads>"
    found = cd.trial.read_external_loads(written(tmp_path, "two.xml", loads))
    assert [f.name for f in found.forces] == ["shank_r", "shank_r_2"]
    first, second = (s.newtons[0] for s in found.at(times))
    assert np.allclose(first, [10, 20, 30]) and np.allclose(second, [1, 2, 3])
    twins = cd.trial.ExternalLoads(tuple(replace(f, name="same") for f in found.forces), found.table)
    assert np.allclose([s.newtons[0] for s in twins.at(times)], [first, second])


@pytest.mark.filterwarnings("ignore:.*nobody")
def test_forces_that_a_setup_excludes_by_name_do_not_act(tmp_path):
    """Oracle: the moment of the spring, 30 times the angle, is what the other run has more; other names are told."""
    write_trial(tmp_path)
    spring = """<SpringGeneralizedForce name="s"><coordinate>knee_angle_r</coordinate>
<stiffness>30</stiffness></SpringGeneralizedForce>"""
    (tmp_path / "leg.osim").write_text(leg_osim(extra=in_set("ForceSet", spring)))
    text = (tmp_path / "Setup_ID.xml").read_text()
    moments, notes = [], []
    for words in ("Muscles", "Muscles s nobody"):
        written(tmp_path, "Setup_ID.xml", text.replace(">Muscles<", f">{words}<"))
        (trial,) = cd.trial.run(tmp_path, tmp_path / "out", report=False).trials
        moments.append(trial.dynamics.forces[:, -1])
        notes = trial.notes
    assert np.allclose(moments[0] - moments[1], 30 * trial.dynamics.q[:, -1], atol=1e-9)
    assert any("excludes: s" in n for n in notes) and any("nobody" in n and "not obeyed" in n for n in notes)


def test_a_toml_setup_says_what_is_done_with_tables_that_are_cut_off(tmp_path):
    """Oracle: the trial's own word counts before that of the file."""
    text = 'model = "leg.osim"\ntruncated = "warn"\n[[trial]]\nname = "a"\nmarkers = "a.trc"\n'
    path = written(tmp_path, "t.toml", text + '[[trial]]\nname = "b"\nmarkers = "b.trc"\ntruncated = "error"\n')
    assert [step.truncated for step in read_toml_setup(path)] == ["warn", "warn", "error", "error"]
