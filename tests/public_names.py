"""Walks through everything public: functions, classes, methods, with the sections of their docstrings."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from public import MODULES, public

HEADING = re.compile(r"^(Parameters|Attributes|Returns|Yields|Raises|Examples)\n-{3,}\n", re.MULTILINE)


class Public(NamedTuple):
    """A function, class or method as a user writes it."""

    name: str
    thing: Any
    bound: bool = False  # a method: its first parameter is not given by the caller

    def __str__(self) -> str:
        return self.name


def sections(thing: object) -> dict[str, str]:
    """Heading → text of a docstring's sections."""
    parts = HEADING.split((inspect.getdoc(thing) or "") + "\n")
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def public_things() -> Iterator[Public]:
    """Every public class and function once, under the first module that has it."""
    seen: set[int] = set()
    for path in MODULES:
        for name, thing in public(path).items():
            if callable(thing) and id(thing) not in seen:
                seen.add(id(thing))
                yield Public(f"{path}.{name}", thing)


def public_classes() -> list[Public]:
    return [found for found in public_things() if inspect.isclass(found.thing)]


def public_functions() -> list[Public]:
    """Functions, and the public methods of classes that condyle itself defines."""
    plain = [found for found in public_things() if inspect.isroutine(found.thing)]
    return plain + [method for found in public_classes() for method in methods(found)]


def own_members(cls: type) -> dict[str, Any]:
    """Public members by name, those of condyle's base classes too; the nearest definition wins."""
    found: dict[str, Any] = {}
    for base in cls.__mro__:
        if base.__module__.startswith("condyle"):
            found |= {name: m for name, m in vars(base).items() if name[0] != "_" and name not in found}
    return found


def methods(found: Public) -> list[Public]:
    """Methods, class methods and static methods of a class."""
    plain = {n: (getattr(m, "__func__", m), m) for n, m in own_members(found.thing).items()}
    return [
        Public(f"{found.name}.{name}", function, not isinstance(member, staticmethod))
        for name, (function, member) in plain.items()
        if inspect.isfunction(function)
    ]


def properties(found: Public) -> list[Public]:
    """Properties of a class, each with the attribute itself, whose docstring may be inherited."""
    kinds = (property, cached_property)
    return [Public(f"{found.name}.{n}", m) for n, m in own_members(found.thing).items() if isinstance(m, kinds)]


def parameters(found: Public) -> list[inspect.Parameter]:
    """Those that a caller gives."""
    return list(inspect.signature(found.thing).parameters.values())[found.bound :]


def documented(section: str) -> set[str]:
    """The names at the beginning of the entries of a section: 'low, high : float' names two."""
    heads = re.findall(r"^([*\w][^\n:]*?)(?: ?: .*)?$", section, re.MULTILINE)
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


def raises(function: Callable) -> bool:
    """Whether its own lines raise: a raise statement, or a call of `require`."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))
    calls = (n.func for n in ast.walk(tree) if isinstance(n, ast.Call))
    required = any(isinstance(f, ast.Name) and f.id == "require" for f in calls)
    return required or any(isinstance(n, ast.Raise) for n in ast.walk(tree))
