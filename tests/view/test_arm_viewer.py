"""The live viewer of an arm: a goal to drag."""

import numpy as np
import pytest
from browser import page, shot
from test_viewer import answer, free_port, waited

import condyle as cd
from condyle.workspace import fit_arm, synthetic_subject

pytest.importorskip("viser")


@pytest.fixture(scope="module")
def viewer():
    shown = cd.view(fit_arm(synthetic_subject("male", count=60), smoothing=1e-5), port=free_port(), block=False)
    yield shown
    shown.stop()


def test_pages_of_others_are_refused(viewer):
    """Oracle: the HTTP status of the WebSocket handshake."""
    assert "403" in answer(viewer, "http://evil.example") and "101" in answer(viewer, viewer.address)
    assert viewer.server.get_host() == "127.0.0.1"


def test_the_arm_follows_the_goal(viewer):
    """Oracle: the arm's own answer; out of reach it stays at the nearest point and says how far."""
    goal = np.array([0.35, 0.3, -0.05])
    viewer.reach(goal)
    np.testing.assert_allclose(viewer.actors.frames[3].position, goal, atol=1e-9)
    assert viewer._said.value == "reached"
    viewer.reach([0.9, 0.6, 0.1])
    near = viewer.arm.nearest_reachable([0.9, 0.6, 0.1])
    np.testing.assert_allclose(viewer.actors.frames[3].position, near.point, atol=1e-9)
    assert viewer._said.value == f"out of reach, {100 * near.distance:.1f} cm away"


def test_a_person_sees_it_and_drags_the_goal(viewer):
    """Oracle: what the viewer poses in Python after a browser moved the handle."""
    viewer.handle.position = (0.3, 0.3, 0.0)
    viewer.reach((0.3, 0.3, 0.0))
    with page() as p:
        p.set_default_timeout(120_000)
        p.goto(viewer.address)
        p.wait_for_selector("canvas", timeout=60_000)
        assert waited(lambda: p.get_by_role("checkbox").count() >= 1, 60)
        p.wait_for_timeout(3000)
        shot(p, "arm-viewer")
        p.get_by_role("checkbox").nth(0).click()
        assert waited(lambda: viewer._all.value is False)
        before, middle = viewer.goal.copy(), viewer_pixel(p)
        p.mouse.move(*middle)
        p.mouse.down()
        for k in range(1, 16):
            p.mouse.move(middle[0], middle[1] - 3 * k)
            p.wait_for_timeout(30)
        p.mouse.up()
        assert waited(lambda: viewer.goal[2] > before[2] + 0.01), viewer.goal
        assert waited(lambda: np.allclose(viewer.posture.wrist, viewer.handle.position, atol=0.02))
        shot(p, "arm-viewer-dragged")


def viewer_pixel(p):
    """Where the handle's upward arrow is: the highest of its blue pixels, a little below the tip."""
    import io

    from PIL import Image

    picture = np.asarray(Image.open(io.BytesIO(p.screenshot(timeout=120_000))).convert("RGB")).astype(int)[:, :640]
    r, g, b = np.moveaxis(picture, -1, 0)
    rows, columns = np.nonzero((b > 180) & (b - r > 110) & (b - g > 60))
    top = rows.min()
    return float(columns[rows < top + 8].mean()), float(top + 6)
