"""The live viewer: who may connect, and what a person can do in a browser."""

import io
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from browser import page, shot
from numpy.testing import assert_allclose
from PIL import Image

import condyle as cd
from condyle.errors import BadValue
from condyle.gallery import beads, leg, scapula
from condyle.joints import design_frames

pytest.importorskip("viser")

from condyle.view.viewer import Viewer


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture
def viewer():
    shown = Viewer(leg(), port=free_port())
    yield shown
    shown.stop()


@pytest.fixture
def swing():
    t = np.linspace(0, 1, 61)
    q = np.stack([0.8 * np.cos(3 * t), -1 + 0.8 * np.sin(5 * t), 0.3 * np.sin(4 * t)], axis=1)
    return cd.Trajectory(leg(), t, q, 0 * q)


def answer(viewer, origin):
    """The first line of the server's answer to a WebSocket from a page of an origin."""
    port = viewer.server.get_port()
    lines = [
        "GET / HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: viser-v" + __import__("viser").__version__,
    ]  # fmt: skip
    lines += [f"Origin: {origin}"] if origin else []
    with socket.create_connection(("127.0.0.1", port), timeout=10) as s:
        s.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return s.recv(200).decode(errors="replace").splitlines()[0]


def arrow_tip(p):
    """Where the handle's upward arrow is on the screen: the highest of its green pixels, a little below the tip."""
    picture = np.asarray(Image.open(io.BytesIO(p.screenshot())).convert("RGB")).astype(int)[:, :640]
    r, g, b = np.moveaxis(picture, -1, 0)
    rows, columns = np.nonzero((g > 190) & (g - r > 60) & (g - b > 40) & (b > 100))
    top = rows.min()
    return float(columns[rows < top + 12].mean()), float(top + 8)


def waited(condition, seconds=20):
    """Whether a condition comes true."""
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", None])
def test_pages_of_others_are_refused(viewer, origin):
    """Oracle: the HTTP status of the WebSocket handshake."""
    assert "403" in answer(viewer, origin)


def test_its_own_page_is_let_in_and_only_this_machine_listens(viewer):
    """Oracle: the HTTP status; the address of the listening socket."""
    assert "101" in answer(viewer, viewer.address)
    assert viewer.server.get_host() == "127.0.0.1"


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
        assert [w.result(60) for w in waiting] == [None] * 6
    assert_allclose(viewer.actors.frames[2].position, places[-1], atol=1e-5)


def test_a_person_can_slide_scrub_and_pull(viewer, swing):
    """Oracle: what the viewer shows in Python after what a browser did."""
    with page() as p:
        p.goto(viewer.address)
        p.wait_for_selector("canvas", timeout=60_000)
        assert waited(lambda: p.get_by_role("slider").count() >= 3, 60)
        p.get_by_role("slider").nth(0).focus()
        for _ in range(40):
            p.keyboard.press("ArrowRight")
        assert waited(lambda: viewer.q[0] > 0.1), viewer.q
        p.wait_for_timeout(1500)
        shot(p, "viewer-slid")
        box = p.get_by_role("checkbox").nth(1)
        box.click()
        assert waited(lambda: viewer.handle.control.visible)
        viewer.workshop.paths.value = False  # their arrows are green, too
        viewer.workshop.draw()
        p.wait_for_timeout(1000)
        shot(p, "viewer-handle")
        before = np.array(viewer.actors.frames[2].position)
        assert any(pulled_up(p, viewer, before[1] + 0.05) for _ in range(5)), viewer.handle.control.position
        assert waited(lambda: np.allclose(viewer.actors.frames[2].position, viewer.handle.control.position, atol=1e-3))
        p.wait_for_timeout(500)
        shot(p, "viewer-pulled")
        viewer.playback.play(swing)
        viewer.playback.playing.value = False
        p.wait_for_timeout(500)
        p.get_by_role("slider").nth(3).focus()
        for _ in range(60):
            p.keyboard.press("ArrowRight")
        assert waited(lambda: viewer.playback.time.value > 0.03)
        shot(p, "viewer-scrubbed")


def dragged(p, start, by, times):
    """Press the mouse at a place of the screen, move it step by step, let go."""
    p.mouse.move(*start)
    p.wait_for_timeout(300)
    p.mouse.down()
    for k in range(1, times + 1):
        p.mouse.move(start[0] + k * by[0], start[1] + k * by[1])
        p.wait_for_timeout(30)
    p.mouse.up()


def pulled_up(p, viewer, height):
    """Drag the handle's upward arrow as a person does, who tries again if it was missed; whether it got so high."""
    p.wait_for_timeout(1000)
    dragged(p, arrow_tip(p), (0, -4), 20)
    return waited(lambda: viewer.handle.control.position[1] > height, 3)


def test_what_cannot_be_shown_is_said():
    """Oracle: the words."""
    with pytest.raises(cd.CondyleError, match="only a model or a trajectory can be shown; got 'int'"):
        cd.view(3, port=free_port(), block=False)


def test_a_dragged_control_frame_changes_joint_bodies_and_file(tmp_path):
    """Oracle: the control frame asked for; the same wire for all beads; the saved model moves as the one shown."""
    from dataclasses import replace

    model = replace(beads().model, prescribed={})
    viewer = Viewer(model, port=free_port(), folder=tmp_path)
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


def test_a_person_drags_a_control_frame():
    """Oracle: the joint in Python after a browser pulled at the red arrow: that frame moved, the others did not."""
    from dataclasses import replace

    viewer = Viewer(replace(beads().model, prescribed={}), port=free_port())
    try:
        shop = viewer.workshop
        viewer.show([0.4, 8.0, 20.0, 33.0])
        shop.paths.value, shop.body.value = False, "bead1"
        shop.draw()
        shop.choose()
        shop.number.value = 20
        shop._seat()
        before = np.array(design_frames(viewer.model.bodies[2].joint))
        with page() as p:
            p.goto(viewer.address)
            p.wait_for_selector("canvas", timeout=60_000)
            assert waited(lambda: p.get_by_role("slider").count() >= 3, 60)
            p.wait_for_timeout(2500)
            assert any(pulled_left(p, viewer, before) for _ in range(5))
            assert np.delete(moved(viewer, before), 20).max() < 1e-14
            shot(p, "viewer-control-frame")
    finally:
        viewer.stop()


def pulled_left(p, viewer, before):
    """Drag the red arrow of the control frame; whether the frame moved."""
    p.wait_for_timeout(500)
    dragged(p, red_tip(p), (-4, -1), 15)
    return waited(lambda: moved(viewer, before)[20] > 0.02, 3)


def moved(viewer, before):
    """How far the control frames of the third body's joint are from what they were."""
    return np.linalg.norm(design_frames(viewer.model.bodies[2].joint) - before, axis=(1, 2))


def red_tip(p):
    """Where the red arrow of a handle ends on the screen, to the left."""
    picture = np.asarray(Image.open(io.BytesIO(p.screenshot())).convert("RGB")).astype(int)[:, 330:640]
    r, g, b = np.moveaxis(picture, -1, 0)
    rows, columns = np.nonzero((r > 220) & (g < 90) & (b > 60) & (b < 170))
    left = columns.min()
    return float(330 + left + 6), float(rows[columns < left + 8].mean())


def test_quaternions_have_sliders_and_a_live_simulation_falls():
    """Oracle: scipy's rotation of the three angles; the energy of the simulation falls by its dampers alone."""
    from scipy.spatial.transform import Rotation

    scene = scapula()
    viewer = Viewer(scene.model, port=free_port())
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


def test_a_port_in_use_is_said(viewer):
    """Oracle: the words."""
    port = viewer.server.get_port()
    with pytest.raises(BadValue, match=rf"port {port} of 127\.0\.0\.1 is in use; choose another with port="):
        cd.view(leg(), port=port, block=False)


def test_twenty_bodies_are_sent_where_they_are():
    """Oracle: forward kinematics; the rate is measured by benchmarks/viewer.py."""
    from condyle.gallery import spatial_chain

    viewer = Viewer(spatial_chain(20), port=free_port())
    try:
        q = np.random.default_rng(0).uniform(-1, 1, viewer.model.nq)
        viewer.place(q)
        expected = cd.forward_kinematics(viewer.model, q)
        assert_allclose([f.position for f in viewer.actors.frames], expected.xyz, atol=1e-12)
        assert_allclose([f.wxyz for f in viewer.actors.frames], expected.wxyz, atol=1e-12)
    finally:
        viewer.stop()
