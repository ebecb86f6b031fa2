"""Mechanisms worth looking at, as builders."""

from .chains import planar_chain, rod, spatial_chain
from .knee import knee, leg

__all__ = ["knee", "leg", "planar_chain", "rod", "spatial_chain"]
