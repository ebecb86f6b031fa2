"""Mechanisms worth looking at, as builders."""

from .knee import knee, leg

__all__ = ["knee", "leg"]
