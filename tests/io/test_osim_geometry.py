"""What is drawn of an .osim model, how commands open it, and how it is saved."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.cli.main import run
from condyle.errors import NotInModel
from support.osim_files import SOLIDS, everything, in_set, marker, offsets, two_pins
from support.osim_oracles import frame, opened

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n"
VISIBLE = """<VisibleObject><GeometrySet><objects><DisplayGeometry><geometry_file>{file}</geometry_file>
<transform>0.1 0.2 0.3 1 2 3</transform><scale_factors>1 2 3</scale_factors></DisplayGeometry></objects></GeometrySet>
<scale_factors>2 2 2</scale_factors><transform>0 0 0.5 0 1 0</transform></VisibleObject>"""


def drawn(shapes, extra=""):
    """Two pins, the first body with something to draw."""
    return two_pins(extra=extra).replace("</inertia></Body>", f"</inertia>{shapes}</Body>", 1)


@pytest.mark.parametrize("folder", [".", "Geometry", "../Geometry"])
def test_mesh_files_are_found_beside_the_model_and_in_geometry(folder, tmp_path):
    """Oracle: the file, wherever it is; found again from the path that the shape has."""
    home = tmp_path / "models"
    place = home / folder
    place.mkdir(parents=True)
    (place / "bone.obj").write_text(TRIANGLE)
    shapes = opened(drawn(SOLIDS), home).bodies[0].shapes
    assert (home / shapes[-1].path).samefile(place / "bone.obj") and shapes[-1].size == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    "name", ["Geometry\\bone.obj", "Bone.OBJ", r"C:\OpenSim\Geometry\bone.obj", "/home/me/bone.obj"]
)
def test_mesh_files_named_on_another_machine_are_found(name, tmp_path):
    """Oracle: the file in the folder Geometry."""
    (tmp_path / "Geometry").mkdir()
    (tmp_path / "Geometry" / "bone.obj").write_text(TRIANGLE)
    shapes = opened(drawn(SOLIDS.replace("bone.obj", name)), tmp_path).bodies[0].shapes
    assert (tmp_path / shapes[-1].path).samefile(tmp_path / "Geometry" / "bone.obj")


def test_folders_of_mesh_files_can_be_named(tmp_path):
    """Oracle: the file in a folder apart; a folder that is not there is refused."""
    (tmp_path / "bones").mkdir()
    (tmp_path / "bones" / "bone.obj").write_text(TRIANGLE)
    (tmp_path / "home").mkdir()
    found = opened(drawn(SOLIDS), tmp_path / "home", geometry=tmp_path / "bones")
    assert found.bodies[0].shapes[-1].path.endswith("bone.obj") and not found.notes
    with pytest.raises(cd.CondyleError, match="nowhere"):
        opened(drawn(SOLIDS), tmp_path / "home", geometry=tmp_path / "nowhere")
    with pytest.raises(cd.CondyleError, match="geometry"):
        cd.load(cd.save(found, tmp_path / "m.toml"), geometry=tmp_path)


def test_missing_mesh_files_are_told_once(tmp_path):
    """Oracle: one warning with the name, for any number of bodies."""
    text = drawn(SOLIDS).replace("</inertia></Body>", f"</inertia>{SOLIDS}</Body>")
    with pytest.warns(NotInModel, match=r"1 mesh file \(bone.obj\)") as told:
        found = opened(text, tmp_path)
    assert len(told) == 1 and len(found.bodies[0].shapes) == 3


def test_solids_are_drawn_in_opensims_axes(tmp_path):
    """Oracle: full edges, and a cylinder along y."""
    (tmp_path / "bone.obj").write_text(TRIANGLE)
    brick, ball, drum, _ = opened(drawn(SOLIDS), tmp_path).bodies[0].shapes
    assert (brick.kind, brick.size, brick.color) == ("box", (0.2, 0.4, 0.6), (1.0, 0.0, 0.0))
    assert (ball.kind, ball.size, drum.size) == ("sphere", (0.05,), (0.1, 0.4))
    assert_allclose(np.abs(drum.pose[:3, :3] @ [0, 0, 1]), [0, 1, 0], atol=1e-15)


def test_old_geometry_is_placed_and_scaled_twice(tmp_path):
    """Oracle: the product of both poses; the product of both scales."""
    (tmp_path / "bone.obj").write_text(TRIANGLE)
    (shape,) = opened(drawn(VISIBLE.format(file="bone.obj")), tmp_path).bodies[0].shapes
    assert shape.size == (2.0, 4.0, 6.0)
    assert_allclose(shape.pose, frame((0, 1, 0), (0, 0, 0.5)) @ frame((1, 2, 3), (0.1, 0.2, 0.3)), atol=1e-15)


def test_shapes_of_frames_are_drawn_on_their_bodies(tmp_path):
    """Oracle: the pose of the frame, by scipy."""
    ball = "<attached_geometry><Sphere><radius>0.1</radius></Sphere></attached_geometry>"
    text = two_pins().replace('<PhysicalOffsetFrame name="c_offset">', f'<PhysicalOffsetFrame name="c_offset">{ball}')
    for body, seed in zip(opened(text, tmp_path).bodies, (1, 2), strict=True):
        assert_allclose(body.shapes[0].pose, frame(*offsets(seed)[1]), atol=1e-15)


def test_a_saved_model_is_the_same_without_what_is_told(tmp_path):
    """Oracle: the model itself: poses, markers, defaults, motion types, moments that no body has."""
    text = everything().replace("0.3 0.35 0.4 0.02 -0.03 0.01", "0.0001 0.0002 0.001 0 0 0", 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = opened(text, tmp_path)
    with pytest.warns(NotInModel, match="not saved"):
        path = cd.save(found, tmp_path / "ours.toml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = cd.load(path)
    assert again.coordinates == found.coordinates and again.motion_types == found.motion_types
    assert again.defaults == found.defaults and again.opensim is None
    assert [(m.name, m.body, m.at.tolist()) for m in again.markers] == [("m", "two", [0.1, 0, 0])]
    q = np.random.default_rng(0).normal(size=found.nq)
    assert_allclose(cd.mass_matrix(again, q), cd.mass_matrix(found, q), rtol=1e-13)


MOTION = "run\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\ntime\thip\tknee\n0\t10\t20\n1\t30\t40\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "ours.osim").write_text(two_pins(extra=in_set("MarkerSet", marker("m", "/ground", "0 0 0"))))
    (tmp_path / "run.mot").write_text(MOTION)
    return tmp_path


def test_commands_open_models_of_opensim(files, capsys):
    """Oracle: exit codes and names; a motion by its model, as degrees."""
    model, motion, player = (str(files / name) for name in ("ours.osim", "run.mot", "run.html"))
    assert run(["info", model]) == 0
    told = capsys.readouterr().out
    assert "knee" in told and "hip" in told
    assert run(["check", model]) == 0
    assert run(["export", motion, player, "--model", model]) == 0
    assert (files / "run.html").stat().st_size > 1000
    assert_allclose(cd.load(motion, model=cd.load(model)).q[1], np.radians([30, 40]))


def test_view_takes_a_model_and_its_motion(files, monkeypatch):
    """Oracle: what would be shown is the motion; a model said twice is refused."""
    shown = []
    monkeypatch.setattr("condyle.cli.commands.view.serve", lambda thing, *rest: shown.append(thing))
    model, motion = str(files / "ours.osim"), str(files / "run.mot")
    assert run(["view", model, motion]) == 0
    assert isinstance(shown[0], cd.Trajectory) and shown[0].model.coordinates == ("hip", "knee")
    assert run(["view", model, motion, "--model", model]) == 2
