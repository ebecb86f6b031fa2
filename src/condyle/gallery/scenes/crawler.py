"""A crawling worm as one motion: its steps change base, so a player needs a worm whose rear may be anywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from ...control import replay
from ...dynamics import forward_kinematics, rerooted_state
from ...joints import free, universal
from ...model import Model, ModelBuilder
from ...model.look.overlays import Line
from ...plots import Curve, Panel, curves
from ...simulation import Trajectory
from ...spatial import SE3
from ..chains import rod
from ..scene import Scene, cross, directed_scene
from .worm import LENGTH, MASS, Step, crawl, regripped, segment_look

LANE = 0.02  # [m] between worms side by side
STRIDES = {"long_stride": (0.034, 0.046), "short_stride": (0.034, 0.042)}  # [m] between the ends, arched and stretched


def crawlers(names, segments: int = 10) -> Model:
    """Worms side by side; each one's rear segment is free to be anywhere, the others turn as in `worm`."""
    b, turns, inertia = ModelBuilder(), universal("z", "y"), rod(MASS, LENGTH, radius=0.2)
    for lane, name in enumerate(names):
        for i in range(segments):
            at = (LENGTH, 0.0, 0.0) if i else (0.0, -LANE * lane, 0.0)
            b.add_body(
                f"{name}_s{i + 1}",
                parent=f"{name}_s{i}" if i else None,
                joint=turns if i else free(),
                inertia=inertia,
                placement=SE3.from_translation(at),
                shapes=segment_look(i, lane),
            )
    return b.build()


def crawling(crawls: Mapping[str, list[Step]]) -> Trajectory:
    """One motion of several crawls that take their steps at the same times."""
    most = max(crawls.values(), key=len)
    ends = np.cumsum([0.0, *(step.motion.t[-1] for step in most)])
    t = np.concatenate([[0.0], *(step.motion.t[1:] + end for step, end in zip(most, ends, strict=False))])
    model = crawlers(crawls, most[0].model.nbodies)
    q, v = (np.concatenate(x, axis=1) for x in zip(*(_states(run, len(t)) for run in crawls.values()), strict=True))
    return Trajectory(model, t, q, v)


def _states(steps: list[Step], count: int) -> tuple[np.ndarray, np.ndarray]:
    """(count, n): the rear's pose, then the turns, and velocities; one that has arrived rests."""
    body = steps[0].model.rerooted("s1")
    whole = [rerooted_state(x.model, body, x.motion.q, x.motion.v)[:2] for x in steps]
    q, v = (np.concatenate([x[0][:1], *(part[1:] for part in x)]) for x in zip(*whole, strict=True))
    rest = count - len(q)
    return np.concatenate([q, np.repeat(q[-1:], rest, axis=0)]), np.concatenate([v, np.zeros((rest, v.shape[1]))])


def race(cycles: int = 3, *, goal=(0.2, 0.0, 0.0), step: float = 0.02) -> dict[str, list[Step]]:
    """Worms from the same start towards the same line, told apart by their strides."""
    return {name: crawl(cycles=cycles, goal=goal, chords=chords, step=step) for name, chords in STRIDES.items()}


def replayed(steps: list[Step], feedback: float = 40.0, step: float = 5e-3, **options) -> list[np.ndarray]:
    """How far each joint was from the directed one (T, nv) [rad] when torques with feedback drive the worm.

    Each step begins in the pose that the last one ended in, gripped by its other end. `options` go to `replay`.
    """
    off, q = [], steps[0].motion.q[0]
    for part in steps:
        q = q + 2 * np.pi * np.round((part.motion.q[0] - q) / (2 * np.pi))  # the same turns
        back = replay(
            part.model, part.torques, q=q, held=part.held, feedback=feedback, step=step, record=0.05, **options
        )
        off.append(np.abs(back.drift))
        q = regripped(part.model, back.trajectory.q[-1])[1]
    return off


def front_of(steps: list[Step]) -> np.ndarray:
    """The front's x after each cycle [m]."""
    return np.array([step.points[0, 0, 0] for step in steps[1::2]])


def inchworm_scene() -> Scene:
    """A worm crawls to its goal: how far from it both ends are."""
    goal = np.array([0.05, 0.06, 0.0])
    steps = crawl(cycles=6, goal=goal, step=0.01)
    gripping, sliding = _strayed(steps)
    told = f"gripping end moved {gripping:.1e} m, sliding end {sliding:.1e} m off the ground"
    words = f"on its goal after {len(steps) // 2} cycles; {told}"
    motion = crawling({"worm": steps})
    panels = [Panel("how far from the goal [mm]", _ends(motion, "worm", lambda x: goal - x), "t [s]")]
    seen = {"camera": (24.0, -105.0), "moments": 4}
    return directed_scene("inchworm", motion, words, panels, cross(goal, 0.006), **seen, width=3.0)


def _ends(motion: Trajectory, name: str, seen: Callable[[np.ndarray], np.ndarray]) -> list[Curve]:
    """How long [mm] what is seen of the front and the rear (T, 3) is, over time."""
    poses = forward_kinematics(motion.model, motion.q)
    last = max(k for k, body in enumerate(motion.model.names) if body.startswith(name))
    front = poses[:, last].apply(np.array([LENGTH, 0.0, 0.0]))
    rear = poses[:, motion.model.body_index(f"{name}_s1")].xyz
    far = {end: 1e3 * np.linalg.norm(seen(x), axis=1) for end, x in (("front", front), ("rear", rear))}
    return curves(motion.t, far)


def _strayed(steps: list[Step]) -> tuple[float, float]:
    """How far the gripping end moved at most, and the sliding end from the ground [m]."""
    gripping = max(np.abs(step.points[:, 0] - step.points[0, 0]).max() for step in steps)
    return gripping, max(np.abs(step.points[:, -1, 2]).max() for step in steps if step.held is not None)


def race_scene() -> Scene:
    """Two worms with different strides: where the front of each is."""
    runs, line = race(4), 0.075
    words = "\n".join(f"{name:13s} front at {1e3 * front_of(x)[-1]:.0f} mm" for name, x in runs.items())
    motion = crawling(runs)
    fronts = [replace(_ends(motion, name, lambda x: x[:, :1])[0], label=name.replace("_", " ")) for name in runs]
    panels = [Panel("front [mm]", fronts, "t [s]")]
    goal = Line(None, np.array([[line, 0.02, 0.0], [line, -0.04, 0.0]]))
    seen = {"camera": (24.0, -70.0), "moments": 3}
    return directed_scene("inchworm-race", motion, words, panels, (goal,), **seen, width=3.4)


def check() -> None:
    """Each cycle advances by the stride, it stops on its goal; torques replayed with feedback follow to 1e-4 rad."""
    short, long = STRIDES["long_stride"]
    steps = crawl(cycles=2, chords=(short, long), step=5e-3)
    assert np.allclose(np.diff(front_of(steps)), long - short, atol=1e-6)
    assert max(_strayed(steps)) < 1e-9
    assert max(x.max() for x in replayed(steps)) < 1e-4
    near = np.array([0.05, 0.01, 0.0])
    assert np.allclose(crawl(cycles=6, goal=near, step=0.02)[-1].points[-1, 0], near, rtol=0, atol=1e-9)
    racers = race(2)
    assert front_of(racers["long_stride"])[-1] > front_of(racers["short_stride"])[-1]
