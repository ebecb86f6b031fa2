"""Names of a joint's coordinates: which are allowed, and which say nothing about the joint."""

from __future__ import annotations

import re

from ..errors import BadValue, require

__all__ = ["check_names", "is_default_name"]

# what constructors call coordinates that nobody named; `compose` numbers those that occur again: angle, angle_2
_DEFAULT = re.compile(r"(angle|distance|rotation|pose|first|second|x|y|q\d*)(_\d+)?")


def check_names(names: tuple[str, ...]) -> None:
    """Coordinate names are distinct non-empty strings without a dot, which joins joint and coordinate."""
    good = all(isinstance(n, str) and n and "." not in n for n in names)
    require(good, "coordinate names must be non-empty strings without a dot", BadValue, names=names)
    require(len(set(names)) == len(names), "coordinate names must differ", BadValue, names=names)


def is_default_name(name: str) -> bool:
    """Whether a constructor gives a coordinate this name by itself, so that it does not tell one joint from another."""
    return _DEFAULT.fullmatch(name) is not None
