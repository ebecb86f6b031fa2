"""The live viewer in a browser: sliders, handles and control frames moved by mouse and keyboard."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from test_muscle_lines import FIRST, bent, model  # noqa: F401
from test_viewer import swing, viewer  # noqa: F401

pytest.importorskip("viser")

from condyle.gallery import beads
from condyle.joints import design_frames
from condyle.view.live.model_viewer import Viewer
from support.browser import comes_true, drag, drawn, shot, viewer_page, wait_until

pytestmark = pytest.mark.slow
X, Y = 0, 1


def press_until(p, slider, key, condition):
    """Press a key on a slider, again and again, until a condition holds."""
    for _ in range(400):
        p.get_by_role("slider").nth(slider).press(key)
        if comes_true(condition, 0.05):
            return
    wait_until(condition)


def test_a_slider_moves_a_coordinate(viewer):  # noqa: F811
    """Oracle: what the viewer shows in Python after the keys that a browser pressed; no error in the page."""
    with viewer_page(viewer, sliders=3) as p:
        errors = []
        p.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        press_until(p, 0, "ArrowRight", lambda: viewer.q[0] > 0.1)
        shot(p, "viewer-slid")
        assert errors == []


def test_a_handle_pulls_a_body(viewer):  # noqa: F811
    """Oracle: the handle moved up with the mouse, and the body is where the handle is."""
    with viewer_page(viewer, sliders=3) as p:
        p.get_by_role("checkbox").nth(1).click()
        wait_until(lambda: viewer.handle.control.visible)
        before = np.array(viewer.actors.frames[2].position)
        drag(p, viewer, viewer.handle.control, Y, (0, -4), lambda: viewer.handle.control.position[1] > before[1] + 0.05)
        wait_until(lambda: np.allclose(viewer.poses[2].xyz, viewer.handle.control.position, atol=1e-3))
        shot(p, "viewer-pulled")


def test_a_motion_is_scrubbed(viewer, swing):  # noqa: F811
    """Oracle: the posture of the motion at the time of the slider."""
    viewer.playback.play(swing)
    viewer.playback.playing.value = False
    with viewer_page(viewer, sliders=4) as p:
        press_until(p, 3, "ArrowRight", lambda: viewer.playback.time.value > 0.03)
        k = round(60 * viewer.playback.time.value + 0.5)
        wait_until(lambda: np.abs(swing.q - viewer.q).max(axis=1).min() < 1e-12)
        assert 1 <= np.abs(swing.q - viewer.q).max(axis=1).argmin() <= k + 1
        shot(p, "viewer-scrubbed")


def test_a_control_frame_is_dragged():
    """Oracle: the joint in Python after a browser pulled at the arrow: that frame moved, the others did not."""
    shown = Viewer(replace(beads().model, prescribed={}), port=0)
    try:
        shop = shown.workshop
        shown.show([0.4, 8.0, 20.0, 33.0])
        shop.body.value = "bead1"
        wait_until(lambda: shop.gizmo.visible)
        shop.number.value = 20
        shop._seat()
        before = np.array(design_frames(shown.model.bodies[2].joint))
        with viewer_page(shown, sliders=3) as p:
            drag(p, shown, shop.gizmo, X, (-4, -1), lambda: moved(shown, before)[20] > 0.02)
            assert np.delete(moved(shown, before), 20).max() < 1e-14
            shot(p, "viewer-control-frame")
    finally:
        shown.stop()


def moved(shown, before):
    """How far the control frames of the third body's joint are from what they were."""
    return np.linalg.norm(design_frames(shown.model.bodies[2].joint) - before, axis=(1, 2))


def test_a_page_that_lost_its_connection_comes_back(viewer):  # noqa: F811
    """Oracle: the slider works again after the server dropped the connection, and after the page was loaded again."""
    with viewer_page(viewer, sliders=3) as p:
        for goal in (0.05, 0.1):
            before = set(viewer.server.get_clients())
            viewer.server._websock_server.disconnect_all_clients()
            wait_until(lambda before=before: set(viewer.server.get_clients()) - before)
            press_until(p, 0, "ArrowRight", lambda goal=goal: viewer.q[0] > goal)
        p.reload()
        wait_until(lambda: p.get_by_role("slider").count() >= 3)
        drawn(p)
        press_until(p, 0, "ArrowRight", lambda: viewer.q[0] > 0.15)
        wait_until(lambda: len(viewer.server.get_clients()) == 1)


READY = """() => ["/muscles 0", "/lines 0/0"].every(
    name => window.__viserMutable.nodeRefFromName[name]?.children.some(x => x.isBone))"""
PICTURES = """count => new Promise(done => {
    const found = [], nodes = window.__viserMutable.nodeRefFromName;
    const bones = name => nodes[name].children.filter(x => x.isBone);
    const look = () => {
        const now = [nodes["/bodies/0 one"], nodes["/bodies/1 two"], ...bones("/muscles 0"), bones("/lines 0/0")[0]];
        found.push(now.map(x => [...x.matrixWorld.elements]));
        if (found.length < count) requestAnimationFrame(look); else done(found);
    };
    requestAnimationFrame(look);
})"""


def test_muscles_are_on_their_bodies_in_every_picture_of_a_motion(model):  # noqa: F811
    """Oracle: matrices of bodies and bones as the page drew them, picture by picture, while the motion plays."""
    run = bent(model)
    shown = Viewer(replace(run, q=run.q + [[1.0, 0.0]] * run.t[:, None]), port=0)
    try:
        shown.start()
        with viewer_page(shown) as p:
            wait_until(lambda: p.evaluate(READY))
            seen = np.array(p.evaluate(PICTURES, 15)).reshape(15, 5, 4, 4).swapaxes(2, 3)
            shot(p, "viewer-muscles-while-playing")
    finally:
        shown.stop()
    one, two, first, second, point = seen.swapaxes(0, 1)
    assert np.ptp(one, axis=0).max() > 0.1 and np.ptp(two, axis=0).max() > 0.1  # it did play
    assert_allclose(first, one, atol=1e-5)
    assert_allclose(second, two, atol=1e-5)
    assert_allclose(point[:, :3, 3], one[:, :3, :3] @ FIRST + one[:, :3, 3], atol=1e-5)
