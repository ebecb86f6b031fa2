"""Mechanisms worth looking at, as builders."""

from .knee import knee, knee_poses, leg

__all__ = ["knee", "knee_poses", "leg"]
