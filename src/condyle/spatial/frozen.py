"""Values that stay as they were made: their arrays are read-only copies, after pickling and copying too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

import numpy as np


class Frozen:
    """A frozen dataclass whose arrays are read-only; `__post_init__` of the class makes them so, this keeps them so.

    Pickles and copies hold the fields alone: what was computed from them is computed anew.
    """

    __slots__ = ()

    def __getstate__(self) -> dict[str, Any]:
        values = ((field.name, getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]
        return {name: dict(x) if isinstance(x, MappingProxyType) else x for name, x in values}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, sealed(value))

    def _keep(self, **values: Any) -> None:
        """Set fields to read-only copies of values."""
        for name, value in values.items():
            object.__setattr__(self, name, kept(value))


def kept(value: Any) -> Any:
    """A read-only copy of an array, of those in a tuple, or of a dictionary; what is one already is itself."""
    if isinstance(value, tuple):
        parts = tuple(kept(x) for x in value)
        return type(value)(*parts) if hasattr(value, "_fields") else parts
    if isinstance(value, Mapping):
        return MappingProxyType(dict(value))
    if not isinstance(value, np.ndarray) or (value.base is None and not value.flags.writeable):
        return value
    return sealed(np.array(value, order="C"))


def sealed(value: Any) -> Any:
    """The value with all arrays in it made read-only, a dictionary as a view of it; a `Frozen` sees to its own."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, (tuple, list)):
        for x in value:
            sealed(x)
    elif isinstance(value, dict):
        return MappingProxyType(value)
    elif is_dataclass(value) and not isinstance(value, (Frozen, type)):
        for x in vars(value).values():
            sealed(x)
    return value
