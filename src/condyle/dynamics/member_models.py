"""Functions of states for a batch whose members have parameters of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import BadShape, CondyleError
from ..model import Model
from ..model.model_batch import ModelBatch
from ..spatial.arrays import real_numbers

KEPT = {"wrenches": 2}  # axes of one state's numbers; others have one


def spread_over(model: Model, parameters: Mapping[str, Any], q: Any, **others: Any) -> tuple[ModelBatch, np.ndarray]:
    """The members of all batches together, and q (..., nq) broadcast to that."""
    members = ModelBatch(model, parameters)
    x = real_numbers(q, "q")
    given = {name: np.shape(value)[: -KEPT.get(name, 1)] for name, value in others.items() if value is not None}
    try:
        batch = np.broadcast_shapes(members.batch, x.shape[:-1], *given.values())
    except ValueError:
        told = ", ".join(f"{name} {shape}" for name, shape in {"q": x.shape[:-1], **given}.items())
        raise BadShape(f"parameters of batch shape {members.batch} do not go with the states: {told}") from None
    return members.over(batch), np.broadcast_to(x, (*batch, *x.shape[-1:]))


def with_each_model(
    function: Callable, model: Model, parameters: Mapping[str, Any], q: Any, **given: Any
) -> np.ndarray:
    """function(model, q, …) of every member with its own model, stacked; options that are no arrays are passed on."""
    arrays = {name: x for name, x in given.items() if name in ("v", "tau", "a", "wrenches") and x is not None}
    others = {name: x for name, x in given.items() if name not in ("v", "tau", "a", "wrenches")}
    members, q = spread_over(model, parameters, q, **arrays)
    spread = {
        name: np.broadcast_to(x, (*members.batch, *np.shape(x)[-KEPT.get(name, 1) :])) for name, x in arrays.items()
    }
    out = []
    for i, index in enumerate(np.ndindex(members.batch)):
        one = members.model(i)
        try:
            out.append(function(one, q[index], **{name: x[index] for name, x in spread.items()}, **others))
        except CondyleError as error:
            raise type(error)(f"member {list(index)}: {error}" if index else str(error)) from None
    return np.reshape(out, (*members.batch, *np.shape(out[0]))) if out else np.empty((*members.batch, model.nv))
