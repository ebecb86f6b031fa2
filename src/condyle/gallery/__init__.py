"""Mechanisms worth looking at, as builders: a `Scene` holds a model, its start and what to draw."""

from .beads import beads, flower
from .deforming import deforming_surface
from .elliptic import elliptic
from .globe import coastline, globe
from .knee import knee, leg
from .letters import letters
from .scene import Line, Scene, Sheet

SCENES = {
    "elliptic": elliptic,
    "beads": beads,
    "globe": globe,
    "letters": letters,
    "deforming": deforming_surface,
}

__all__ = [
    "SCENES",
    "Line",
    "Scene",
    "Sheet",
    "beads",
    "coastline",
    "deforming_surface",
    "elliptic",
    "flower",
    "globe",
    "knee",
    "leg",
    "letters",
]
