"""Ground, light and camera: alike in pictures and in the player."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from test_player import swing  # noqa: F401

import condyle as cd
from condyle.model.look.overlays import Line
from condyle.view.files.rendering import Renderer, Screen, filled
from condyle.view.render_scene import stage_of
from condyle.view.setting import ANGLE, Shot, setting_of


def seen_places(stage, setting, k, aspect):
    """Where all vertices of a record are in the picture, from −1 to 1: a pinhole camera written down once more."""
    camera = setting.camera(k, aspect)
    points = np.concatenate(
        [m.vertices @ X[:3, :3].T + X[:3, 3]
         for X, parts in zip(cd.SE3(stage.wxyz[k], stage.xyz[k]).as_matrix(), stage.meshes, strict=True) for m in parts]
    )  # fmt: skip
    x, y, z = (camera.axes @ (points - camera.eye).T) / np.tan(0.5 * ANGLE)
    depth = -z * np.tan(0.5 * ANGLE)
    return np.stack([x / depth / aspect, y / depth], axis=1)


@pytest.mark.parametrize("aspect", [0.5, 1.2, 2.5])
@pytest.mark.parametrize("follow", [None, "foot"])
def test_the_camera_frames_the_whole_motion_and_no_more(swing, aspect, follow):  # noqa: F811
    """Oracle: every vertex of every record inside the picture; the outermost ones within a tenth of an edge."""
    stage = stage_of(swing, drawn=())
    setting = setting_of(stage, Shot(follow=follow))
    places = np.concatenate([seen_places(stage, setting, k, aspect) for k in range(0, len(stage.t), 5)])
    assert np.abs(places).max() < 1.0
    assert np.abs(places).max() > 0.9


def test_the_ground_is_at_the_lowest_point_of_the_motion(swing):  # noqa: F811
    """Oracle: the lowest vertex of all records, by the trajectory's own poses; none where nothing falls."""
    stage = stage_of(swing, drawn=())
    poses = swing.poses().as_matrix()
    lowest = min(
        (m.vertices @ poses[k, b, 1, :3] + poses[k, b, 1, 3]).min()
        for k in range(len(swing.t)) for b, parts in enumerate(stage.meshes) for m in parts
    )  # fmt: skip
    assert 0.0 <= lowest - setting_of(stage).ground < 0.02
    adrift = cd.Trajectory(swing.model.with_gravity((0, 0, 0)), swing.t, swing.q, swing.v)
    assert setting_of(stage_of(adrift, drawn=())).ground is None


def test_pixels_belong_to_the_nearest_triangle():
    """Oracle: areas of triangles in pixels, and the plane of nearness at a pixel's middle."""
    far = [[10, 10, 1.0], [90, 10, 1.0], [10, 90, 1.0]]
    near = [[10, 10, 2.0], [50, 10, 2.0], [10, 50, 4.0]]
    layer = filled(np.array([far, near, np.full((3, 3), np.nan), np.zeros((3, 3))]), (100, 100))
    assert abs((layer.owner == 1).sum() - 800) < 45
    assert abs((layer.owner >= 0).sum() - 3200) < 85
    assert layer.near[20, 15] == pytest.approx(2.0 + 2.0 * (20.5 - 10.0) / 40.0)
    behind = filled(np.array([far, near]), (100, 100), limit=layer.near)
    assert behind.owner[20, 15] == 0 and behind.owner[70, 20] == -1


@pytest.mark.parametrize("middle", [(0.0, 0.0, 0.0), (0.4, 0.0, 0.2), (90.0, 0.0, 0.0)])
def test_only_the_part_with_bodies_is_sampled_finely_and_nothing_is_lost(middle, monkeypatch):
    """Oracle: the same picture with the whole of it sampled finely; the body in its middle, cut by its edge, outside.

    Coordinates are counted from the part's corner, so that round-off may move a sample at an edge.
    """
    b = cd.ModelBuilder()
    b.add_body("block", inertia=cd.Inertia.box(1.0, (0.4, 0.4, 0.4)), shapes=[cd.shapes.box((0.4, 0.4, 0.4))])
    path = Line("block", np.array([(0, 0, 0.3), (0.3, 0, 0.6), (0.2, 0.3, 0.6)]), color=(1.0, 0.0, 0.0))
    stage = stage_of(b.build(), drawn=[path])
    setting = setting_of(stage)
    stage = replace(stage, xyz=stage.xyz + middle)
    part = Renderer(stage, setting, (160, 120)).picture(0).astype(int)
    monkeypatch.setattr(Screen, "around", lambda self, things, width: self)
    whole = Renderer(stage, setting, (160, 120)).picture(0).astype(int)
    assert (np.abs(part - whole).max(axis=-1) > 1).sum() <= 3
    seen = (part[..., 0] > part[..., 1] + 60).sum()
    assert seen == 0 if middle[0] > 1.0 else seen > 5


def test_a_body_casts_a_shadow_where_it_stands():
    """Oracle: the ground of the same setting without the body, darker near it and alike far away."""
    b = cd.ModelBuilder()
    block = cd.shapes.box((0.4, 0.4, 0.4), color=(0.8, 0.2, 0.2))
    b.add_body("block", inertia=cd.Inertia.box(1.0, (0.4, 0.4, 0.4)), shapes=[block])
    stage = stage_of(b.build(), drawn=())
    setting = setting_of(stage)
    with_block = Renderer(stage, setting, (160, 120)).picture(0).astype(float)
    stage.meshes[0].clear()
    without = Renderer(stage, setting, (160, 120)).picture(0).astype(float)
    red = with_block[..., 0] > with_block[..., 1] + 40.0
    darker = (without - with_block).mean(axis=-1)[~red]
    assert red.sum() > 500 and (darker > 15.0).sum() > 100
    assert np.abs(without - with_block)[-1, 0].max() < 2.0


def test_names_are_written_on_request(swing, tmp_path):  # noqa: F811
    """Oracle: the picture with names differs from the one without near where bodies are, and nowhere below."""
    stage = stage_of(swing, drawn=())
    setting = setting_of(stage)
    plain, named = (Renderer(stage, setting, (200, 160), labels).picture(0).astype(int) for labels in (False, True))
    assert (np.abs(plain - named).max(axis=-1) > 60).sum() > 40


def test_a_bone_is_a_closed_surface_between_its_ends():
    """Oracle: the volume by the divergence theorem, between those of a thin rod and a thick one."""
    from condyle.view.geometry import triangles

    vertices, faces = triangles(cd.shapes.bone((0, 0, 0), (0, 0, 1), 0.1))
    a, b, c = vertices[faces].transpose(1, 0, 2)
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0
    assert np.pi * 0.04**2 < volume < np.pi * 0.1**2
    assert_allclose([vertices[:, 2].min(), vertices[:, 2].max()], [-0.53, 0.53], atol=0.02)
