"""A viser server that only its own page on this machine can use.

viser binds to all addresses, accepts pages of any origin, and opens a public tunnel for any client that asks. It has no
setting for this, so `websockets.serve` is replaced while viser starts: the server gets our socket, our check of every
request, and connections that drop every message but those of `page_messages`. Whether this took effect is tried before
anything is shown.
"""

from __future__ import annotations

import asyncio
import functools
import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import msgspec
import viser
import websockets.asyncio.server as websockets
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from ...errors import BadValue, NotSupported, UnsafeViewer, require
from .access import HOST, Access
from .page_messages import NEEDS, acceptable

CLIENTS = 32  # connections at the same time
LARGEST = 65_536  # bytes of a message of the page
AT_ONCE = 4096  # messages to the page in one piece: a posture with many muscles must not arrive in parts
PATIENCE = 60.0  # [s] for the trial of a server on a busy machine
_starting = threading.Lock()


class _Server(viser.ViserServer):
    """A viser server that is never shared."""

    def request_share_url(self, verbose: bool = True) -> str | None:
        """Refused."""
        raise NotSupported("a viewer is not shared: its scene would leave this machine")


class _Guard:
    """Checks the requests and messages of one server."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self.server: Any = None  # all messages are refused before there is one
        self.refused = threading.Event()  # set once a message was refused

    def lets_through(self, data: bytes | str) -> bool:
        """Whether the server may see a message."""
        good = self.server is not None and acceptable(data, self.server)
        if not good:
            self.refused.set()
        return good

    def answer(self, connection: Any, request: Any, inner: Any) -> Any:
        """The answer to a request, or None where a WebSocket may be opened; `inner` is viser's own."""
        why = self.access.refusal(request.path, request.headers)
        if why is not None:
            response = connection.respond(403, f"{why}\n")
        elif len(connection.server.connections) >= CLIENTS:
            response = connection.respond(503, f"This viewer has {CLIENTS} clients already.\n")
        else:
            response = inner(connection, replace(request, path=self.access.inner_path(request.path)))
        if response is not None:
            for name, value in self.access.headers.items():
                response.headers[name] = value
        return response

    def connection_class(self) -> type[websockets.ServerConnection]:
        """Connections whose messages are looked at before viser gets them."""
        guard = self

        class Connection(websockets.ServerConnection):
            async def recv(self, decode: bool | None = None) -> Any:
                while True:
                    data = await super().recv(decode)
                    if guard.lets_through(data):
                        return data
                    await asyncio.sleep(0)  # a stream of refused messages must not keep the others waiting

            def send_data(self) -> None:
                pieces = self.protocol.writes
                whole, end = b"".join(pieces), [b""] if b"" in pieces else []  # an empty piece at the end closes
                # in one piece: asyncio complains of each one that comes after a connection is lost
                self.protocol.writes = [] if self.transport.is_closing() else [whole] * bool(whole) + end
                super().send_data()

            def recv_streaming(self, decode: bool | None = None) -> Any:
                raise NotSupported("parts of messages cannot be looked at")

        return Connection


def loopback_server(port: int) -> tuple[Any, Access]:
    """Start a viser server on 127.0.0.1 and return it with the rules of its access.

    Parameters
    ----------
    port : int
        The port to listen on; 0 chooses a free one.

    Raises
    ------
    BadValue
        If the port is in use.
    UnsafeViewer
        If this version of viser cannot be guarded.
    """
    listening = _bound(port)
    guard = _Guard(Access(listening.getsockname()[1]))
    with _starting:
        server = _started(listening, guard)
    try:
        _require_guarded(server, guard)
    except BaseException:
        server.stop()
        raise
    return server, guard.access


@contextmanager
def quiet() -> Iterator[None]:
    """Without what viser prints: an address that lacks the token, and that a server ended."""
    import rich

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before


def _bound(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except (OSError, OverflowError):
        raise BadValue(f"port {port} of {HOST} is in use or not allowed; choose another with port=") from None


def _started(listening: socket.socket, guard: _Guard) -> Any:
    """A viser server whose call of `websockets.serve` is made with our socket, checks and connections."""
    plain = websockets.serve

    def serve(handler: Any, *place: Any, process_request: Any = None, **options: Any) -> Any:
        options = {k: v for k, v in options.items() if k not in ("host", "port")} | {"max_size": LARGEST}
        answer = functools.partial(guard.answer, inner=process_request)
        made = guard.connection_class()
        return plain(handler, sock=listening, process_request=answer, create_connection=made, **options)

    websockets.serve = serve  # type: ignore[assignment]
    try:
        with quiet():
            server = _Server(host=HOST, port=guard.access.port, label="condyle", verbose=False)
    finally:
        websockets.serve = plain
    server._websock_server.get_message_buffer().max_window_size = AT_ONCE
    guard.server = server
    return server


def _require_guarded(server: Any, guard: _Guard) -> None:
    """Try the server as strangers would: it must refuse them, open for its page, and drop what the page never sends."""
    missing = [
        f"{part}.{name}" for part, names in NEEDS.items() for name in names if not hasattr(getattr(server, part), name)
    ]
    _require_safe(not missing, f"it has no {', '.join(missing)}")
    access = guard.access
    good = {"Host": access.hosts[0], "Origin": access.origins[0]}
    strangers = [
        ("/", good),
        (f"/{access.token}/", good | {"Host": "example.org"}),
        (f"/{access.token}/", good | {"Origin": "http://example.org"}),
    ]
    for path, headers in strangers:
        status = _status(access.port, path, headers)
        _require_safe(
            status == 403, f"it answered {status} to a request with {path.replace(access.token, '…')}, {headers}"
        )
    _require_safe(_drops_messages(guard), "messages reach it that were not looked at")


def _require_safe(good: bool, why: str) -> None:
    words = f"viser {viser.__version__} cannot be guarded: {why}; install a version that condyle was tried with: "
    require(good, words + "pip install 'condyle[view]'", UnsafeViewer)


def _status(port: int, path: str, headers: dict[str, str]) -> int:
    """The status of the answer to a request for a WebSocket."""
    upgrade = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
    try:
        connection.request("GET", path, headers=upgrade | headers)
        return connection.getresponse().status
    finally:
        connection.close()


def _drops_messages(guard: _Guard) -> bool:
    """Whether a request to share the scene is refused on the way to the server."""
    access, protocol = guard.access, f"viser-v{viser.__version__}"
    address, origin = access.address.replace("http", "ws", 1), access.origins[0]
    options: dict[str, Any] = {"origin": origin, "subprotocols": [protocol], "open_timeout": PATIENCE}
    try:
        straight = socket.create_connection((HOST, access.port), timeout=PATIENCE)  # not by way of a proxy
        with connect(address, sock=straight, **options) as page:
            page.send(msgspec.msgpack.encode({"type": "ShareUrlRequest"}))
            return guard.refused.wait(PATIENCE)
    except (OSError, WebSocketException):
        return False
