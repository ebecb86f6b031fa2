"""Who may talk to a live viewer."""

import gc
import socket
import struct
from collections import Counter
from contextlib import ExitStack

import pytest

pytest.importorskip("viser")

import viser
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidStatus

import condyle as cd
from condyle.errors import BadValue, NotSupported, UnsafeViewer
from condyle.gallery import leg
from condyle.view.live import loopback_server
from condyle.view.live.model_viewer import Viewer
from support.browser import wait_until
from support.page_client import CAMERA, answer, client, origin, send, update


@pytest.fixture(scope="module")
def viewer():
    shown = Viewer(leg(), port=0)
    yield shown
    shown.stop()


def test_its_own_page_is_let_in_and_only_this_machine_listens(viewer):
    """Oracle: the HTTP status; the address of the listening socket."""
    assert answer(viewer)[0] == 200 and answer(viewer, websocket=True)[0] == 101
    local = origin(viewer).replace("127.0.0.1", "localhost")
    assert answer(viewer, websocket=True, Host=local.removeprefix("http://"), Origin=local)[0] == 101
    with pytest.raises(OSError):  # 127.0.0.2 is this machine by another address, which 0.0.0.0 would include
        socket.create_connection(("127.0.0.2", viewer.server.get_port()), timeout=5)


@pytest.mark.parametrize("bad", ["http://evil.example", "null", "http://127.0.0.1:1", "", None])
def test_pages_of_others_are_refused(viewer, bad):
    """Oracle: the HTTP status of the WebSocket handshake."""
    assert answer(viewer, websocket=True, Origin=bad)[0] == 403


@pytest.mark.parametrize("websocket", [True, False])
@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1:1", "", None])
def test_other_names_of_this_machine_are_refused(viewer, host, websocket):
    """Oracle: the HTTP status. A stranger's name that resolves to 127.0.0.1 gives the page of a stranger its origin."""
    assert answer(viewer, websocket=websocket, Host=host)[0] == 403


@pytest.mark.parametrize("websocket", [True, False])
def test_nothing_is_answered_without_the_token(viewer, websocket):
    """Oracle: the HTTP status for no, a wrong, a cut and a lengthened token."""
    token = viewer.address.split("/")[3]
    assert len(token) >= 32
    for path in ("/", "/index.html", "/x/", f"/{token[:-1]}/", f"/{token}x/", f"/?{token}", f"/x/{token}/", "/%C3%A9/"):
        assert answer(viewer, path, websocket=websocket)[0] == 403, path
    assert answer(viewer, f"/{token}/../../__init__.py")[0] == 404


def test_two_viewers_have_two_tokens(viewer):
    """Oracle: the addresses; the token of one opens nothing at the other."""
    other = Viewer(leg(), port=0)
    try:
        assert answer(other, "/" + viewer.address.split("/", 3)[3])[0] == 403
    finally:
        other.stop()


def test_the_page_cannot_be_framed_nor_load_anything(viewer):
    """Oracle: the headers, by the words of the CSP specification."""
    for path in (None, "/"):
        headers = answer(viewer, path)[1]
        policy = headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy and "default-src 'none'" in policy and "unsafe-eval';" not in policy
        assert headers["X-Frame-Options"] == "DENY" and headers["Referrer-Policy"] == "no-referrer"


def test_a_port_in_use_is_named(viewer):
    """Oracle: the class and the number."""
    port = viewer.server.get_port()
    with pytest.raises(BadValue, match=rf"\b{port}\b"):
        cd.view(leg(), port=port, block=False)


def unguarded(listening, guard):
    """A server as viser starts it."""
    port = listening.getsockname()[1]
    listening.close()
    with loopback_server.quiet():
        guard.server = viser.ViserServer(host="127.0.0.1", port=port, verbose=False)
    return guard.server


def connection_class(guard):
    """Connections whose messages nobody looks at."""
    return ServerConnection


@pytest.mark.parametrize(
    ("where", "what"),
    [
        (loopback_server, {"_started": unguarded}),
        (loopback_server._Guard, {"connection_class": connection_class}),
        (loopback_server, {"NEEDS": {"gui": ("a_name_that_viser_gave_up",)}}),
    ],
)
def test_a_viser_that_cannot_be_guarded_is_not_started(monkeypatch, where, what):
    """Oracle: the error; nothing listens afterwards."""
    for name, value in what.items():
        monkeypatch.setattr(where, name, value)
    monkeypatch.setattr(loopback_server, "PATIENCE", 2.0)
    monkeypatch.setattr(viser.ViserServer, "request_share_url", lambda self, verbose=True: None)
    with pytest.raises(UnsafeViewer, match=rf"viser {viser.__version__}"):
        Viewer(leg(), port=0)


def test_a_scene_is_never_shared(viewer):
    """Oracle: viser's own method, which would connect to a server on the internet."""
    with pytest.raises(NotSupported):
        viewer.server.request_share_url()
    with client(viewer) as page:
        send(page, CAMERA)
        send(page, {"type": "ShareUrlRequest"})
        send(page, update(viewer.sliders.handles["hip"], value=0.25))
        wait_until(lambda: viewer.q[0] == 0.25)
    assert viewer.server._share_tunnel is None


def counted():
    """How many objects there are of each class of viser and websockets, and how many tasks."""
    gc.collect()
    ours = ("viser", "websockets", "condyle.view", "_asyncio")
    return Counter(type(x).__qualname__ for x in gc.get_objects() if str(type(x).__module__).startswith(ours))


def visit(viewer, times):
    """Connect as often, each time until the viewer knows the client, and leave."""
    for _ in range(times):
        with client(viewer) as page:
            send(page, CAMERA)
            wait_until(viewer.server.get_clients)
        wait_until(lambda: not viewer.server.get_clients() and not viewer.server._websock_server._live_connections)


@pytest.mark.slow
def test_fifty_reconnects_leave_nothing_behind(viewer):
    """Oracle: the interpreter's own count of objects, after ten and after sixty visits."""
    visit(viewer, 10)
    before = counted()
    assert before["_Server"] >= 1
    visit(viewer, 50)
    assert counted() - before == Counter()


def test_many_clients_are_served_and_too_many_refused(viewer):
    """Oracle: all that are let in see the same slider move; the next one is refused with 503, and then let in."""
    with ExitStack() as stack:
        pages = [stack.enter_context(client(viewer)) for _ in range(loopback_server.CLIENTS)]
        for page in pages:
            send(page, CAMERA)
        wait_until(lambda: len(viewer.server.get_clients()) == loopback_server.CLIENTS)
        with pytest.raises(InvalidStatus, match="503"), client(viewer):
            pass
        for k, page in enumerate(pages):
            send(page, update(viewer.sliders.handles["hip"], value=0.01 * (k + 1)))
            wait_until(lambda k=k: viewer.q[0] == pytest.approx(0.01 * (k + 1)))
    wait_until(lambda: not viewer.server._websock_server._live_connections)
    visit(viewer, 1)


def test_a_lost_connection_gets_no_more_data(viewer, caplog):
    """Oracle: asyncio's log, which names every piece that is written to a lost connection; the page is still served."""
    for _ in range(5):
        with client(viewer) as lost:
            lost.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # the end is a reset
            lost.socket.sendall(30_000 * bytes([0x89, 0x80, 0, 0, 0, 0]))  # pings, each of which is to be answered
            lost.socket.close()
    wait_until(lambda: not viewer.server._websock_server._live_connections)
    assert not [x for x in caplog.records if x.name == "asyncio" and "socket.send" in x.getMessage()]
    assert answer(viewer)[0] == 200
