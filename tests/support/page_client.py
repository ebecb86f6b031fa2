"""A stand-in for the page of a live viewer: requests and WebSocket messages without a browser."""

import http.client
from contextlib import contextmanager
from urllib.parse import urlsplit

import msgspec
import viser
from websockets.sync.client import connect

CAMERA = {
    "type": "ViewerCameraMessage", "wxyz": [1, 0, 0, 0], "position": [0, 0, -3], "fov": 1.2, "near": 0.01, "far": 100,
    "image_height": 700, "image_width": 1000, "look_at": [0, 0, 0], "up_direction": [0, 0, 1],
}  # fmt: skip
UPGRADE = {
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": f"viser-v{viser.__version__}",
}  # fmt: skip


def origin(viewer):
    """The origin of the viewer's page."""
    place = urlsplit(viewer.address)
    return f"{place.scheme}://{place.netloc}"


def answer(viewer, path=None, websocket=False, **headers):
    """The answer (status, headers) to a request; without a path to the page itself. A header of None is not sent."""
    place = urlsplit(viewer.address)
    sent = {"Host": place.netloc} | (UPGRADE | {"Origin": origin(viewer)} if websocket else {}) | headers
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    try:
        connection.putrequest("GET", path or place.path, skip_host=True)
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        found = connection.getresponse()
        return found.status, dict(found.getheaders())
    finally:
        connection.close()


@contextmanager
def client(viewer):
    """An open WebSocket of the page."""
    options = {"subprotocols": [f"viser-v{viser.__version__}"], "open_timeout": 60, "close_timeout": 60}
    address = viewer.address.replace("http", "ws", 1)
    with connect(address, origin=origin(viewer), proxy=None, max_size=None, max_queue=None, **options) as socket:
        yield socket


def send(socket, message):
    """Send a message as the page encodes it."""
    socket.send(msgspec.msgpack.encode(message))


def update(handle, **updates):
    """The message of a panel that was used."""
    return {"type": "GuiUpdateMessage", "uuid": handle._impl.uuid, "updates": updates}


def dragged(handle, position, wxyz=(1.0, 0.0, 0.0, 0.0)):
    """The message of a handle that was dragged."""
    return {
        "type": "TransformControlsUpdateMessage", "name": handle.name, "wxyz": wxyz, "position": position, "owner": "",
    }  # fmt: skip
