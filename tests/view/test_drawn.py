"""What is drawn beside the bodies: shapes of lines, sheets, frames and the paths of joints."""

import base64

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadShape, BadValue, NotFinite, UnknownName
from condyle.gallery import SCENES, flower, leg, scapulothoracic
from condyle.view import Frames, Line, Sheet, export, joint_paths
from condyle.view.creases import creased
from condyle.view.geometry import triangles
from condyle.view.line_segments import arrows
from condyle.view.render_scene import stage_of
from support.browser import player_curve, player_data


def bead():
    """A bead on a wire that turns."""
    b = cd.ModelBuilder()
    b.add_body("wire", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1, 0.1))
    for name in ("one", "two"):
        b.add_body(name, parent="wire", joint=flower(), inertia=cd.Inertia.sphere(1, 0.1))
    return b.build()


def test_arrows_point_along_the_axes_of_their_frames():
    """Oracle: the columns of the pose."""
    pose = cd.SE3.exp([0.3, -0.5, 0.9, 1, 2, 3]).as_matrix()
    for axis in range(3):
        shaft, *barbs = arrows(pose[None], axis, 0.4)
        assert_allclose(shaft, [pose[:3, 3], pose[:3, 3] + 0.4 * pose[:3, axis]], atol=1e-15)
        for barb in barbs:
            assert_allclose(barb[1], shaft[1], atol=1e-15)


def test_the_view_holds_all_that_is_drawn():
    """Oracle: a far line, and a sheet that flies away, in the frame of a body that turns."""
    t = np.linspace(0, 1, 21)
    turning = cd.Trajectory(bead(), t, np.stack([3 * t, 0 * t, 0 * t], axis=1), np.zeros((21, 3)))
    grid = np.zeros((3, 4, 3))
    drawn = (Line("wire", [(5, 0, 0), (6, 0, 0)]), Sheet(None, lambda t: grid + (0, 0, 20 * t)))
    center, radius = stage_of(turning, drawn=drawn).bounds()
    for angle in np.linspace(0, 3, 7):
        tip = 6 * np.array([np.cos(angle), np.sin(angle), 0])
        assert np.linalg.norm(tip - center) < radius + 0.1
    assert np.linalg.norm(np.array([0, 0, 20]) - center) <= radius + 1e-9 and radius < 14


def test_the_path_of_a_joint_is_where_its_frame_goes():
    """Oracle: the joint's poses; bodies on one path share it; each has a frame of its own."""
    drawn = joint_paths(bead())
    (line,) = [d for d in drawn if isinstance(d, Line)]
    wire = flower()
    q = np.linspace(*wire.domain[0], len(line.points))
    assert line.body == "wire"
    assert_allclose(line.points, wire.pose(q[:, None])[:, :3, 3], atol=1e-12)
    assert sorted(d.body for d in drawn if isinstance(d, Frames)) == ["one", "two", "wire"]


def test_the_path_of_two_coordinates_is_a_surface():
    """Oracle: the corners of the domain by the joint."""
    b, joint = cd.ModelBuilder(), scapulothoracic()
    b.add_body("blade", joint=joint, inertia=cd.Inertia.sphere(1, 0.1))
    (sheet,) = [d for d in joint_paths(b.build()) if isinstance(d, Sheet)]
    (a0, a1), (b0, b1) = joint.domain
    corners = joint.pose([[a0, b0], [a0, b1], [a1, b0], [a1, b1]])[:, :3, 3]
    assert_allclose(sheet.points[[0, 0, -1, -1], [0, -1, 0, -1]], corners, atol=1e-12)


def test_joints_that_go_nowhere_or_never_end_have_no_path():
    """Oracle: a revolute's frame stays in place; a slider has no end; an ellipse closes."""
    b = cd.ModelBuilder()
    for name, joint in (("a", cd.joints.revolute("x")), ("b", cd.joints.prismatic("x")), ("c", cd.joints.ball()),
                        ("d", cd.joints.elliptic(2, 1)), ("e", cd.joints.free())):  # fmt: skip
        b.add_body(name, joint=joint, inertia=cd.Inertia.sphere(1, 0.1))
    assert {d.body for d in joint_paths(b.build())} == {None, "d"}


@pytest.mark.parametrize("shape", [cd.shapes.sphere(0.3), cd.shapes.capsule(0.2, 0.5), cd.shapes.cylinder(0.2, 0.5),
                                   cd.shapes.box((1, 2, 3)), cd.shapes.ellipsoid((0.1, 0.2, 0.3))])  # fmt: skip
def test_normals_point_out_and_break_at_edges(shape):
    """Oracle: convex bodies: outward is away from the middle; a box has 24 corners, a ball no more than its points."""
    vertices, normals, faces = creased(*triangles(shape))
    assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-12)
    assert (np.einsum("ni,ni->n", normals, vertices) > 0).all()
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    flat = np.cross(b - a, c - a)
    assert (np.einsum("ni,nki->nk", flat, normals[faces]) > 0).all()
    if shape.kind == "box":
        assert len(vertices) == 24
    if shape.kind == "sphere":
        assert_allclose(normals, vertices / 0.3, atol=0.06)


def test_the_player_is_told_lines_sheets_and_energies(tmp_path):
    """Oracle: the numbers unpacked again: a sheet's grid to its 16 bits, a line exactly to float32."""
    scene = SCENES["deforming"]()
    run = scene.run(1.0, record=1 / 60)
    spoke, frame = Line("ball", [(0, 0, 0), (0.1, 0, 0)]), Frames("ball", np.eye(4)[None], 0.1)
    data = player_data(export(run, tmp_path / "a.html", drawn=(*scene.drawn, spoke, frame)))
    (sheet,) = data["sheets"]
    shape = (len(sheet["t"]), sheet["rows"], sheet["columns"], 3)
    grids = np.frombuffer(base64.b64decode(sheet["g"]), "<u2").reshape(shape)
    grids = np.array(sheet["low"]) + np.array(sheet["size"]) * grids / 65535
    for t, grid in zip(sheet["t"], grids, strict=True):
        assert_allclose(grid, scene.sheets[0].at(t), atol=2e-5)
    assert len(data["strokes"]) == 4 and data["strokes"][0]["body"] == 0
    energy, own = player_curve(data, "energy [J]", "total"), run.energy().total
    assert_allclose(energy, own[: len(energy)], atol=np.ptp(own) / 60000)


def test_wrong_things_to_draw_are_said_in_words(tmp_path):
    """Oracle: the words."""
    with pytest.raises(BadShape, match=r"a line: points \(N, 3\) are needed; got shape = \(2, 2\)"):
        Line(None, [(0, 0), (1, 1)])
    with pytest.raises(NotFinite, match="a line: points must be finite"):
        Line(None, [(0, 0, 0), (np.nan, 1, 1)])
    with pytest.raises(BadShape, match=r"a sheet: points \(n, m, 3\) with n and m of 2 or more are needed"):
        Sheet(None, np.zeros((1, 4, 3)))
    with pytest.raises(BadValue, match="a line: a colour is red, green and blue from 0 to 1; got color ="):
        Line(None, [(0, 0, 0), (1, 0, 0)], color=(255, 0, 0))
    with pytest.raises(BadValue, match="a sheet: opacity is from 0 to 1; got opacity = 0"):
        Sheet(None, np.zeros((2, 2, 3)), opacity=0)
    with pytest.raises(BadValue, match=r"frames: their size is a positive length \[m\]; got size = -1"):
        Frames(None, np.eye(4)[None], -1)
    with pytest.raises(UnknownName, match=r"no body named 'fot' in this model\. Did you mean 'foot'"):
        export(leg(), tmp_path / "a.html", drawn=[Line("fot", [(0, 0, 0), (1, 0, 0)])])
    with pytest.raises(BadShape, match="a sheet: points"):
        export(leg(), tmp_path / "a.html", drawn=[Sheet(None, lambda t: np.zeros(3))])
