"""Models that differ in some of their numbers: one for each member of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import BadShape, CondyleError, shown
from .model import Model
from .parameters import checked_values, with_parameters


class ModelBatch:
    """A model and parameters that vary over a batch (`batch` is its shape); member i is `self.model(i)`."""

    def __init__(self, base: Model, parameters: Mapping[str, Any]) -> None:
        if not isinstance(parameters, Mapping):
            raise BadShape(f"parameters are a mapping of names to arrays; got {shown(parameters)}")
        self.base, self.values = base, {}
        batches = {}
        for name, value in parameters.items():
            _, _, x = checked_values(base, name, value)
            kept = x.ndim - np.ndim(self._one(name, x))
            batches[name], self.values[name] = x.shape[:kept], x
        self.batch = self._together(batches)

    def _one(self, name: str, x: np.ndarray) -> np.ndarray:
        """The numbers of one member, to see how many axes they have."""
        from .parameters import named_entry, shape_of

        parameter, index = named_entry(self.base, name)
        return np.empty(() if index is not None else shape_of(self.base, parameter))

    def _together(self, batches: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
        try:
            return np.broadcast_shapes(*batches.values())
        except ValueError:
            told = ", ".join(f"{name} {shape}" for name, shape in batches.items())
            raise BadShape(f"the batch shapes of parameters do not go together: {told}") from None

    def over(self, batch: tuple[int, ...]) -> ModelBatch:
        """The same with a batch shape that this one broadcasts to."""
        if batch == self.batch:
            return self
        try:
            values = {name: self._spread(name, x, batch) for name, x in self.values.items()}
        except ValueError:
            words = f"parameters of batch shape {self.batch} do not go with states of batch shape {batch}"
            raise BadShape(words) from None
        return ModelBatch(self.base, values)

    def _spread(self, name: str, x: np.ndarray, batch: tuple[int, ...]) -> np.ndarray:
        return np.broadcast_to(x, (*batch, *self._one(name, x).shape))

    @property
    def count(self) -> int:
        """How many members."""
        return int(np.prod(self.batch, dtype=int))

    def model(self, i: int) -> Model:
        """Member i, numbered in the order of the flattened batch; its errors name the member."""
        index = np.unravel_index(i, self.batch) if self.batch else ()
        given = {name: self._spread(name, x, self.batch)[index] for name, x in self.values.items()}
        try:
            return with_parameters(self.base, given)
        except CondyleError as error:
            raise type(error)(f"member {[int(k) for k in index]}: {error}") from None

    def __repr__(self) -> str:
        return f"<ModelBatch: {self.batch}, {', '.join(self.values)} of {self.base!r}>"
