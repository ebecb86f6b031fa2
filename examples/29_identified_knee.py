"""A knee from raw markers
=======================

Nobody sees where bones are: cameras see markers on skin. The start is a leg with a plain hinge. One solve finds how
the knee glides, where the ankle is and where the markers are, together with the motion, and says how sure it is.
`main` leaves a page in demo/identified_knee.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import condyle as cd

NOISE = 1e-3  # of markers [m]
BOX = cd.Inertia.box(3.0, (0.1, 0.1, 0.4))
TURNS = np.linspace(0.0, 2.0, 8)  # of the control frames [rad]


def leg(glide: float) -> cd.Model:
    """A floating thigh, a shank on a knee that glides by so many metres, a foot; seven, seven and four markers."""
    frames = cd.SE3.exp(np.stack([0 * TURNS, TURNS, *np.zeros((4, len(TURNS)))], axis=1)).as_matrix()
    frames[:, 0, 3] = -glide * np.sin(TURNS)
    b = cd.ModelBuilder().add_body("thigh", None, cd.joints.free(), BOX)
    knee = cd.SE3.exp([0, 0, 0, 0, 0, -0.4])
    b.add_body("shank", "thigh", cd.joints.spline_curve(frames), BOX, placement=knee, joint_name="knee")
    b.add_body("foot", "shank", cd.joints.revolute("y"), BOX, placement=cd.SE3.exp([0, 0, 0, 0, 0, -0.4]))
    rng = np.random.default_rng(1)
    places = {"thigh": (7, -0.4), "shank": (7, -0.35), "foot": (4, -0.1)}
    marked = (
        cd.Marker(f"{body}{k}", body, rng.uniform((-0.08, -0.06, low), (0.08, 0.06, 0.0)))
        for body, (count, low) in places.items()
        for k in range(count)
    )
    return replace(b.build(), markers=tuple(marked))


def motion(model: cd.Model, frames: int) -> np.ndarray:
    """The thigh swings, the knee bends over its whole path, the ankle moves."""
    s = np.linspace(0.0, 2 * np.pi, frames)
    q = np.tile(model.neutral(), (frames, 1))
    swing = np.stack([0.1 * np.sin(s), 0.4 * np.cos(s), 0.1 * np.sin(2 * s), *np.zeros((5, frames))], axis=1)
    q = cd.integrate(model, q, swing)
    low, high = model.bodies[1].joint.domain[0]
    q[:, 7], q[:, 8] = low + (high - low) * (0.5 - 0.5 * np.cos(3 * s)), 0.3 * np.sin(2 * s)
    return q


def seen(model: cd.Model, q: np.ndarray, noise: float = 0.0) -> dict[str, np.ndarray]:
    """Markers by name (frames, 3), as cameras see them."""
    rng, T = np.random.default_rng(0), cd.forward_kinematics(model, q).as_matrix()
    out = {}
    for marker in model.markers:
        X = T[:, model.names.index(str(marker.body))]
        out[marker.name] = X[:, :3, :3] @ marker.at + X[:, :3, 3] + noise * rng.normal(size=(len(q), 3))
    return out


def identified(frames: int = 120):
    """What is found from the markers of a knee that glides by 12 mm, from a hinge."""
    start, true = leg(0.0), leg(0.012)
    q = motion(true, frames)
    return true, q, cd.identify(start, seen(true, q, NOISE), q, unknown=["knee.frames", "foot.placement"], sigma=NOISE)


def ways(true: cd.Model, q: np.ndarray, found) -> np.ndarray:
    """How far the markers of the shank are from where they truly were [m], (frames, 7)."""
    own = [k for k, marker in enumerate(true.markers) if marker.body == "shank"]
    exact = np.stack(list(seen(true, q).values()), axis=1)[:, own]
    computed = np.stack(list(seen(found.model, found.q).values()), axis=1)[:, own]
    return np.linalg.norm(computed - exact, axis=2)


def main(folder: str = "demo/identified_knee") -> None:
    """Identify, say what came out, and write the page."""
    true, q, found = identified()
    print(found)
    print(f"markers of the shank are {1e3 * np.sqrt(np.mean(ways(true, q, found) ** 2)):.2f} mm from the truth")
    Path(folder).mkdir(parents=True, exist_ok=True)
    show(true, q, found, Path(folder))
    found.report(Path(folder) / "knee.html", title="A knee from raw markers", force=True)


def show(true: cd.Model, q: np.ndarray, found, folder: Path) -> None:
    """The leg that was found, with the markers that the cameras saw."""
    t = np.arange(len(q)) / 60.0
    measured = seen(true, q, NOISE)
    crosses = cd.trial.Markers(tuple(measured), t, np.stack(list(measured.values()), axis=1))
    run = cd.Trajectory(found.model, t, found.q, np.zeros((len(t), found.model.nv)))
    cd.view.export(run, folder / "knee.png", time=0.7, markers=crosses)
    cd.view.export(run, folder / "knee-player.html", title="A knee from raw markers", markers=crosses)


def check() -> None:
    """The noise is all that is left, true markers are met better than measured, a hinge's own turn stays open."""
    true, q, found = identified()
    assert found.converged and found.rms < 1.8e-3
    assert np.sqrt(np.mean(ways(true, q, found) ** 2)) < 1.2e-3
    assert any("foot.placement" in words for words in found.open)


if __name__ == "__main__":
    main()
