"""Models with muscles in the functions of bodies: handed on to `condyle.muscles`, or told that muscles are idle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from weakref import WeakKeyDictionary

from ..errors import BadValue, IdleMuscles, NotSupported, require, warn
from ..model import Model
from ..model.validate_model import require_model
from ..offers import offered

SHARES = (
    "their share is still in these forces; take it off by cd.muscles.elastic_forces (ligaments and springs) or "
    "cd.muscles.static_optimization (muscles)"
)
TOGETHER = "the torques are what they and motors must give together"
SLOPES = "cd.linearize has their slopes, if it is given an activation"

_told: WeakKeyDictionary[Model, set[str]] = WeakKeyDictionary()  # functions that have spoken of a model's muscles


def muscle_function(name: str, model: Model, told: Mapping[str, object], **refused: object) -> Callable | None:
    """The function of `condyle.muscles` for a call that says what muscles do; None if it does not, with a warning.

    `told` are the arguments for muscles, of which the first decides; `refused` those that it cannot have beside them.
    """
    require_model(model)
    (control, value), *others = told.items()
    if value is None:
        stray = next((key for key, x in others if x is not None), "")
        require(not stray, f"{name}: {stray} is for muscles that act; give {control}=, too", BadValue)
        warn_of_idle_muscles(name, model, f"give {control}= for their forces")
        return None
    for key, x in refused.items():
        words = f"{name}: {key} does not go with {control}; leave it out, or simulate model.without_muscles()"
        require(x is None or x is False, words, NotSupported)
    return getattr(offered("muscles"), name)


def warn_of_idle_muscles(name: str, model: Model, remedy: str) -> None:
    """Say that muscles, ligaments and springs along paths do not act in a call."""
    if idle := idle_muscles(model):
        warn(f"{name}: {idle} here: {remedy}, or model.without_muscles() if that is meant", IdleMuscles)


def warn_once_of_idle_muscles(name: str, model: Model, remedy: str) -> None:
    """As `warn_of_idle_muscles`, but each function speaks once of a model: for functions that are called in loops."""
    if _first_time(name, model):
        warn_of_idle_muscles(name, model, remedy)


def _first_time(name: str, model: Model) -> bool:
    """Whether a function has not spoken of a model's muscles yet; from now on it has."""
    said = _told.setdefault(model, set())
    new = name not in said
    said.add(name)
    return new


def idle_muscles(model: Model) -> str:
    """That muscles, ligaments and springs along paths of a model do not act, in words; empty if there are none."""
    pulling = [m.name for m in model.muscles if m.law != "path"]
    if not pulling:
        return ""
    first = f"{pulling[0]!r}" + (f" and {len(pulling) - 1} more" if len(pulling) > 1 else "")
    what, verb = (f"muscle or spring along a path ({first})", "does") if len(pulling) == 1 else (
        f"muscles and springs along paths ({first})", "do")  # fmt: skip
    return f"{len(pulling)} {what} {verb} not act"


def acting(name: str, model: Model, told: Mapping[str, object], **refused: object) -> Callable | None:
    """As `muscle_function`, but a model is warned of once only: for functions that are called in loops."""
    require_model(model)
    if not _first_time(name, model) and all(x is None for x in told.values()):
        return None
    return muscle_function(name, model, told, **refused)
