"""The reference: `names` lists a module's public names with their docstrings, `kernels` its inner functions.

Docstrings are plain text with names in backticks; here they become reStructuredText, and names become links.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from importlib import import_module

from docutils import nodes
from docutils.statemachine import StringList
from equations import theory_line
from public import GROUPS, full_names, homes, module_at, shown
from sphinx.addnodes import pending_xref_condition
from sphinx.util.docutils import SphinxDirective


def as_restructured(line: str, own: Iterable[str] = ()) -> str:
    """Escape what would be markup by accident (|x|, s*, q_) outside backticks; link names but for a function's own."""
    parts = re.split(r"(`[^`]+`)", line)
    return "".join(linked(part[1:-1], own) if part[:1] == "`" else escaped(part) for part in parts)


def linked(name: str, own: Iterable[str]) -> str:
    """A link if the reference has the name and it is not a parameter here, else code."""
    short = name.removeprefix("cd.").removesuffix("()")
    target = None if short in own else full_names().get(short)
    return f":py:obj:`{name} <{target}>`" if target else f"``{name}``"


def parameters(thing) -> set[str]:
    """Names of a function's or a class's parameters."""
    try:
        return set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return set()


def escaped(text: str) -> str:
    """Backslashes before *, | and a trailing _."""
    return re.sub(r"[*|]|(?<=[\w)])_(?!\w)", r"\\\g<0>", text.replace("\\", "\\\\"))


def process(app, what, name, obj, options, lines) -> None:
    """autodoc's hook, before napoleon's: a docstring's plain text as reStructuredText."""
    own = parameters(obj)
    lines[:] = [as_restructured(line, own) for line in lines]


def add_theory(app, what, name, obj, options, lines) -> None:
    """autodoc's hook, after napoleon's: where the theory is, below all sections."""
    lines += theory_line(name)


def skip(app, what, name, obj, skipped, options):
    """Fields of named tuples have no words but Python's own; the class says what they are."""
    return True if (getattr(obj, "__doc__", None) or "").startswith("Alias for field number") else None


def inner_type(app, env, node, text):
    """A type in a signature that the reference does not have is shown without a link; other lost links are errors."""
    if any(isinstance(child, pending_xref_condition) for child in node.children):
        return nodes.Text(node["reftarget"].rpartition(".")[2])
    return None


def inner_functions(path: str) -> list:
    """The functions of a module, those behind its kernels too, in the order of the source."""
    plain = [getattr(thing, "py_func", thing) for thing in vars(import_module(path)).values()]
    own = [f for f in plain if inspect.isfunction(f) and f.__module__ == path and f.__doc__ and f.__name__[0] != "_"]
    return sorted(own, key=lambda f: f.__code__.co_firstlineno)


def table(path: str, names: list[str]) -> list[str]:
    """An overview, each name with the first sentence of its docstring."""
    return [".. autosummary::", "", *(f"   ~{path}.{name}" for name in names if callable_at(path, name)), ""]


def callable_at(path: str, name: str) -> bool:
    """Whether a name is a class or a function."""
    return callable(getattr(module_at(path), name))


def in_parts(thing: type) -> bool:
    """Whether a class is put together from classes of its own package, which have no entries of their own."""
    package = thing.__module__.rpartition(".")[0]
    return any(base.__module__.startswith(f"{package}.") and id(base) not in homes() for base in thing.__mro__[1:])


def entry(path: str, name: str) -> list[str]:
    """autodoc's directive for one name; a constant has no docstring, so its value or its keys are shown."""
    thing = getattr(module_at(path), name)
    if inspect.isclass(thing):
        return [f".. autoclass:: {path}.{name}", *(["   :inherited-members:"] if in_parts(thing) else []), ""]
    if callable_at(path, name):
        return [f".. autofunction:: {path}.{name}", ""]
    value = "keys " + ", ".join(map(repr, thing)) if isinstance(thing, dict) else repr(thing)
    return [f".. py:data:: {name}", "", f"   A {type(thing).__name__}: {as_restructured(value)}", ""]


def about(function) -> list[str]:
    """The lines of a docstring before its sections: those of public functions stand where these are public."""
    lines = inspect.getdoc(function).splitlines()
    rules = [k for k, line in enumerate(lines) if line and not line.strip("-")]
    return lines[: rules[0] - 1] if rules else lines


def kernel_entry(function) -> list[str]:
    """One function with signature and docstring."""
    body = [as_restructured(line) for line in about(function)]
    body += theory_line(f"{function.__module__}.{function.__name__}")
    return [f".. py:function:: {function.__name__}{inspect.signature(function)}", "", *(f"   {x}" for x in body), ""]


class Lines(SphinxDirective):
    """A directive that writes reStructuredText."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        self.state.nested_parse(StringList(self.lines(self.arguments[0]), "reference"), 0, node)
        return node.children

    def lines(self, path: str) -> list[str]:
        raise NotImplementedError


class Names(Lines):
    def lines(self, path: str) -> list[str]:
        names = shown(path)
        groups = GROUPS if path == "condyle" else {"": names}
        tables = [
            x
            for title, inside in groups.items()
            for x in [f".. rubric:: {title}" if title else "", "", *table(path, inside)]
        ]
        context = [f".. py:currentmodule:: {path}", ""]  # where types in signatures are looked for
        return [*tables, *context, *(line for name in names for line in entry(path, name))]


class Kernels(Lines):
    def lines(self, path: str) -> list[str]:
        about = [as_restructured(line) for line in inspect.getdoc(import_module(path)).splitlines()]
        entries = [line for function in inner_functions(path) for line in kernel_entry(function)]
        return [f".. py:module:: {path}", "", *about, "", *entries]


def setup(app) -> dict:
    app.connect("autodoc-process-docstring", process, priority=400)  # napoleon is 500
    app.connect("autodoc-process-docstring", add_theory, priority=600)
    app.connect("autodoc-skip-member", skip)
    app.connect("missing-reference", inner_type)
    app.add_directive("names", Names)
    app.add_directive("kernels", Kernels)
    return {"parallel_read_safe": True}
