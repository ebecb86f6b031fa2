"""A bead on a wire with a sharp corner, and one on the same wire with a small round bend, side by side.

At the corner an impulse takes the part of the motion that the new side does not allow (`impact`). A bend of small
radius is not an approximation of that. A wire without friction takes no energy however small its bend: a point mass
leaves with all of its speed, and a body with moment I that must turn by θ stops sliding for about θ √(I/m) / v, turns,
and leaves with all of its speed.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...joints import Joint, prismatic, spline_curve
from ...model import ModelBuilder
from ...model.look.overlays import Sheet
from ...model.look.shapes import sphere
from ...simulation import Trajectory
from ...spatial import SE3, Inertia
from ..outlines import UPRIGHT
from ..scene import PALETTE, Scene, path_of, wire_sheet
from .impact import Impact, bent_wire, through_corner

BEAD = 0.045  # [m] radius
SEEN = 1.6  # times as large are beads drawn
WIRE, NORMAL = 0.012, (0.0, 1.0, 0.0)  # [m] radius, and across the plane of a wire
APART = 0.3  # [m] from wire to wire
START = 0.8  # [m] before the corner
REACH = 0.95  # [m] of the wires as drawn, to each side


def sharp(angle: float = 0.7, slope: float = 0.35) -> Joint:
    """A straight wire in the xz plane that falls by `slope` and at the origin bends up by `angle` [rad]."""
    return bent_wire(_straight(-slope), _straight(angle - slope))


def _straight(heading: float) -> Joint:
    """A straight wire in the xz plane that rises by `heading`."""
    return prismatic((np.cos(heading), 0.0, np.sin(heading)))


def rounded(angle: float, radius: float, slope: float, reach: float = 1.0, order: int = 4) -> Joint:
    """Straight, then an arc of small radius, then straight; x along the wire, q about the distance [m] to its middle.

    Control frames are `radius` · angle / 6 apart in the bend and are spread on the straight parts.
    """
    step = radius * angle / 6.0
    straight = np.concatenate([[0.0], np.cumsum(step * 1.35 ** np.arange(60))])
    straight = straight[: np.searchsorted(straight, reach) + 1]
    at = np.concatenate([-straight[::-1] - 3.5 * step, step * np.arange(-3, 4), straight + 3.5 * step])
    heading = angle * np.clip(at / (6.0 * step) + 0.5, 0.0, 1.0) - slope
    steps = np.diff(at)
    middle = 0.5 * (heading[1:] + heading[:-1])
    places = np.concatenate([[[0.0, 0.0]], np.cumsum(steps * np.array([np.cos(middle), np.sin(middle)]), axis=1).T])
    frames = np.array([_frame(h, p) for h, p in zip(heading, places - places[np.argmin(abs(at))], strict=True)])
    outer = at[0] - steps[0] * np.arange(order - 1, 0, -1), at[-1] + steps[-1] * np.arange(1, order)
    knots = np.concatenate([outer[0], at, outer[1]])[order // 2 - 1 :][: len(frames) + order]
    return spline_curve(frames, knots, order=order, name="along")


def _frame(heading: float, place: np.ndarray) -> np.ndarray:
    c, s = np.cos(heading), np.sin(heading)
    return np.array([[c, -s, 0, place[0]], [s, c, 0, place[1]], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def corner_bend(
    angle: float = 0.7, radius: float = 0.05, mass: float = 0.5, slope: float = 0.35, order: int = 6
) -> Scene:
    """A bead [kg] on the wire with a round bend [m]: it turns with the wire and keeps its energy."""
    wire, b = rounded(angle, radius, slope, reach=3.0, order=order), ModelBuilder()
    _add_bead(b, "round", wire, mass, UPRIGHT, PALETTE[1])
    drawn = (_drawn(wire, UPRIGHT),)
    return Scene("corner", b.build(), np.array([-START]), np.zeros(1), (), drawn, duration=1.2, step=2e-4)


def corners(
    angle: float = 0.7, radius: float = 0.05, mass: float = 0.5, slope: float = 0.35, duration: float = 4.0
) -> tuple[Scene, Trajectory, tuple[Impact, ...]]:
    """Beads let go together on a wire with a corner and on one with a bend: the scene, its motion and its impacts."""
    b, wires = ModelBuilder(), (sharp(angle, slope), rounded(angle, radius, slope, reach=3.0, order=6))
    places = SE3.from_translation((0.0, -0.5 * APART, 0.0)).as_matrix(), UPRIGHT @ _shifted(0.5 * APART)
    for k, (name, wire, place) in enumerate(zip(("sharp", "round"), wires, places, strict=True)):
        _add_bead(b, name, wire, mass, place, PALETTE[k])
    model = b.build()
    drawn = (wire_sheet(None, _polyline(angle, slope), NORMAL, WIRE, PALETTE[0]), _drawn(wires[1], places[1]))
    q = np.array([-START, 0.0, -START])
    scene = Scene("corner", model, q, np.zeros(3), (), drawn, duration=duration, step=2e-4)
    run, impacts = through_corner(model, "sharp", q, duration=duration, step=scene.step)
    return scene, _thinned(run, 25), impacts


def _shifted(away: float) -> np.ndarray:
    """A shift along the normal of the upright plane, away from the viewer [m]."""
    return SE3.from_translation((0.0, 0.0, -away)).as_matrix()


def _add_bead(b: ModelBuilder, name: str, wire: Joint, mass: float, place, color) -> None:
    """A ball with a knob on top that shows how it turns."""
    up = np.asarray(place)[:3, :3].T @ (0.0, 0.0, SEEN * BEAD)
    look = (sphere(SEEN * BEAD, color=color), sphere(0.3 * SEEN * BEAD, SE3.from_translation(up)))
    b.add_body(name, joint=wire, inertia=Inertia.sphere(mass, BEAD), placement=place, shapes=look)


def _polyline(angle: float, slope: float) -> np.ndarray:
    """The wire with the corner as drawn."""
    ends = [(-np.cos(slope), np.sin(slope)), (0.0, 0.0), (np.cos(angle - slope), np.sin(angle - slope))]
    return np.array([(REACH * x, -0.5 * APART, REACH * z) for x, z in ends])


def _drawn(wire: Joint, place) -> Sheet:
    """The part of the wire that is passed."""
    path = path_of(wire, 4000, placement=place)
    return wire_sheet(None, path[np.linalg.norm(path[:, [0, 2]], axis=1) < REACH], NORMAL, WIRE, PALETTE[1])


def _thinned(run: Trajectory, every: int) -> Trajectory:
    """Every so many records."""
    return Trajectory(run.model, run.t[::every], run.q[::every], run.v[::every], run.stopped)


def corner_scene() -> Scene:
    """Both beads, what the corner takes at each pass, and what is lost beside that."""
    scene, motion, impacts = corners()
    lines = [f"t = {x.time:.4f} s: the corner takes {x.lost:.4f} J." for x in impacts]
    left = motion.energy().total[-1] - motion.energy().total[0] + sum(x.lost for x in impacts)
    lines.append(f"The bend takes nothing: what both lost beside that is {left:.1e} J.")
    seen = {"camera": (16, -72), "moments": (0.45, 1.2, 2.0)}
    return replace(scene, motion=lambda: motion, words=lambda run: "\n".join(lines), **seen)


def passes(count: int, angle: float = 0.7, slope: float = 0.35) -> np.ndarray:
    """Times [s] of the passes and speeds [m/s] before them, by hand: g sin(slope) along it, v cos(angle) after it."""
    pull = 9.81 * np.sin(slope)
    speeds = np.sqrt(2.0 * pull * START) * np.cos(angle) ** np.arange(count)
    times = speeds[0] / pull + np.concatenate([[0.0], 2.0 * np.cumsum(speeds[1:]) / pull])
    return np.stack([times, speeds], axis=1)


def check() -> None:
    """The closed form of the passes; the energy that both beads lose is what the corner takes."""
    _, motion, impacts = corners(duration=2.0)
    found = [(x.time, abs(x.arriving[:2]).max()) for x in impacts]
    assert abs(found - passes(len(impacts))).max() < 1e-12
    energy = motion.energy().total
    assert abs(energy[0] - energy[-1] - sum(x.lost for x in impacts)) < 1e-4
