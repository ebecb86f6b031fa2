"""Muscles and measured markers of the live viewer: tubes whose bones go with the bodies, message by message."""

from contextlib import contextmanager

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation
from test_muscle_lines import bent, by_hand, model, pulled_over_a_drum  # noqa: F401

import condyle as cd

pytest.importorskip("viser")

from condyle.view.live.model_viewer import Viewer
from condyle.view.live.tubes import moving_alike, tube_mesh
from condyle.view.muscle_lines import ACTIVE, IDLE


@contextmanager
def shown(thing, **options):
    """A viewer of a motion."""
    viewer = Viewer(thing, port=0, **options)
    try:
        yield viewer
    finally:
        viewer.stop()


def ends(handle):
    """Where a page draws the ends (n, 2, 3) of tubes, by hand: skinned vertices, the middle of each six."""
    first, now = handle.bone_wxyzs, np.array([b.wxyz for b in handle.bones])
    turns = Rotation.from_quat(now, scalar_first=True) * Rotation.from_quat(first, scalar_first=True).inv()
    moved = np.array([b.position for b in handle.bones])
    each = [turns[b].apply(handle.vertices - handle.bone_positions[b]) + moved[b] for b in range(len(moved))]
    weights = np.zeros((len(handle.vertices), len(moved)))
    np.add.at(weights, (np.arange(len(weights))[:, None], handle.skin_indices), handle.skin_weights)
    return np.einsum("vb,bvx->vx", weights, each).reshape(-1, 2, 6, 3).mean(axis=2)


def test_muscles_follow_the_posture(model):  # noqa: F811
    """Oracle: the points of the file by hand, at a posture that sliders could give; for a model at rest too."""
    for thing in (model, bent(model)):
        with shown(thing) as viewer:
            q = np.array([0.4, 0.9])
            viewer.show(q)
            one, two = cd.forward_kinematics(model, q).as_matrix()
            (still,), ((moving,),) = viewer.actors.body_tubes, viewer.actors.point_tubes
            line = [(one @ [0.1, 0.2, 0.3, 1])[:3], (two @ [0, 0.1, 0, 1])[:3]]
            assert_allclose(ends(still.handle), [line], atol=1e-5)
            lines, path = ends(moving.handle), by_hand(model, q)
            assert_allclose(np.vstack([lines[:1, 0], lines[:, 1]])[: len(path)], path, atol=1e-5)


def test_a_posture_is_one_piece_without_properties(model):  # noqa: F811
    """Oracle: what viser sends for a posture: turns and places of bodies and bones, no more than go at once."""
    with shown(bent(model)) as viewer:
        viewer.pause()
        buffer, sent = viewer.server._websock_server.get_message_buffer(), []
        plain, buffer.push = buffer.push, lambda message: (sent.append(message), plain(message))
        viewer.actors.place(cd.forward_kinematics(model, [0.4, 0.9]), 0.2, np.array([0.4, 0.9]))
        kinds = {type(m).__name__ for m in sent}
        assert {"SetPositionMessage", "SetBonePositionMessage"} <= kinds
        poses = {f"Set{bone}{what}Message" for bone in ("", "Bone") for what in ("Position", "Orientation")}
        assert kinds <= poses
        assert len(sent) < buffer.max_window_size


def test_measured_markers_are_where_they_were_seen(model):  # noqa: F811
    """Oracle: the lines of the stage at every record; one that is always seen has two bones, one with gaps more."""
    run = bent(model)
    tips = cd.forward_kinematics(model, run.q)[:, 1].apply([0.1, 0.0, 0.0])
    points = np.stack([tips + 0.01, tips + 0.3 * run.t[:, None]], axis=1)
    points[3:5, 1] = np.nan
    with shown(run, markers=cd.trial.Markers(("tip", "other"), run.t, points)) as viewer:
        viewer.pause()
        lines, (tubes,) = viewer.actors.stage.changing[-1], viewer.actors.point_tubes[-1]
        for k in (0, 3, 9, 4):
            viewer.show(run.q[k], run.t[k])
            assert_allclose(ends(tubes.handle), lines.segments[k], atol=1e-5)
        whole, gaps = lines.segments[:, :4], lines.segments[:, 4:]
        assert len(moving_alike(whole)[0]) == 1  # its distance to the model's marker does not change
        assert len(moving_alike(gaps)[0]) == 6


def test_muscles_have_the_colours_of_their_activations():
    """Oracle: blue and red change places between the first and the last record."""
    run = pulled_over_a_drum()
    with shown(run) as viewer:
        viewer.pause()
        ((rope, string),) = viewer.actors.point_tubes
        for k, colors in ((0, (IDLE, ACTIVE)), (5, (ACTIVE, IDLE))):
            viewer.show(run.q[k], run.t[k])
            for tubes, color in zip((rope, string), colors, strict=True):
                assert_allclose(np.array(tubes.handle.color) / 255, color, atol=1 / 16)


def test_a_tube_is_seen_from_every_side():
    """Oracle: its width across a view, by projection; a line without length has no area."""
    rng = np.random.default_rng(1)
    along = rng.normal(size=(40, 3))
    vertices, faces = tube_mesh(np.stack([np.zeros((40, 3)), along], axis=1), 0.1)
    assert faces.max() == vertices[..., 0].size - 1
    for k, view in enumerate(rng.normal(size=(40, 3))):
        across = np.cross(along[k], view)
        width = np.ptp(vertices[k, 0] @ (across / np.linalg.norm(across)))
        assert 0.2 / np.sqrt(3) - 1e-12 <= width <= 0.2 + 1e-12
    vertices, faces = tube_mesh(np.ones((1, 2, 3)), 0.1)
    a, b, c = vertices.reshape(-1, 3)[faces].swapaxes(0, 1)
    assert not np.cross(b - a, c - a).any()
