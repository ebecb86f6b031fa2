"""Mechanisms worth looking at, as builders: a `Scene` holds a model, its start and what to draw."""

from .beads import beads, flower
from .deforming import deforming_surface
from .elliptic import elliptic
from .globe import coastline, globe
from .knee import knee, leg
from .letters import letters
from .scene import Line, Scene, Sheet

SCENES = {"deforming": deforming_surface, "elliptic": elliptic, "beads": beads, "globe": globe, "letters": letters}

__all__ = [
    "SCENES",
    "Line",
    "Scene",
    "Sheet",
    "beads",
    "coastline",
    "elliptic",
    "flower",
    "globe",
    "knee",
    "leg",
    "letters",
]
