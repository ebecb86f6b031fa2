"""An arm as plain numbers and back, for files."""

from __future__ import annotations

from dataclasses import asdict

from ..errors import BadValue, require
from ..splines.bezier.bezier_surface import BezierSurface
from ..splines.bezier.domain_complex import domain_complex
from .arm import Arm
from .arm_limits import Lengths, Limits
from .fit.arm_fit import FitReport
from .measured_region import MeasuredRegion

KEYS = ("degree", "vertices", "triangles", "control", "lengths", "extent", "flexion", "wrist", "level")


def arm_as_dict(arm: Arm) -> dict:
    """Lists and numbers that hold everything of an arm; `report` is None if it was not fitted here.

    Parameters
    ----------
    arm : Arm

    Returns
    -------
    dict
    """
    complex = arm.surface.complex
    return {
        "degree": complex.degree,
        "vertices": complex.vertices.tolist(),
        "triangles": complex.triangles.tolist(),
        "control": arm.surface.control.tolist(),
        "lengths": [float(x) for x in arm.lengths],
        "extent": arm.extent,
        "flexion": [float(x) for x in arm.limits.flexion],
        "wrist": [[float(x) for x in pair] for pair in arm.limits.wrist],
        "level": arm.level,
        "side": arm.side,
        "weights": [float(x) for x in arm.limits.weights],
        "region": None if arm.region is None else _region_as_dict(arm.region),
        "report": None if arm.report is None else asdict(arm.report),
    }


def arm_from_dict(stored: dict) -> Arm:
    """The arm that `arm_as_dict` stored.

    Parameters
    ----------
    stored : dict
        What `arm_as_dict` gave.

    Returns
    -------
    Arm

    Raises
    ------
    BadValue
        If something is missing.
    """
    missing = [key for key in KEYS if key not in stored]
    require(not missing, f"a stored arm needs {', '.join(missing)}", BadValue)
    complex = domain_complex(stored["vertices"], stored["triangles"], stored["degree"])
    low, high = stored["flexion"]
    weights = tuple(stored.get("weights") or Limits.weights)
    limits = Limits((low, high), tuple((a, b) for a, b in stored["wrist"]), weights)
    surface = BezierSurface(complex, stored["control"])
    report = None if stored.get("report") is None else FitReport(**stored["report"])
    region = None if stored.get("region") is None else MeasuredRegion(**stored["region"])
    links, side = Lengths(*stored["lengths"]), stored.get("side", "right")
    return Arm(surface, links, stored["extent"], limits, report, stored["level"], region, side)


def _region_as_dict(region: MeasuredRegion) -> dict:
    return {
        "spacing": region.spacing,
        "places": region.places.tolist(),
        "triangles": region.triangles.tolist(),
    }
