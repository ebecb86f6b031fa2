"""The live viewer: who may connect, and what a person can do in a browser."""

import io
import socket
import time

import numpy as np
import pytest
from browser import page, shot
from numpy.testing import assert_allclose
from PIL import Image

import condyle as cd
from condyle.gallery import leg

pytest.importorskip("viser")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture
def viewer():
    shown = cd.view(leg(), port=free_port(), block=False)
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
    viewer.reach((0.3, -0.6, 0.0))
    assert_allclose(viewer.actors.frames[2].position, (0.3, -0.6, 0.0), atol=1e-5)
    viewer.play(swing)
    viewer.seek(0.5)
    assert_allclose(viewer.actors.frames[2].position, swing.poses()[30, 2].xyz, atol=1e-12)
    assert viewer._sliders["knee"].value == pytest.approx(swing.q[30, 1], abs=1e-12)
    before = viewer._time.value
    viewer.tick(0.1)
    assert viewer._time.value == pytest.approx(before + 0.1)


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
        box = p.get_by_role("checkbox").nth(0)
        box.click()
        assert waited(lambda: viewer.handle.visible)
        p.wait_for_timeout(1000)
        shot(p, "viewer-handle")
        before = np.array(viewer.actors.frames[2].position)
        x, y = arrow_tip(p)
        p.mouse.move(x, y)
        p.mouse.down()
        for k in range(1, 21):
            p.mouse.move(x, y - 4 * k)
            p.wait_for_timeout(30)
        p.mouse.up()
        assert waited(lambda: viewer.handle.position[1] > before[1] + 0.05), viewer.handle.position
        assert waited(lambda: np.allclose(viewer.actors.frames[2].position, viewer.handle.position, atol=1e-3))
        p.wait_for_timeout(500)
        shot(p, "viewer-pulled")
        viewer.play(swing)
        viewer._playing.value = False
        p.wait_for_timeout(500)
        p.get_by_role("slider").nth(3).focus()
        for _ in range(60):
            p.keyboard.press("ArrowRight")
        assert waited(lambda: viewer._time.value > 0.03)
        shot(p, "viewer-scrubbed")


def test_what_cannot_be_shown_is_said():
    """Oracle: the words."""
    with pytest.raises(cd.CondyleError, match="only a model or a trajectory can be shown; got got = 'int'"):
        cd.view(3, port=free_port(), block=False)
