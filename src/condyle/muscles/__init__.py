"""Muscles: paths over bodies, their lengths and moment arms, and the forces of muscles along them."""

from .path_lengths import lengthening_speeds, lengths, moment_arms, names

__all__ = ["lengthening_speeds", "lengths", "moment_arms", "names"]


def __dir__() -> list[str]:
    return sorted(__all__)
