"""All that is wrong with a file, at once: where in the file, what was got, what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..errors import BadFile, CondyleError, shown

SHOWN = 25  # errors of a file
LONG = 100  # letters of a name in an error
Schema = TypeVar("Schema", bound=BaseModel)


class Problems:
    """Collects errors of a file; `check()` raises them together."""

    def __init__(self, file: str, tree: Any) -> None:
        self.file, self.tree = file, tree
        self.found: list[str] = []
        self.more = 0  # that were only counted

    def add(self, path: Sequence[int | str], message: str) -> None:
        """One more error at a place in the file."""
        self.found.append(f"{said_path(self.tree, path)}: {message}")

    @contextmanager
    def at(self, *path: int | str) -> Iterator[None]:
        """Errors of condyle inside become errors at this place of the file."""
        try:
            yield
        except CondyleError as error:
            self.add(path, str(error))

    def validation(self, error: ValidationError, model: type) -> None:
        """Errors of the schema, in condyle's words."""
        items = error.errors(include_url=False)
        for item in items[:SHOWN]:
            self.add(_inside(item["loc"], self.tree), _words(item, model))
        self.more += max(0, len(items) - SHOWN)

    def validated(self, schema: type[Schema]) -> Schema:
        """The file as its schema has it; what does not fit is raised, all of it together."""
        try:
            return schema.model_validate(self.tree)
        except ValidationError as error:
            self.validation(error, schema)
        self.check()
        raise AssertionError("unreachable: check() raises what validation() collected")

    def built(self, make: Callable[[], Any], *path: int | str) -> Any:
        """What make() gives; an error of condyle is raised as one at this place of the file."""
        with self.at(*path):
            return make()
        self.check()
        raise AssertionError("unreachable: check() raises what at() collected")

    def check(self) -> None:
        """Raise what was found, if anything."""
        if not self.found:
            return
        found = list(dict.fromkeys(self.found))
        total = len(found) + self.more
        more = f"\n  … and {total - SHOWN} more" if total > SHOWN else ""
        count = "1 error" if total == 1 else f"{total} errors"
        raise BadFile(f"{self.file}: {count}\n  " + "\n  ".join(found[:SHOWN]) + more)


def _inside(path: Sequence[int | str], tree: Any) -> list[int | str]:
    """The path without the steps that pydantic adds for the kind chosen in a union."""
    out: list[int | str] = []
    here: Any = tree
    for i, step in enumerate(path):
        if (isinstance(here, dict) and step in here) or (isinstance(here, list) and isinstance(step, int)):
            here = _child(here, step)
            out.append(step)
        elif i == len(path) - 1:
            out.append(step)
    return out


def _child(tree: Any, step: int | str) -> Any:
    """What stands at a step, or nothing."""
    try:
        return tree[step]
    except (KeyError, IndexError, TypeError):
        return None


def said_path(tree: Any, path: Sequence[int | str]) -> str:
    """bodies[1] 'shank'.inertia.mass: numbers in brackets, with the name of the item if it has one."""
    said = ""
    for step in path:
        if isinstance(step, int):
            said += f"[{step}]"
        else:
            said += "." * bool(said) + (step if len(step) <= LONG else step[:LONG] + "…")
        tree = _child(tree, step)
        if isinstance(step, int) and isinstance(tree, dict) and isinstance(tree.get("name"), str):
            said += f" {shown(tree['name'], LONG)}"
    return said or "file"


def _words(item: Any, model: type) -> str:
    kind, got = item["type"], item.get("input")
    if kind == "extra_forbidden":
        name = str(item["loc"][-1])
        known = _keys(item, model)
        return f"unknown key here{_elsewhere(name)}" if name in known else f"unknown key{_nearest(name, known)}"
    if kind == "missing":
        return "this key is needed and missing"
    if kind == "union_tag_invalid":
        context = item["ctx"]
        known = [x.strip("' ") for x in context["expected_tags"].split(",")]
        got = shown(context["tag"], LONG) + _nearest(context["tag"], known)
        return f"unknown type {got}; expected one of {', '.join(known)}"
    if kind == "union_tag_not_found":
        return "`type` is needed and missing"
    message = item["msg"].replace("Input should be", "expected").replace("Value error, ", "")
    return message if kind == "array" else f"{message}; got {shown(got, 60)}"


def _keys(item: Any, model: type) -> list[str]:
    """Every key of the schema; the nearest is looked for among all."""
    from .schema import all_keys

    return all_keys(model)


def _elsewhere(name: str) -> str:
    """Where a key belongs that stands in the wrong table, if many people put it there."""
    return "; a joint's own keys stand in its table [joint]" if name in ("type", "joints", "axis", "frames") else ""


def _nearest(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name[:LONG], list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
