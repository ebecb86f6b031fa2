"""Arrays in a file: short ones as lists, long ones in a side file and `{ npz = …, key = … }` in their place."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

__all__ = ["INLINE", "LARGEST", "Array", "Number", "put_aside", "put_back"]

INLINE = 200  # more numbers than this go to the side file
LARGEST = 1e50  # products of a few numbers stay finite; no mass, length or angle is larger


def put_aside(tree: Any, npz: str) -> tuple[Any, dict[str, np.ndarray]]:
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
        return {"npz": npz, "key": key}

    return walk(tree), arrays


def put_back(tree: Any, read) -> Any:
    """The tree with every reference replaced by its array; `read(npz)` gives the arrays of a side file."""
    if isinstance(tree, dict):
        if set(tree) == {"npz", "key"} and all(isinstance(v, str) for v in tree.values()):
            return _stored(read(tree["npz"]), tree["key"])
        return {k: put_back(v, read) for k, v in tree.items()}
    return [put_back(v, read) for v in tree] if isinstance(tree, list) else tree


def _stored(arrays: dict[str, np.ndarray] | str, key: str) -> Any:
    """The array, or a `Missing` that validation turns into an error at its place in the file."""
    if isinstance(arrays, str):
        return Missing(arrays)
    return arrays[key] if key in arrays else Missing(f"the side file has no array {key!r}")


class Missing:
    """An array that was referred to and not found."""

    def __init__(self, why: str) -> None:
        self.why = why


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


_NESTED = {
    "anyOf": [
        {"type": "array", "description": "numbers, in nested lists for several dimensions"},
        {
            "type": "object",
            "properties": {"npz": {"type": "string"}, "key": {"type": "string"}},
            "required": ["npz", "key"],
            "additionalProperties": False,
        },
    ]
}
Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Array = Annotated[np.ndarray, PlainValidator(_as_array), WithJsonSchema(_NESTED)]
