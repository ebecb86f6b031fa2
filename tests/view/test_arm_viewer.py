"""The live viewer of an arm: a goal to drag."""

import numpy as np
import pytest

pytest.importorskip("viser")

import condyle as cd
from condyle.workspace import fit_arm, synthetic_subject
from support.browser import drag, shot, viewer_page, wait_until
from support.page_client import answer


@pytest.fixture(scope="module")
def viewer():
    shown = cd.view(fit_arm(synthetic_subject("male", count=60), smoothing=1e-5), port=0, block=False)
    yield shown
    shown.stop()


def test_pages_of_others_are_refused(viewer):
    """Oracle: the HTTP status of the WebSocket handshake."""
    assert answer(viewer, websocket=True, Origin="http://evil.example")[0] == 403
    assert answer(viewer, websocket=True)[0] == 101


def test_the_arm_follows_the_goal(viewer):
    """Oracle: the arm's own answer; out of reach it stays at the nearest point and says how far."""
    goal = np.array([0.35, 0.3, -0.05])
    viewer.reach(goal)
    np.testing.assert_allclose(viewer.actors.frames[3].position, goal, atol=1e-9)
    assert viewer._status.value == "reached"
    for far in ([0.9, 0.6, 0.1], [1e6, -1e6, 1e6]):
        viewer.reach(far)
        near = viewer.arm.nearest_reachable(far)
        np.testing.assert_allclose(viewer.actors.frames[3].position, near.point, atol=1e-6)
        assert f"{100 * near.distance:.1f} cm" in viewer._status.value


@pytest.mark.slow
def test_a_goal_is_dragged_in_a_browser(viewer):
    """Oracle: what the viewer poses in Python after a browser moved the handle."""
    viewer.handle.position = (0.3, 0.3, 0.0)
    viewer.reach((0.3, 0.3, 0.0))
    with viewer_page(viewer) as p:
        wait_until(lambda: p.get_by_role("checkbox").count() >= 1)
        shot(p, "arm-viewer")
        p.get_by_role("checkbox").nth(0).click()
        wait_until(lambda: viewer._all.value is False)
        before = viewer.goal.copy()
        drag(p, viewer, viewer.handle, 2, (0, -4), lambda: viewer.goal[2] > before[2] + 0.01)
        wait_until(lambda: np.allclose(viewer.posture.wrist, viewer.handle.position, atol=0.02))
        shot(p, "arm-viewer-dragged")
