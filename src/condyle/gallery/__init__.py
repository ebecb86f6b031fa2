"""Mechanisms worth looking at, as builders."""

from .chains import planar_chain, rod, spatial_chain
from .knee import knee, knee_poses, leg
from .squatter import squatter, squatter_feet, squatter_stance
from .worm import Step, crawl, landing, regripped, step_once, worm, worm_arc, worm_points, worm_reversed

__all__ = [
    "Step",
    "crawl",
    "knee",
    "knee_poses",
    "landing",
    "leg",
    "planar_chain",
    "regripped",
    "rod",
    "spatial_chain",
    "squatter",
    "squatter_feet",
    "squatter_stance",
    "step_once",
    "worm",
    "worm_arc",
    "worm_points",
    "worm_reversed",
]
