"""Attributes of MJCF's elements, with the defaults of their class, as numbers; it is noted which were asked for."""

from __future__ import annotations

import math
from xml.etree.ElementTree import Element

from ...errors import BadFile, require

MAIN = "main"
ACTUATORS = ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion",
             "dcmotor", "plugin")  # fmt: skip
EQUALITIES = ("connect", "weld", "joint", "tendon", "flex", "flexvert", "flexstrain")
LARGEST = 1e50  # of a number
PARTLY = ("size", "polycoef")  # of which an element may give the first numbers, and its class the others


class Attributes:
    """The attributes of an element, over those of its class."""

    def __init__(self, tag: str, values: dict[str, str], name: str, line: int, asked: set[tuple[str, str]]) -> None:
        self.tag, self.values, self.asked = tag, values, asked
        self.where = f"{name}, line {line}: <{tag}{' ' + repr(values['name']) if values.get('name') else ''}>"

    def text(self, key: str, default: str = "") -> str:
        """An attribute as written."""
        self.asked.add((self.tag, key))
        return self.values.get(key, default)

    def has(self, key: str) -> bool:
        """Whether it is given."""
        return bool(self.text(key).strip())

    def numbers(self, key: str, least: int, most: int | None = None, default=None) -> tuple[float, ...]:
        """Finite numbers, from `least` to `most`; `default` where the attribute is missing."""
        text = self.text(key)
        if not text.strip() and default is not None:
            return tuple(default)
        try:
            values = tuple(float(w) for w in text.split())
        except ValueError:
            values = (math.nan,)
        most = least if most is None else most
        good = least <= len(values) <= most and all(abs(x) <= LARGEST for x in values)
        count = str(least) if least == most else f"{least} to {most}"
        require(good, f"{self.where}: {key} must be {count} finite number{'s' * (count != '1')}", BadFile, got=text)
        return values

    def number(self, key: str, default: float | None = None) -> float:
        """One finite number."""
        return self.numbers(key, 1, default=None if default is None else (default,))[0]

    def word(self, key: str, known: tuple[str, ...], default: str) -> str:
        """One of several words."""
        value = self.text(key, default)
        require(value in known, f"{self.where}: {key} is one of {', '.join(known)}", BadFile, got=value)
        return value

    def switch(self, key: str, default: bool = False) -> bool:
        """Whether it says true."""
        return self.word(key, ("true", "false", "auto"), "true" if default else "false") == "true"


class Classes:
    """Default classes: what the elements of each tag have where they do not say it themselves."""

    def __init__(self, name: str, asked: set[tuple[str, str]]) -> None:
        self.name, self.asked = name, asked
        self.tables: dict[str, dict[str, dict[str, str]]] = {MAIN: {}}

    def read(self, element: Element, outer: str | None = None) -> None:
        """Take in a <default> and those inside it; the outermost is `main`."""
        own = element.get("class") or MAIN
        if own not in self.tables:
            self.tables[own] = {tag: dict(values) for tag, values in self.tables[outer or MAIN].items()}
        for child in element:
            if child.tag != "default":
                key = defaults_key(str(child.tag))
                self.tables[own][key] = merged(self.tables[own].get(key, {}), child.attrib)
        for child in element:
            if child.tag == "default":
                require(child.get("class"), f"{self.name}: a <default> inside another needs a class", BadFile)
                self.read(child, own)

    def of(self, element: Element, tag: str, inherited: str | None = None) -> Attributes:
        """The attributes of an element: its own, then those of its class or of the class that bodies hand down."""
        chosen = element.get("class") or inherited or MAIN
        known = f"{self.name}, line {line_of(element)}: <{element.tag}>: there is no default class {chosen!r}"
        require(chosen in self.tables, known, BadFile)
        values = merged(self.tables[chosen].get(tag, {}), element.attrib)
        return Attributes(str(element.tag), values, self.name, line_of(element), self.asked)

    def plain(self, element: Element) -> Attributes:
        """The attributes of an element that has no class."""
        return Attributes(str(element.tag), dict(element.attrib), self.name, line_of(element), self.asked)


def line_of(element: Element) -> int:
    """The line of the file in which an element begins."""
    return getattr(element, "line", 0)


def defaults_key(tag: str) -> str:
    """Under which tag classes keep what they say of a tag: all actuators share one."""
    return "general" if tag in ACTUATORS else tag


def merged(outer: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """Attributes over those of a class; of some the first numbers only."""
    values = {**outer, **own}
    for key in PARTLY:
        if key in outer and key in own:
            values[key] = " ".join([*own[key].split(), *outer[key].split()[len(own[key].split()) :]])
    return values
