"""Functions of a model that are computed once for each model: models do not change."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from .model import Model

T = TypeVar("T")


def once_per_model(function: Callable[[Model], T]) -> Callable[[Model], T]:
    """The function, whose results are kept as long as their models are."""
    known: WeakKeyDictionary[Model, T] = WeakKeyDictionary()

    @wraps(function)
    def remembered(model: Model) -> T:
        if model not in known:
            known[model] = function(model)
        return known[model]

    return remembered
