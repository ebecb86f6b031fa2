"""Mesh files of robots: where they are found, how they are scaled, mirrored and coloured, and what is missing."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadValue, CondyleWarning
from condyle.formats.packages import find_file, package_folders
from condyle.view.mesh_files import mesh_parts
from condyle.view.render_scene import stage_of

trimesh = pytest.importorskip("trimesh")

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n"


def robot(folder: Path, *meshes: str) -> Path:
    """A URDF of one link with meshes."""
    visuals = "".join(f"<visual><geometry>{m}</geometry></visual>" for m in meshes)
    ball = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "robot.urdf"
    path.write_text(f'<robot name="r"><link name="a">{visuals}{ball}</link></robot>')
    return path


def mesh(name: str, scale: str = "") -> str:
    return f'<mesh filename="{name}"{scale and f" scale={scale!r}"}/>'


def put(path: Path, text: str = TRIANGLE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("at", ["hand/meshes/palm.obj", "hand/robots/meshes/palm.obj"])
def test_packages_are_found_above_the_robot(tmp_path, at):
    """Oracle: the file, by its place in a tree as ROS lays it out, whatever the folder of the package is called."""
    name = "package://hand/" + at.removeprefix("hand/")
    for folder in ("ws/src/hand/urdf", "ws/src/other/urdf", "ws/src/hand-1.2/urdf"):
        base = tmp_path / folder / "x"
        top = tmp_path / ("ws/src" if "hand-1.2" not in folder else "ws/src/hand-1.2")
        expected = put(top / (at if "hand-1.2" not in folder else at.removeprefix("hand/")))
        assert find_file(name, base) == expected
        expected.unlink()


def test_packages_are_found_where_ros_and_the_caller_say(tmp_path, monkeypatch):
    """Oracle: the files."""
    model = robot(tmp_path / "robots", mesh("package://hand/palm.obj"))
    far = tmp_path / "far" / "from" / "the robot"  # deeper than folders beside it, which are looked into
    file = put(far / "hand" / "palm.obj")
    assert find_file("package://hand/palm.obj", model.parent) is None
    for packages in ({"hand": file.parent}, file.parent, [far], str(far)):
        assert find_file("package://hand/palm.obj", model.parent, package_folders(packages)) == file
        assert cd.load(model, packages=packages).bodies[0].shapes[0].path == str(file)
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{far}")
    assert find_file("package:///hand/palm.obj", model.parent) == file
    monkeypatch.delenv("ROS_PACKAGE_PATH")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "prefix"))
    shared = put(tmp_path / "prefix" / "share" / "hand" / "palm.obj")
    assert find_file("package://hand/palm.obj", model.parent) == shared
    with pytest.raises(BadValue, match=r"no such folder.*gone"):
        cd.load(model, packages=tmp_path / "gone")


def test_a_model_remembers_its_folder(tmp_path, monkeypatch):
    """Oracle: the corners of the triangle, drawn from another working folder, and after saving elsewhere."""
    put(tmp_path / "hand" / "meshes" / "palm.obj")
    path = robot(tmp_path / "hand" / "urdf", mesh("package://hand/meshes/palm.obj"), mesh("../meshes/palm.obj"))
    monkeypatch.chdir(tmp_path)
    model = cd.load(path)
    assert model.folder == path.parent
    elsewhere = tmp_path / "saved" / "deep"
    elsewhere.mkdir(parents=True)
    for thing in (model, cd.load(cd.save(model, elsewhere / "hand.toml"))):
        meshes = stage_of(thing).meshes[0]
        assert len(meshes) == 2
        for m in meshes:
            assert_allclose(sorted(m.vertices.tolist()), [[0, 0, 0], [0, 2, 0], [1, 0, 0]])


def test_what_is_missing_is_told_once_and_the_rest_is_drawn(tmp_path):
    """Oracle: one warning that lists both names; the box is there, and a body of which nothing is left is a rod."""
    box = '<box size="1 1 1"/>'
    path = robot(
        tmp_path, mesh("package://gone/palm.obj"), box, mesh("lost.stl"), mesh("broken.stl"), mesh("empty.obj")
    )
    put(tmp_path / "broken.stl", "solid nonsense")
    put(tmp_path / "empty.obj", "v 0 0 0\n")
    with pytest.warns(CondyleWarning) as warned:
        stage = stage_of(cd.load(path))
    assert len(warned) == 1
    for name in ("package://gone/palm.obj", "lost.stl", "broken.stl", "empty.obj", "packages="):
        assert name in str(warned[0].message)
    assert len(stage.meshes[0]) == 1
    with pytest.warns(CondyleWarning, match=r"lost\.stl"):
        assert len(stage_of(cd.load(robot(tmp_path, mesh("lost.stl")))).meshes[0]) > 0


def test_scales_stretch_and_mirror(tmp_path):
    """Oracle: the corners times the scale; normals of a mirrored ball still point outwards."""
    put(tmp_path / "a.obj")
    trimesh.creation.icosphere(subdivisions=1, radius=1.0).export(tmp_path / "ball.stl")
    path = robot(tmp_path, mesh("a.obj", "2 -3 4"), mesh("ball.stl", "1 -1 1"), mesh("ball.stl", "0.5 0.5 0.5"))
    flat, ball, half = stage_of(cd.load(path)).meshes[0]
    assert_allclose(sorted(flat.vertices.tolist()), [[0, -6, 0], [0, 0, 0], [2, 0, 0]])
    for m, radius in ((ball, 1.0), (half, 0.5)):
        assert_allclose(np.linalg.norm(m.vertices, axis=1), radius, rtol=1e-6)
        assert np.einsum("ij,ij->i", m.normals, m.vertices).min() > 0.8 * radius
        a, b, c = np.moveaxis(m.vertices[m.faces], 1, 0)
        assert np.einsum("ij,ij->i", np.cross(b - a, c - a), a).min() > 0.0


DAE = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="c"><lambert><diffuse><color>0 0 1 1</color></diffuse>
</lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p">
<float_array id="f" count="9">0 0 0 100 0 0 0 200 0</float_array>
<technique_common><accessor source="#f" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles material="s" count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh>
</geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node id="n"><translate>0 0 300</translate><instance_geometry url="#g">
<bind_material><technique_common><instance_material symbol="s" target="#m"/></technique_common></bind_material>
</instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>
"""


def test_collada_comes_in_its_own_unit_and_colour(tmp_path):
    """Oracle: the text: centimetres, moved up by 3 m, blue; the robot's own colour comes first."""
    put(tmp_path / "a.dae", DAE)
    path = robot(tmp_path, mesh("a.dae"))
    (found,) = stage_of(cd.load(path)).meshes[0]
    assert_allclose(sorted(found.vertices.tolist()), [[0, 0, 3], [0, 2, 3], [1, 0, 3]], atol=1e-12)
    assert_allclose(found.color, (0, 0, 1), atol=1e-9)
    red = '<material name="r"><color rgba="1 0 0 1"/></material></visual>'
    path.write_text(path.read_text().replace("</visual>", red))
    assert stage_of(cd.load(path)).meshes[0][0].color == (1, 0, 0)


@pytest.mark.parametrize("unit", ["-1", "0", "inf", "nan", "1e300"])
def test_a_unit_of_length_that_is_none_is_refused(unit, tmp_path):
    """Oracle: the class, the file and the unit; as 1 m it would be drawn a hundred times too large."""
    put(tmp_path / "a.dae", DAE.replace('meter="0.01"', f'meter="{unit}"'))
    with pytest.raises(cd.CondyleError, match=r"a\.dae: its unit of length must be a positive number"):
        mesh_parts(cd.shapes.mesh("a.dae"), tmp_path)


def test_a_mesh_that_many_links_share_is_read_once(tmp_path, monkeypatch):
    """Oracle: the number of reads."""
    put(tmp_path / "a.obj")
    path, reads, load = robot(tmp_path, *[mesh("a.obj")] * 5), [], trimesh.load
    monkeypatch.setattr(trimesh, "load", lambda *a, **k: (reads.append(a), load(*a, **k))[1])
    assert len(stage_of(cd.load(path)).meshes[0]) == 5 and len(reads) == 1
