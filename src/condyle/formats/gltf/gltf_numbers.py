"""The numbers of a glTF document: buffers of the file itself, of its text or of files beside it, read as arrays."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from ...errors import BadFile, CondyleError, require
from ..bounds import MESH
from ..meshes.gltf_claims import COMPONENTS, glb_chunks, gltf_tree
from ..safe_files import Neighbors, read_bytes

STORED = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
FLOAT = 5126
PACKED = "EXT_meshopt_compression"
LARGEST = 1e12  # of numbers: beyond, transforms have no digits left


def require_bounded(x: np.ndarray, said: str) -> None:
    """Refuse numbers that are not finite or too large to compute with."""
    with np.errstate(invalid="ignore"):
        require(bool((np.abs(x) <= LARGEST).all()), f"{said}: numbers must be finite and below {LARGEST:g}", BadFile)


class GltfNumbers:
    """A document, checked, and the arrays that its accessors describe."""

    def __init__(self, path: Path) -> None:
        data, name = read_bytes(path, MESH), str(path)
        chunks = glb_chunks(data, name) if data[:4] == b"glTF" else [data]
        self.name, self.tree = name, gltf_tree(chunks[0], name)
        self.binary, self.near = (chunks[1] if len(chunks) > 1 else None), Neighbors(path, MESH)
        self.buffers: dict[int, bytes] = {}

    def entry(self, kind: str, index: Any) -> dict[str, Any]:
        """The entry of a list of the document that another one names by its number."""
        some = self.tree.get(kind, [])
        known = type(index) is int and 0 <= index < len(some)
        require(known, f"{self.name}: it has no {kind}[{index!r}]; there are {len(some)}", BadFile)
        return some[index]

    def array(self, index: Any, kind: str, what: str) -> np.ndarray:
        """The numbers (count, components) of an accessor that must be of this type; normalised ones from −1 to 1."""
        accessor = self.entry("accessors", index)
        said = f"{self.name}: {what}"
        require(accessor["type"] == kind, f"{said}: expected an array of {kind}", BadFile, got=accessor["type"])
        require("sparse" not in accessor and "bufferView" in accessor, f"{said}: sparse arrays are not read", BadFile)
        view = self.entry("bufferViews", accessor["bufferView"])
        require(PACKED not in view.get("extensions", {}), f"{said}: packed by {PACKED}, which is not read", BadFile)
        numbers = self._strided(accessor, view, np.dtype(STORED[accessor["componentType"]]), COMPONENTS[kind])
        with np.errstate(invalid="ignore"):
            numbers = numbers.astype(float)
        require_bounded(numbers, said)
        if accessor["componentType"] == FLOAT or not accessor.get("normalized"):
            return numbers
        return np.maximum(numbers / np.iinfo(STORED[accessor["componentType"]]).max, -1.0)

    def _strided(self, accessor: dict[str, Any], view: dict[str, Any], dtype: np.dtype, width: int) -> np.ndarray:
        """The items of an accessor where they are in its buffer; that they lie within it was checked."""
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        strides = (view.get("byteStride", width * dtype.itemsize), dtype.itemsize)
        require(start >= 0, f"{self.name}: an array begins before its buffer", BadFile)
        return np.ndarray((accessor["count"], width), dtype, self._buffer(view["buffer"]), start, strides)

    def _buffer(self, index: Any) -> bytes:
        """The bytes of a buffer, as many as it claims."""
        if index not in self.buffers:
            buffer = self.entry("buffers", index)
            data, claimed = self._content(buffer, index), buffer["byteLength"]
            words = f"{self.name}: buffer {index} claims {claimed} bytes, there are {len(data)}"
            require(claimed <= len(data), words, BadFile)
            self.buffers[index] = data
        return self.buffers[index]

    def _content(self, buffer: dict[str, Any], index: int) -> bytes:
        address = buffer.get("uri")
        said = f"{self.name}: buffer {index}"
        if address is None:
            require(self.binary is not None and index == 0, f"{said} has no bytes: there is no chunk for it", BadFile)
            return self.binary or b""
        try:
            if address.startswith("data:"):
                return base64.b64decode(address.partition(",")[2], validate=True)
            return self.near.get(unquote(address))
        except binascii.Error:
            raise BadFile(f"{said}: its text is not base64") from None
        except CondyleError as error:
            raise BadFile(f"{said}: {error}") from None
