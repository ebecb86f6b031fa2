"""What the page of a live viewer may send: the messages that the panels need, with plausible contents.

Everything else is refused: requests to share the scene over the internet, uploads, other properties of a panel than its
value, values out of range, names that no longer exist, and bytes that are no message.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
import viser

FARTHEST = 1e6  # [m] of a handle that is dragged
LONGEST = 200  # letters of a text
NEEDS = {  # where viser keeps what a message can name
    "gui": ("_gui_input_handle_from_uuid",),
    "scene": ("_handle_from_transform_controls_name", "_handle_from_node_name"),
}

Pair = tuple[float, float]
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


class _Message(msgspec.Struct, tag_field="type", tag=str, forbid_unknown_fields=True):
    """A message by the name of its class, as viser names them."""

    def known(self, server: Any) -> bool:
        """Whether it is about something that is there, and possible."""
        raise NotImplementedError


class ViewerCameraMessage(_Message):
    """Where the browser looks from."""

    wxyz: Quaternion
    position: Vector
    fov: float
    near: float
    far: float
    image_height: float
    image_width: float
    look_at: Vector
    up_direction: Vector

    def known(self, server: Any) -> bool:
        """Always."""
        return True


class GuiUpdateMessage(_Message):
    """A slider, box, list, number, text or button of a panel was used."""

    uuid: str
    updates: dict[str, bool | float | str]

    def known(self, server: Any) -> bool:
        """Only the value of a panel that can be seen and used."""
        handle = server.gui._gui_input_handle_from_uuid.get(self.uuid)
        if handle is None or set(self.updates) != {"value"} or not handle.visible or handle.disabled:
            return False
        return _possible(handle, self.updates["value"])


class _ControlMessage(_Message):
    """About a handle in the scene."""

    name: str
    owner: str = ""

    def known(self, server: Any) -> bool:
        """Only a handle that can be seen."""
        handle = server.scene._handle_from_transform_controls_name.get(self.name)
        return self.owner == "" and handle is not None and handle.visible


class TransformControlsDragStartMessage(_ControlMessage):
    """A handle is taken."""


class TransformControlsDragEndMessage(_ControlMessage):
    """A handle is let go."""


class TransformControlsUpdateMessage(_ControlMessage, kw_only=True):
    """A handle is dragged."""

    wxyz: Quaternion
    position: Vector

    def known(self, server: Any) -> bool:
        """A rotation, and a place that is not beyond reason."""
        turned, near = abs(math.hypot(*self.wxyz) - 1.0) < 1e-3, max(map(abs, self.position)) <= FARTHEST
        return turned and near and super().known(server)


class SceneNodeClickMessage(_Message):
    """Something in the scene was clicked."""

    name: str
    instance_index: int | None
    ray_origin: Vector
    ray_direction: Vector
    screen_pos: Pair
    modifier: str | None
    owner: str = ""

    def known(self, server: Any) -> bool:
        """Only something that is there."""
        return self.owner == "" and self.name in server.scene._handle_from_node_name


_decoder = msgspec.msgpack.Decoder(
    ViewerCameraMessage
    | GuiUpdateMessage
    | TransformControlsDragStartMessage
    | TransformControlsDragEndMessage
    | TransformControlsUpdateMessage
    | SceneNodeClickMessage
)


def acceptable(data: bytes | str, server: Any) -> bool:
    """Whether a viser server may see these bytes of a WebSocket."""
    try:
        message = _decoder.decode(data) if isinstance(data, bytes) else None
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return False
    return message is not None and _finite(msgspec.to_builtins(message)) and message.known(server)


def _finite(value: Any) -> bool:
    """Whether no number inside is NaN or infinite."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple | list):
        return all(map(_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def _possible(handle: Any, value: bool | float | str) -> bool:
    """Whether a panel can have a value."""
    if isinstance(handle, viser.GuiCheckboxHandle | viser.GuiButtonHandle):
        return isinstance(value, bool)
    if isinstance(handle, viser.GuiSliderHandle | viser.GuiNumberHandle):
        low, high = -math.inf if handle.min is None else handle.min, math.inf if handle.max is None else handle.max
        return isinstance(value, float | int) and not isinstance(value, bool) and low <= value <= high
    if isinstance(handle, viser.GuiDropdownHandle):
        return value in handle.options
    return isinstance(handle, viser.GuiTextHandle) and isinstance(value, str) and len(value) <= LONGEST
