"""The live viewer in Python: what it shows after sliders, targets, motions and edited joints."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.gallery import beads, leg, scapula
from condyle.joints import design_frames

pytest.importorskip("viser")

from condyle.view.live.model_viewer import Viewer
from support.browser import wait_until


@pytest.fixture
def viewer():
    shown = Viewer(leg(), port=0)
    yield shown
    shown.stop()


@pytest.fixture
def swing():
    t = np.linspace(0, 1, 61)
    q = np.stack([0.8 * np.cos(3 * t), -1 + 0.8 * np.sin(5 * t), 0.3 * np.sin(4 * t)], axis=1)
    return cd.Trajectory(leg(), t, q, 0 * q)


def test_the_pose_follows_targets_time_and_sliders(viewer, swing):
    """Oracle: forward kinematics of what is shown."""
    viewer.handle.reach((0.3, -0.6, 0.0))
    assert_allclose(viewer.actors.frames[2].position, (0.3, -0.6, 0.0), atol=1e-5)
    viewer.playback.play(swing)
    viewer.playback.seek(0.5)
    assert_allclose(viewer.actors.frames[2].position, swing.poses()[30, 2].xyz, atol=1e-12)
    assert viewer.sliders.handles["knee"].value == pytest.approx(swing.q[30, 1], abs=1e-12)
    before = viewer.playback.time.value
    viewer.tick(0.1)
    assert viewer.playback.time.value == pytest.approx(before + 0.1)


def test_the_last_place_of_a_handle_counts(viewer):
    """Oracle: where the handle ended, though updates wait for their turn and come in any order."""
    places = [(0.3, -0.6, 0.0), (0.25, -0.65, 0.0), (0.2, -0.7, 0.0)]
    waiting = []
    with ThreadPoolExecutor(8) as pool:
        with viewer.lock:  # nobody gets a turn before the handle is at its last place
            for place in places:
                viewer.handle.control.position = place
                waiting += [pool.submit(viewer.handle._moved, phase) for phase in ("update", "end")]
        assert [w.result(180) for w in waiting] == [None] * 6
    assert_allclose(viewer.actors.frames[2].position, places[-1], atol=1e-5)


def test_what_fails_in_a_tick_stops_the_motion_and_not_the_viewer(viewer, swing, monkeypatch, capfd):
    """Oracle: the loop goes on: a later motion is played; the cause is printed."""
    viewer.playback.play(swing)
    show = viewer.show
    monkeypatch.setattr(viewer, "show", lambda *args: 1 / 0)
    viewer.start()
    wait_until(lambda: not viewer.playback.playing.value)
    assert "ZeroDivisionError" in capfd.readouterr().err
    monkeypatch.setattr(viewer, "show", show)
    viewer.playback.play(swing)
    before = viewer.playback.time.value
    wait_until(lambda: viewer.playback.time.value != before)


def test_what_cannot_be_shown_is_named():
    """Oracle: the class and what was given."""
    with pytest.raises(cd.CondyleError, match="'int'"):
        cd.view(3, port=0, block=False)


def test_a_dragged_control_frame_changes_joint_bodies_and_file(tmp_path):
    """Oracle: the control frame asked for; the same wire for all beads; the saved model moves as the one shown."""
    model = replace(beads().model, prescribed={})
    viewer = Viewer(model, port=0, folder=tmp_path, allow_save=True)
    try:
        viewer.show([0.4, 8.0, 20.0, 33.0])
        shop = viewer.workshop
        shop.body.value = "bead1"
        shop.choose()
        before = np.array(viewer.poses.xyz)
        pose = viewer.poses[0].as_matrix() @ shop._poses()[8]
        assert_allclose(shop.gizmo.position, (viewer.poses[0].as_matrix() @ shop._poses()[0])[:3, 3], atol=1e-12)
        pose[:3, 3] += (0.0, 0.1, 0.05)
        shop.move(8, pose)
        assert_allclose(viewer.poses[0].as_matrix() @ shop._poses()[8], pose, atol=1e-12)
        assert np.abs(viewer.poses.xyz - before)[1].max() > 1e-3 and np.abs(viewer.poses.xyz - before)[3].max() < 1e-12
        assert len({id(b.joint) for b in viewer.model.bodies[1:]}) == 1
        shop.save()
        again = cd.load(tmp_path / "edited.toml")
        assert_allclose(cd.forward_kinematics(again, viewer.q).xyz, viewer.poses.xyz, atol=1e-15)
        assert design_frames(again.bodies[1].joint) is not None
    finally:
        viewer.stop()


def test_quaternions_have_sliders_and_a_live_simulation_falls():
    """Oracle: scipy's rotation of the three angles; the energy of the simulation falls by its dampers alone."""
    from scipy.spatial.transform import Rotation

    scene = scapula()
    viewer = Viewer(scene.model, port=0)
    try:
        viewer.show(scene.q)
        names = [n for n in viewer.sliders.handles if "turn" in n]
        assert len(names) == 3
        angles = [viewer.sliders.handles[n].value for n in names]
        arm = Rotation.from_quat(viewer.q[4:8], scalar_first=True)
        assert np.abs((Rotation.from_euler("XYZ", angles).inv() * arm).as_rotvec()).max() < 1e-9
        viewer.live.switch.value = True
        start = cd.energy(viewer.model, viewer.q, np.zeros(viewer.model.nv)).total
        for _ in range(20):
            viewer.tick(1 / 60)
        assert viewer.time == pytest.approx(20 / 60, abs=2e-3)
        now = cd.energy(viewer.model, viewer.q, viewer.live.v)
        assert now.kinetic > 0.01 and now.total <= start + 1e-9
        viewer.live.pull("arm", viewer.poses[2].xyz + (0.5, 0, 0))
        before = viewer.poses[2].xyz[0]
        for _ in range(20):
            viewer.tick(1 / 60)
        assert viewer.poses[2].xyz[0] > before
    finally:
        viewer.stop()


def test_twenty_bodies_are_sent_where_they_are():
    """Oracle: forward kinematics; the rate is measured by benchmarks/viewer.py."""
    from condyle.gallery import spatial_chain

    viewer = Viewer(spatial_chain(20), port=0)
    try:
        q = np.random.default_rng(0).uniform(-1, 1, viewer.model.nq)
        viewer.place(q)
        expected = cd.forward_kinematics(viewer.model, q)
        assert_allclose([f.position for f in viewer.actors.frames], expected.xyz, atol=1e-12)
        assert_allclose([f.wxyz for f in viewer.actors.frames], expected.wxyz, atol=1e-12)
    finally:
        viewer.stop()


def test_curves_are_chosen_by_name_and_angles_are_in_degrees(viewer, swing):
    """Oracle: the angles of the motion in degrees by numpy; a curve goes when its box is emptied."""
    viewer.playback.play(swing)
    viewer.playback.playing.value = False
    charts = viewer.charts
    chart, names = charts.charts["angles [°]"]
    assert list(names) == list(viewer.model.coordinates)
    assert_allclose(chart.data[1], np.degrees(np.interp(chart.data[0], swing.t, swing.q[:, 0])), atol=1e-9)
    charts.boxes[names[0]].value = False
    charts._choose()
    chart, left = charts.charts["angles [°]"]
    assert list(left) == list(names)[1:] and len(chart.data) == len(left) + 2
    assert_allclose(chart.data[1], np.degrees(np.interp(chart.data[0], swing.t, swing.q[:, 1])), atol=1e-9)
