"""The curves of a player: all coordinates, energies and activations by name, those of one unit together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dials import DEGREES, TITLES
from ..render_scene import Stage
from .player_numbers import curve


def plots_of(stage: Stage) -> dict[str, dict[str, Any]]:
    """Title → name → curve, for everything there is."""
    found: dict[str, dict[str, np.ndarray]] = {title: {} for title in TITLES.values()}
    for name, values in stage.coordinates.items():
        unit = stage.units[name]
        found[TITLES[unit]][name] = np.degrees(values) if unit == DEGREES else values
    if any(np.any(x) for x in stage.energy.values()):  # bodies may have no mass
        found["energy [J]"] = stage.energy
    found["activation"] = stage.activation
    return {title: {name: curve(x) for name, x in curves.items()} for title, curves in found.items() if curves}
