"""What came out of two bones: the joint, articular surfaces, contact paths and screw axes; said, drawn, in a table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...formats.tables.table_files import Table
from ...joints import ContactPath, Joint, ScrewAxes, Surface
from ...plots import Curve, Panel, draw_chart
from ...typing import PathLike
from ..fit_result import Fit

COLORS = ("#2c6fbb", "#c0392b", "#2e8b57", "#8e6bbf")


@dataclass(frozen=True)
class Compartment:
    """A pair of articular surfaces and where they are nearest as the joint moves.

    Attributes
    ----------
    parent, child : Surface
        Fitted to the parts of the meshes; `error` and `rms` say how well [m].
    path : ContactPath or None
        Where they touch; None without poses.
    """

    parent: Surface
    child: Surface
    path: ContactPath | None


@dataclass(frozen=True)
class BoneJoint:
    """The joint of two bones with all that was found on the way.

    Attributes
    ----------
    joint : Joint
        Pose of the child in the parent.
    fit : Fit or None
        The fit to the poses; None without poses.
    compartments : tuple of Compartment
        The largest first.
    fixed_axode, moving_axode : ScrewAxes or None
        Instantaneous screw axes in the parent and in the child at `q`, of a joint of one coordinate.
    q : ndarray, shape (N, nq)
        Where paths and axes were computed.
    through : str
        What the joint goes through: "poses", or "contact".
    """

    joint: Joint
    fit: Fit | None
    compartments: tuple[Compartment, ...]
    fixed_axode: ScrewAxes | None
    moving_axode: ScrewAxes | None
    q: np.ndarray
    through: str

    def summary(self) -> str:
        """A few lines: surfaces with their errors, gaps, screw axes, and how well the poses are met."""
        lines = [f"joint of {self.joint.nq} coordinates through {self.through}, {len(self.compartments)} compartments"]
        lines += [f"compartment {k + 1}: {_told(c)}" for k, c in enumerate(self.compartments)]
        if self.fixed_axode is not None:
            a = self.fixed_axode
            low, high = np.nanmin(1e3 * a.pitch), np.nanmax(1e3 * a.pitch)
            lines.append(f"screw axis turns by {wander(a):.1f}° over the motion, pitch {low:.2f} … {high:.2f} mm/rad")
        return "\n".join([*lines, *([] if self.fit is None else [self.fit.summary()])])

    def __str__(self) -> str:
        return self.summary()

    def numbers(self) -> dict[str, object]:
        """The figures by name, with units in the names."""
        found: dict[str, object] = {"through": self.through, "compartments": len(self.compartments)}
        for k, c in enumerate(self.compartments, 1):
            for bone, surface in (("parent", c.parent), ("child", c.child)):
                found[f"{bone}_{k}_error_mm"] = 1e3 * surface.error
                found[f"{bone}_{k}_rms_mm"] = 1e3 * surface.rms
            if c.path is not None:
                found[f"gap_{k}_mm"] = [1e3 * float(f(c.path.gap)) for f in (np.nanmin, np.nanmax)]
                found[f"slid_{k}_mm"] = 1e3 * c.path.slid
        return found

    def table(self) -> Table:
        """Coordinates, contact places, gaps and screw axes, a row for each of `q`; NaN beyond the surfaces' edges."""
        names, columns = list(self.joint.coordinates), [*self.q.T]
        for k, c in enumerate(self.compartments, 1):
            if c.path is not None:
                names += [f"{body}_{k}_{x}_m" for body in ("parent", "child") for x in "xyz"] + [f"gap_{k}_m"]
                columns += [*c.path.parent.T, *c.path.child.T, c.path.gap]
        for axes, where in ((self.fixed_axode, "parent"), (self.moving_axode, "child")):
            if axes is not None:
                names += [f"axis_in_{where}_{x}" for x in "xyz"] + [f"axis_point_in_{where}_{x}_m" for x in "xyz"]
                columns += [*axes.direction.T, *axes.point.T]
        return Table(tuple(names), np.stack(columns, axis=1))

    def draw(self, path: PathLike) -> Path:
        """Save a picture of gaps, contact paths on both bones and screw axes over the motion.

        Parameters
        ----------
        path : path
            A .png, .svg or .pdf file.

        Returns
        -------
        Path
        """
        draw_chart(_panels(self), path, size=(16.0, 4.2), dpi=100, light=True)
        return Path(path)


def _told(c: Compartment) -> str:
    """Errors of the surfaces, gaps and sliding, in words."""
    errors = [f"{bone} within {1e3 * s.error:.3f} mm (rms {1e3 * s.rms:.3f})"
              for bone, s in (("parent", c.parent), ("child", c.child))]  # fmt: skip
    words = f"surfaces of {', of '.join(errors)}"
    if c.path is None:
        return words
    low, high, seen = np.nanmin(c.path.gap), np.nanmax(c.path.gap), int(np.isfinite(c.path.gap).sum())
    where = "" if seen == len(c.path.gap) else f" ({seen} of {len(c.path.gap)} places are on both surfaces)"
    return f"{words}; gap {1e3 * low:.3f} … {1e3 * high:.3f} mm{where}"


def wander(axes: ScrewAxes) -> float:
    """The largest angle between two of the axes [deg]."""
    d = axes.direction[np.isfinite(axes.direction).all(axis=1)]
    return float(np.degrees(np.arccos(np.clip(d @ d.T, -1.0, 1.0)).max(initial=0.0)))


def _panels(found: BoneJoint) -> list[Panel]:
    q, name = found.q[:, 0], found.joint.coordinates[0]
    gaps, on_bones, paths = [], [], [c.path for c in found.compartments]
    for k, path in enumerate(paths):
        if path is not None:
            gaps.append(Curve(q, 1e3 * path.gap, f"compartment {k + 1}", ".-", COLORS[k % 4]))
            for points, label, style in ((path.parent, "parent", "-"), (path.child, "child", "--")):
                x, y, z = 1e3 * (points - np.nanmean(points, axis=0)).T
                on_bones.append(Curve(x, y, f"{label} {k + 1}", style, COLORS[k % 4], z=z))
    panels = [Panel("gap between the surfaces", gaps, name, "mm")] if gaps else []
    panels += [Panel("contact paths from their middle [mm]", on_bones, "x", "y", "z")] if on_bones else []
    if found.fixed_axode is not None:
        a = found.fixed_axode
        turn = [Curve(q, a.direction[:, k], "xyz"[k], color=COLORS[k]) for k in range(3)]
        panels += [Panel("screw axis in the parent", turn, name, "direction")]
        panels += [Panel("pitch", [Curve(q, 1e3 * a.pitch)], name, "mm/rad")]
    return panels or [Panel("no motion: the shapes touch", [])]
