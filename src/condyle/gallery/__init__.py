"""Mechanisms worth looking at, as builders: a `Scene` holds a model, its start and what to draw."""

from .beads import beads, flower
from .corner import corner_bend, corner_impulse
from .deforming import deforming_surface
from .elliptic import elliptic
from .globe import coastline, globe
from .knee import knee, leg
from .letters import letters
from .rolling import ball_on_ball, rolling_disc
from .scapula import scapula, scapulothoracic
from .scene import Line, Scene, Sheet
from .toroidal import condyloid, saddle, thumb, wrist

SCENES = {
    "elliptic": elliptic,
    "beads": beads,
    "globe": globe,
    "letters": letters,
    "deforming": deforming_surface,
    "corner": corner_bend,
    "rolling": ball_on_ball,
    "disc": rolling_disc,
    "scapula": scapula,
    "wrist": wrist,
    "thumb": thumb,
}

__all__ = [
    "SCENES",
    "Line",
    "Scene",
    "Sheet",
    "ball_on_ball",
    "beads",
    "coastline",
    "condyloid",
    "corner_bend",
    "corner_impulse",
    "deforming_surface",
    "elliptic",
    "flower",
    "globe",
    "knee",
    "leg",
    "letters",
    "rolling_disc",
    "saddle",
    "scapula",
    "scapulothoracic",
    "thumb",
    "wrist",
]
