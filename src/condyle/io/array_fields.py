"""Arrays in a file: short ones as lists, long ones stored apart and `{ array = … }` in their place."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import numpy as np
from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

INLINE = 200  # more numbers than this are stored apart
LARGEST = 1e50  # products of a few numbers stay finite; no mass, length or angle is larger
WIDTH = 116  # letters of a line of base64


class Missing:
    """An array that was referred to and not found; validation turns it into an error at its place in the file."""

    def __init__(self, why: str) -> None:
        self.why = why


Found = Mapping[str, np.ndarray | Missing] | str  # arrays by their names, or why there are none


def put_aside(tree: Any) -> tuple[Any, dict[str, np.ndarray]]:
    """The tree with lists for short arrays and references for long ones, and the long ones; equal arrays once."""
    arrays: dict[str, np.ndarray] = {}
    keys: dict[tuple, str] = {}

    def walk(x: Any) -> Any:
        if isinstance(x, dict):
            return {k: walk(v) for k, v in x.items()}
        if isinstance(x, (list, tuple)):
            return [walk(v) for v in x]
        if not isinstance(x, np.ndarray):
            return x
        if 0 < x.size <= INLINE:
            return x.tolist()
        key = keys.setdefault((x.shape, x.tobytes()), f"a{len(keys)}")
        arrays[key] = x
        return {"array": key}

    return walk(tree), arrays


def put_back(tree: Any, stored: Found, side_file: Callable[[str], Found]) -> Any:
    """The tree with every reference replaced by its array.

    `stored` are the arrays of the file itself, `{ array = … }`; `side_file(name)` gives those of a file beside it,
    `{ npz = …, key = … }`, where versions before this one kept them.
    """
    if isinstance(tree, dict):
        if set(tree) == {"array"} and isinstance(tree["array"], str):
            return _looked_up(stored, tree["array"], "this file")
        if set(tree) == {"npz", "key"} and all(isinstance(v, str) for v in tree.values()):
            return _looked_up(side_file(tree["npz"]), tree["key"], "the side file")
        return {k: put_back(v, stored, side_file) for k, v in tree.items()}
    return [put_back(v, stored, side_file) for v in tree] if isinstance(tree, list) else tree


def _looked_up(arrays: Found, key: str, where: str) -> np.ndarray | Missing:
    if isinstance(arrays, str):
        return Missing(arrays)
    return arrays[key] if key in arrays else Missing(f"{where} has no array {key!r}")


def array_text(name: str, array: np.ndarray) -> str:
    """An array as a table of a TOML file: its shape, and its numbers as 64-bit little-endian floats in base64."""
    data = base64.b64encode(np.ascontiguousarray(array, dtype="<f8").tobytes()).decode()
    lines = "\n".join(data[k : k + WIDTH] for k in range(0, len(data), WIDTH))
    return f"\n[arrays.{name}]\nshape = {list(array.shape)}\nfloat64 = '''\n{lines}'''\n"


def stored_arrays(table: Any) -> dict[str, np.ndarray | Missing]:
    """The arrays of the table `arrays` of a file."""
    return {name: _decoded(entry) for name, entry in table.items()} if isinstance(table, dict) else {}


def _decoded(entry: Any) -> np.ndarray | Missing:
    if not isinstance(entry, dict) or set(entry) != {"shape", "float64"}:
        return Missing("a stored array has a `shape` and its numbers as `float64`")
    shape, text = entry["shape"], entry["float64"]
    whole = isinstance(shape, list) and all(type(n) is int and 0 <= n < 2**40 for n in shape)
    if not whole or len(shape) > 32 or not isinstance(text, str):
        return Missing("the shape of a stored array is a list of whole numbers, its float64 a text in base64")
    try:
        data = base64.b64decode(text.replace("\n", ""), validate=True)
    except (binascii.Error, ValueError):
        return Missing("its float64 is not a text in base64")
    if len(data) != 8 * math.prod(shape):
        return Missing(f"its shape {shape} needs {math.prod(shape)} numbers of 8 bytes, it has {len(data)} bytes")
    return np.frombuffer(data, dtype="<f8").reshape(shape)


def _as_array(value: Any) -> np.ndarray:
    """Finite numbers in any number of dimensions."""
    if isinstance(value, Missing):
        raise PydanticCustomError("array", "{why}", {"why": value.why})
    try:
        array = np.asarray(value)
        good = array.dtype.kind in "fiu"
        array = np.array(array, dtype=np.float64, order="C") if good else array
    except (ValueError, OverflowError, TypeError):
        good, array = False, np.zeros(0)
    if not good:
        raise PydanticCustomError("array", "expected numbers in (nested) lists of equal lengths")
    if not (np.abs(array) <= LARGEST).all():  # NaN fails too
        raise PydanticCustomError("array", "expected finite numbers of at most 1e50")
    return array


def _table(**texts: str) -> dict[str, Any]:
    """The JSON schema of a table with these texts."""
    fields = {name: {"type": "string", "description": about} for name, about in texts.items()}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


_WAYS = {
    "anyOf": [
        {"type": "array", "description": "numbers, in nested lists for several dimensions"},
        _table(array="name of an array of the table `arrays`"),
        _table(npz="name of a file beside this one", key="name of its array"),
    ]
}
_STORED = _table(float64="its numbers, 64-bit little-endian, in base64")
_STORED["properties"]["shape"] = {"type": "array", "items": {"type": "integer"}}
_STORED["required"].append("shape")
Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Array = Annotated[np.ndarray, PlainValidator(_as_array), WithJsonSchema(_WAYS)]
Stored = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "additionalProperties": _STORED})]
