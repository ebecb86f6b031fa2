"""What the page of a live viewer may send; everything else is dropped, and the viewer goes on."""

from collections import deque
from dataclasses import replace

import msgspec
import numpy as np
import pytest

pytest.importorskip("viser")

from numpy.testing import assert_allclose

import condyle as cd
from condyle.gallery import beads, leg
from condyle.joints import design_frames
from condyle.view.live.loopback_server import LARGEST
from condyle.view.live.model_viewer import Viewer
from support.browser import wait_until
from support.page_client import CAMERA, client, dragged, send, update

NESTED = b"\x91" * 5000 + b"\xc0"


@pytest.fixture(autouse=True)
def _no_traceback(capfd):
    """No message may make a thread of the server fail, which viser would print."""
    yield
    found = capfd.readouterr()
    assert "Traceback" not in found.err + found.out


@pytest.fixture(scope="module")
def viewer():
    shown = Viewer(leg(), port=0)
    yield shown
    shown.stop()


def hostile(viewer):
    """Messages that the page never sends."""
    hip, body, play = viewer.sliders.handles["hip"], viewer.handle.body, viewer.playback.playing
    status, number = viewer.playback.status, viewer.playback.duration
    yield from [update(hip, update_cb=[], value=1.0), update(hip, removed=True), update(hip, visible=False)]
    yield from [update(hip)]
    yield from [update(hip, value=x) for x in ("1.0", True, None, [1.0], {"a": 1})]
    yield from [update(hip, value=x) for x in (np.nan, np.inf, -np.inf, 1e300, 3.2, 2**60)]
    yield from [update(number, value=x) for x in (0.0, -1.0, 61.0, np.nan, "2")]
    yield from [update(body, value=x) for x in ("nobody", "", 3, True)]
    yield from [update(play, value=x) for x in ("yes", 1, 1.0, None)]
    yield from [update(status, value="hello")]
    yield from [{"type": "GuiUpdateMessage", "uuid": x, "updates": {"value": 1.0}} for x in ("", "no", 3)]
    yield from [dragged(viewer.handle.control, (0.1, 0.2, 0.3))]
    yield from [dragged(viewer.handle.control, (0, 0, 0)) | {"name": "/no"}]
    yield from [
        {"type": "ShareUrlRequest"}, {"type": "ShareUrlDisconnect"}, {"type": "ResetGuiMessage"},
        {"type": "RunJavascriptMessage", "source": "1"}, {"type": "GuiFormDirtyMessage", "uuid": "x"},
        {"type": "FileTransferStartUpload", "source_component_uuid": hip._impl.uuid, "transfer_uuid": "x",
         "filename": "x", "mime_type": "x", "part_count": 10**9, "size_bytes": 10**9},
        {"type": "RemoveSceneNodeMessage", "name": "/bodies"}, {"type": "no such message"}, {}, [], 3, None, "text",
        {"type": ["ViewerCameraMessage"]}, CAMERA | {"fov": "wide"}, CAMERA | {"extra": 1}, CAMERA | {"wxyz": [1, 0]},
        CAMERA | {"position": [np.nan, 0, 0]},
    ]  # fmt: skip


def state(viewer):
    """What a hostile message could have changed."""
    panels = {
        k: (h._impl.value, h.visible, h._impl.removed) for k, h in viewer.server.gui._gui_input_handle_from_uuid.items()
    }
    sent = len(viewer.server._websock_server._broadcast_buffer.message_from_id)
    return panels, sent, viewer.q.tolist(), tuple(viewer.handle.control.position)


def test_what_the_page_never_sends_is_dropped(viewer):
    """Oracle: nothing is changed, and the same connection still moves a slider afterwards."""
    with client(viewer) as page:
        send(page, CAMERA)
        send(page, update(viewer.sliders.handles["hip"], value=0.125))
        wait_until(lambda: viewer.q[0] == 0.125)
        viewer.server.flush()
        before = state(viewer)
        for message in hostile(viewer):
            send(page, message)
        for data in (b"", b"\xc1", NESTED, np.random.default_rng(0).bytes(1000), "a text", "\0"):
            page.send(data)
        cut = msgspec.msgpack.encode(CAMERA)
        for k in range(len(cut)):
            page.send(cut[:k])
        send(page, update(viewer.handle.shown, value=True))
        wait_until(lambda: viewer.handle.control.visible)
        send(page, update(viewer.handle.shown, value=False))
        wait_until(lambda: not viewer.handle.control.visible)
        panels, _, q, place = state(viewer)
        assert (panels, q) == (before[0], before[2]) and np.allclose(place, viewer.poses[2].xyz)


def test_random_changes_of_good_messages_do_no_harm(viewer):
    """Oracle: the coordinate stays in its range, and the connection works, after 3,000 messages with changed bytes."""
    random, hip = np.random.default_rng(1), viewer.sliders.handles["hip"]
    good = [
        msgspec.msgpack.encode(m) for m in (CAMERA, update(hip, value=0.5), dragged(viewer.handle.control, (0, 0, 0)))
    ]
    with client(viewer) as page:
        send(page, CAMERA)
        for k in range(3000):
            data = bytearray(good[k % 3])
            for place in random.integers(0, len(data), 1 + k % 4):
                data[place] = random.integers(256)
            page.send(bytes(data))
        send(page, update(hip, value=-0.375))
        wait_until(lambda: viewer.q[0] == -0.375)
    assert abs(viewer.q[0]) <= np.pi and hip._impl.removed is False and hip.visible


def test_a_message_too_large_ends_its_connection_only(viewer):
    """Oracle: the close code 1009 of the WebSocket protocol; another client is served."""
    from websockets.exceptions import ConnectionClosed

    with client(viewer) as other, client(viewer) as page:
        send(other, CAMERA)
        page.send(b"\0" * (LARGEST + 1))
        with pytest.raises(ConnectionClosed, match="1009"):
            deque(page, maxlen=0)
        send(other, update(viewer.sliders.handles["hip"], value=0.75))
        wait_until(lambda: viewer.q[0] == 0.75)


def test_every_panel_can_be_used(viewer):
    """Oracle: what the viewer shows after the messages of a slider, a list, a box, a number and a handle."""
    with client(viewer) as page:
        send(page, CAMERA)
        send(page, update(viewer.sliders.handles["knee"], value=-1))
        wait_until(lambda: viewer.q[1] == -1.0)
        send(page, update(viewer.handle.body, value="shank"))
        send(page, update(viewer.handle.shown, value=True))
        wait_until(
            lambda: np.allclose(viewer.handle.control.position, viewer.poses[1].xyz) and viewer.handle.control.visible
        )
        goal = viewer.poses[1].xyz + (0.02, 0.01, 0.0)
        send(page, {"type": "TransformControlsDragStartMessage", "name": "/target", "owner": ""})
        send(page, dragged(viewer.handle.control, goal.tolist()))
        send(page, {"type": "TransformControlsDragEndMessage", "name": "/target", "owner": ""})
        wait_until(lambda: "mm" in viewer.handle.status.value)
        send(page, update(viewer.playback.duration, value=0.1))
        wait_until(lambda: viewer.playback.duration.value == 0.1)
        assert not viewer.playback.playing.value
        send(page, update(viewer.playback.playing, value=True))
        wait_until(lambda: viewer.playback.playing.value)


@pytest.fixture
def editor(tmp_path):
    """A viewer with control frames to drag, that may save."""
    shown = Viewer(replace(beads().model, prescribed={}), port=0, folder=tmp_path, allow_save=True)
    shown.show([0.4, 8.0, 20.0, 33.0])
    yield shown
    shown.stop()


def test_messages_about_what_is_gone_do_no_harm(editor):
    """Oracle: the joint stays as it was after clicks and drags of control frames that are no longer shown."""
    shop = editor.workshop
    before = np.array(design_frames(editor.model.bodies[2].joint))
    click = {
        "type": "SceneNodeClickMessage", "ray_origin": [0, 0, 0], "ray_direction": [0, 0, 1], "screen_pos": [0.5, 0.5],
        "modifier": None, "owner": "",
    }  # fmt: skip
    with client(editor) as page:
        send(page, CAMERA)
        send(page, update(shop.body, value="bead1"))
        wait_until(lambda: shop._points is not None and shop.gizmo.visible)
        name = shop._points.name
        for index in (7, 10**6, -1, None):
            send(page, click | {"name": name, "instance_index": index})
        wait_until(lambda: shop.number.value == 7)
        send(page, update(shop.body, value="(none)"))
        wait_until(lambda: shop._points is None and not shop.gizmo.visible)
        send(page, click | {"name": name, "instance_index": 3})
        send(page, dragged(shop.gizmo, (1.0, 1.0, 1.0)))
        shop._dragged()  # an update that waited for its turn meanwhile
        send(page, update(shop.paths, value=False))
        wait_until(lambda: shop.paths.value is False)
    assert_allclose(design_frames(editor.model.bodies[2].joint), before, atol=0)


def test_nothing_is_saved_without_permission(tmp_path):
    """Oracle: no panel for it, the words of the status, and an empty folder."""
    shown = Viewer(replace(beads().model, prescribed={}), port=0, folder=tmp_path)
    try:
        labels = [h.label for h in shown.server.gui._gui_input_handle_from_uuid.values()]
        assert "save" not in labels and "file" not in labels
        shown.workshop.body.value = "bead1"
        shown.workshop.save()
        assert "allow_save" in shown.workshop.status.value and list(tmp_path.iterdir()) == []
    finally:
        shown.stop()


def test_saving_never_touches_a_file_that_was_there(editor, tmp_path):
    """Oracle: the bytes of the files that were there; names that lead elsewhere are refused."""
    shop = editor.workshop
    shop.body.value = "bead1"
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "link.toml").symlink_to(tmp_path / "nowhere.toml")
    for name in (
        "pyproject.toml", "link.toml", "../up.toml", "/tmp/absolute.toml", "a/b.toml", "..", "", ".toml", "x.py",
        "a\0b.toml", "a\nb.toml", "x" * 300 + ".toml", "edited.toml ", ".hidden.toml",
    ):  # fmt: skip
        shop.name.value = name
        shop.save()
        assert "saved" not in shop.status.value, name
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.toml", "pyproject.toml"]
    assert (tmp_path / "pyproject.toml").read_text() == "[project]\n"
    for _ in range(2):  # what this viewer wrote it may write again
        shop.name.value = "mine.toml"
        shop.save()
        assert "saved" in shop.status.value
    assert cd.load(tmp_path / "mine.toml").names == editor.model.names
