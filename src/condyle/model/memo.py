"""Functions of a model, or of a skeleton, that are computed once for each: they do not change."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

M = TypeVar("M")
T = TypeVar("T")


def once_per_model(function: Callable[[M], T]) -> Callable[[M], T]:
    """The function, whose results are kept as long as their models are."""
    known: WeakKeyDictionary[M, T] = WeakKeyDictionary()

    @wraps(function)
    def remembered(model: M) -> T:
        if model not in known:
            known[model] = function(model)
        return known[model]

    return remembered
