"""Trajectories in tables of other programs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import condyle as cd
from condyle.errors import BadFile
from condyle.gallery import leg


@pytest.fixture(scope="module")
def run():
    t = np.linspace(0, 1, 21)
    q = np.stack([0.3 * np.sin(t), -1 + 0.2 * t, 0.1 * t**2], axis=1)
    v = np.stack([0.3 * np.cos(t), 0.2 + 0 * t, 0.2 * t], axis=1)
    return cd.Trajectory(leg(), t, q, v)


def test_csv_comes_back_bit_by_bit(run, tmp_path):
    """Oracle: the trajectory that was saved."""
    again = cd.load(cd.save(run, tmp_path / "run.csv"), model=run.model)
    for name in ("t", "q", "v"):
        assert_array_equal(getattr(again, name), getattr(run, name))


@pytest.mark.parametrize("suffix", [".sto", ".mot"])
def test_storage_files_come_back_with_velocities_from_the_positions(run, suffix, tmp_path):
    """Oracle: the trajectory that was saved; central differences for the velocities inside."""
    again = cd.load(cd.save(run, tmp_path / f"run{suffix}"), model=run.model)
    assert_array_equal(again.q, run.q)
    assert_allclose(again.v[1:-1], run.v[1:-1], atol=2e-4)


def test_degrees_are_obeyed_for_angles_only(tmp_path):
    """Oracle: numpy's radians; a distance stays."""
    b = cd.ModelBuilder()
    box = cd.Inertia.box(1, (1, 1, 1))
    b.add_body("crane", joint=cd.joints.revolute("z"), inertia=box)
    b.add_body("hook", "crane", cd.joints.prismatic("x"), box)
    path = tmp_path / "crane.mot"
    path.write_text("crane\nversion=1\ninDegrees=yes\nendheader\ntime\tcrane\thook\n0\t90\t2\n1\t180\t3\n")
    found = cd.load(path, model=b.build())
    assert_allclose(found.q, [[np.pi / 2, 2], [np.pi, 3]])


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "time,hip,knee\n0,1,2\n", "a.csv: no column named 'ankle' in"),
        ("a.csv", "time,hip,knee,ankle\n0,1,2\n", "line 2: 4 columns expected; got fields = 3"),
        ("a.csv", "time,hip,knee,ankle\n0,1,x,3\n", "line 2, column 'knee': expected a number; got 'x'"),
        ("a.csv", "time,hip,knee,ankle\n1,1,1,3\n0,1,1,1\n", r"times must increase; 0 s comes after 1 s"),
        ("a.csv", "time,hip,knee,ankle\n0,1,1,3\n1,1,nan,1\n", "column 'knee' holds nan in record 1 .counted from 0"),
        ("a.csv", "time\n", "a table needs a line of names"),
        ("a.sto", "time hip\n0 1\n", "no line `endheader`"),
        ("a.sto", "inDegrees=maybe\nendheader\ntime hip\n0 1\n", "inDegrees must be yes or no"),
    ],
)
def test_a_bad_table_is_refused_in_words(name, text, words, tmp_path):
    """Oracle: the words."""
    (tmp_path / name).write_text(text)
    with pytest.raises(BadFile, match=words):
        cd.load(tmp_path / name, model=leg())


def test_a_table_needs_its_model(run, tmp_path):
    """Oracle: the words."""
    path = cd.save(run, tmp_path / "run.csv")
    with pytest.raises(BadFile, match=r"a table does not hold its model; give it: cd\.load\(path, model=model\)"):
        cd.load(path)


def two_joints():
    """A universal joint and a prismatic one, under the names that a foreign file uses."""
    box, b = cd.Inertia.box(1, (1, 1, 1)), cd.ModelBuilder()
    b.add_body("arm", joint=cd.joints.universal("x", "y", names=("swing", "tilt")), inertia=box)
    return b.add_body("hook", "arm", cd.joints.prismatic("x"), box).build()


def test_states_of_opensim_are_found_by_their_paths(tmp_path):
    """Oracle: the numbers written; speeds of angles are in degrees too."""
    path = tmp_path / "states.sto"
    names = ["arm/swing", "arm/tilt", "hook/hook_coord_0"]
    columns = [f"/jointset/{name}/{end}" for end in ("value", "speed") for name in names]
    head = "states\nversion=3\nOpenSimVersion=4.5\nDataType=double\ninDegrees=yes\nendheader\n"
    rows = "0\t90\t45\t2\t180\t0\t5\n0.5\t180\t45\t3\t180\t0\t5\n"
    path.write_text(
        head + "\t".join(["time", *columns, "/forceset/muscle/activation"]) + "\n" + rows.replace("\n", "\t0\n")
    )
    found = cd.load(path, model=two_joints())
    assert_allclose(found.q, [[np.pi / 2, np.pi / 4, 2], [np.pi, np.pi / 4, 3]])
    assert_allclose(found.v, [[np.pi, 0, 5]] * 2)


def test_a_quaternion_of_few_digits_is_made_unit(tmp_path):
    """Oracle: numpy's norm; one that is far from unit is refused."""
    model = cd.ModelBuilder().add_body("ball", joint=cd.joints.ball(), inertia=cd.Inertia.sphere(1, 1)).build()
    path = tmp_path / "ball.csv"
    path.write_text("time,ball.w,ball.x,ball.y,ball.z\n0,0.707,0.707,0,0\n1,1,0,0,0\n")
    found = cd.load(path, model=model).q
    assert_allclose(np.linalg.norm(found, axis=1), 1.0, rtol=1e-15)
    path.write_text("time,ball.w,ball.x,ball.y,ball.z\n0,2,0,0,0\n")
    with pytest.raises(BadFile, match=r"joint 'ball': a quaternion w, x, y, z has norm 1; got norms = \[\[2\.0\]\]"):
        cd.load(path, model=model)
