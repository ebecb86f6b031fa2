"""A viser server that only this machine can reach, and only from its own pages."""

from __future__ import annotations

import functools
import socket
import threading

from ..errors import BadValue, require

__all__ = ["local_server"]

HOST = "127.0.0.1"
_patching = threading.Lock()


def local_server(port: int):
    """A ViserServer on 127.0.0.1 that answers 403 to WebSockets of other origins (viser itself accepts any)."""
    import viser
    import websockets.asyncio.server as websockets

    require(not _in_use(port), f"port {port} of {HOST} is in use; choose another with port=", BadValue)
    origins = [f"http://{name}:{port}" for name in (HOST, "localhost")]
    with _patching:
        plain = websockets.serve
        websockets.serve = functools.partial(plain, origins=origins)  # type: ignore[assignment]
        try:
            server = viser.ViserServer(host=HOST, port=port, label="condyle", verbose=False)
        finally:
            websockets.serve = plain
    return server


def _in_use(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return True
    return False
