"""A crawling worm as one motion: its steps change base, so a player needs a worm whose rear may be anywhere."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...control import replay
from ...joints import compose, prismatic, universal
from ...model import Model, ModelBuilder
from ...model.overlays import Line
from ...plots import Curve, Panel, sticks
from ...simulation import Trajectory
from ...spatial import SE3
from ..chains import rod
from ..scene import Scene, cross, directed_scene
from .worm import LENGTH, MASS, Step, crawl, segment_look, worm_angles, worm_points, worm_reversed

LANE = 0.02  # [m] between worms side by side
STRIDES = {"long_stride": (0.034, 0.046), "short_stride": (0.034, 0.042)}  # [m] between the ends, arched and stretched


def crawlers(names, segments: int = 10) -> Model:
    """Worms side by side; each one's rear end is free to be anywhere, its segments turn as in `worm`."""
    b, turns, inertia = ModelBuilder(), universal("z", "y"), rod(MASS, LENGTH, radius=0.2)
    slides = [prismatic(axis, name=axis) for axis in "xyz"]
    for lane, name in enumerate(names):
        for i in range(segments):
            at = (LENGTH, 0.0, 0.0) if i else (0.0, -LANE * lane, 0.0)
            b.add_body(
                f"{name}_s{i + 1}",
                parent=f"{name}_s{i}" if i else None,
                joint=turns if i else compose(*slides, turns),
                inertia=inertia,
                placement=SE3.from_translation(at),
                shapes=segment_look(i),
            )
    return b.build()


def crawling(crawls: Mapping[str, list[Step]]) -> Trajectory:
    """One motion of several crawls that take their steps at the same times."""
    steps = next(iter(crawls.values()))
    ends = np.cumsum([0.0, *(step.motion.t[-1] for step in steps)])
    t = np.concatenate([[0.0], *(step.motion.t[1:] + end for step, end in zip(steps, ends, strict=False))])
    model = crawlers(crawls, len(steps[0].points[0]) - 1)
    q = np.concatenate([_coordinates(run) for run in crawls.values()], axis=1)
    return Trajectory(model, t, q, np.gradient(q, t, axis=0))


def _coordinates(steps: list[Step]) -> np.ndarray:
    """(T, 3 + 2 segments): where the rear is, then the turns."""
    whole = [step.points[:, :: -1 if k % 2 else 1] for k, step in enumerate(steps)]  # from rear to front
    points = np.concatenate([whole[0][:1], *(x[1:] for x in whole)])
    return np.concatenate([points[:, 0], np.unwrap(worm_angles(points), axis=0)], axis=1)


def race(cycles: int = 3, *, goal=(0.2, 0.0, 0.0), step: float = 0.02) -> dict[str, list[Step]]:
    """Worms from the same start towards the same line, told apart by their strides."""
    return {name: crawl(cycles=cycles, goal=goal, chords=chords, step=step) for name, chords in STRIDES.items()}


def replayed(steps: list[Step], feedback: float = 40.0, step: float = 5e-3, **options) -> list[np.ndarray]:
    """How far each point was from the directed one (T, points) [m] when torques with feedback drive the worm.

    Each step begins in the pose that the last one ended in, gripped by its other end. `options` go to `replay`.
    """
    off, q = [], steps[0].motion.q[0]
    for part in steps:
        t = part.motion.t
        q = q + 2 * np.pi * np.round((part.motion.q[0] - q) / (2 * np.pi))  # the same turns
        back = replay(
            part.model, part.torques, q=q, held=part.held, feedback=feedback, step=step, record=0.05, **options
        )
        points = worm_points(part.model, back.trajectory.q)
        off.append(np.linalg.norm(points - part.points[np.searchsorted(t, back.trajectory.t - 1e-9)], axis=-1))
        q = worm_reversed(points[-1], back.trajectory.q[-1])[1]
    return off


def front_of(steps: list[Step]) -> np.ndarray:
    """The front's x after each cycle [m]."""
    return np.array([step.points[0, 0, 0] for step in steps[1::2]])


def inchworm_scene() -> Scene:
    """A worm crawls round a bend: half cycles one under the other from the side, and all of them from above."""
    goal = np.array([0.05, 0.06, 0.0])
    steps = crawl(cycles=6, goal=goal, step=0.01)
    gripping, sliding = _strayed(steps)
    words = f"{len(steps) // 2} cycles; gripping end moved {gripping:.1e} m, sliding end {sliding:.1e} m off the ground"
    side, above = [], []
    for k, step in enumerate(steps):
        if k < 4:
            points = 1e3 * step.points - [0.0, 0.0, 20.0 * k]
            ground = Curve([points[..., 0].min(), points[..., 0].max()], [-20.0 * k] * 2, color="k", width=0.5)
            side += [*sticks(points, (0, 2), 5), ground]
        above.append(Curve(*1e3 * step.points[-1].T[:2], style="-o", size=2.5, color=f"C{k % 2}"))
    panels = [
        Panel("four half cycles, from the side", side, "x [mm]", equal=True, heights=False),
        Panel("after each half cycle, from above", above, "x [mm]", "y [mm]", equal=True),
    ]
    drawn = cross(goal, 0.006)
    return directed_scene("inchworm", crawling({"worm": steps}), words, panels, drawn)


def _strayed(steps: list[Step]) -> tuple[float, float]:
    """How far the gripping end moved at most, and the sliding end from the ground [m]."""
    gripping = max(np.abs(step.points[:, 0] - step.points[0, 0]).max() for step in steps)
    return gripping, max(np.abs(step.points[:, -1, 2]).max() for step in steps if step.held is not None)


def race_scene() -> Scene:
    """Two worms with different strides: where each is after each half cycle."""
    runs, line, worms = race(4), 0.075, []
    words = "\n".join(f"{name:13s} front at {1e3 * front_of(x)[-1]:.0f} mm" for name, x in runs.items())
    for k, (name, steps) in enumerate(runs.items()):
        label = f"{name.replace('_', ' ')}: {1e3 * front_of(steps)[-1]:.0f} mm"
        for j, step in enumerate(steps):
            x, z = 1e3 * step.points[-1].T[[0, 2]]
            worms.append(Curve(x, z - 20.0 * k, None if j else label, color=f"C{k}"))
    panel = Panel("the race: the same number of cycles", worms, "x [mm]", equal=True, heights=False)
    goal = Line(None, np.array([[line, 0.02, 0.0], [line, -0.04, 0.0]]))
    return directed_scene("inchworm-race", crawling(runs), words, [panel], (goal,))


def check() -> None:
    """Each cycle advances by the stride; gripping ends stay; torques replayed with feedback follow to 1 mm."""
    short, long = STRIDES["long_stride"]
    steps = crawl(cycles=2, chords=(short, long), step=5e-3)
    assert np.allclose(np.diff(front_of(steps)), long - short, atol=1e-6)
    assert max(_strayed(steps)) < 1e-9
    assert max(x.max() for x in replayed(steps)) < 1e-3
    racers = race(2)
    assert front_of(racers["long_stride"])[-1] > front_of(racers["short_stride"])[-1]
