"""A knee from how it moves and what it takes to move it
=====================================================

A dynamometer swings a shank and measures the torque, cameras see markers. One solve finds how the knee rolls and
glides, how heavy the shank is and where its weight is, how stiff and how damped the knee is, together with the motion,
and says how sure it is and what the data cannot say. `main` leaves a page in demo/driven_knee.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.plots import Curve, Panel, draw_chart

NOISE, TORQUE_NOISE = 1e-3, 0.2  # of markers [m] and of torques [N m]
TURNS = np.linspace(0.0, 1.8, 7)  # of the control frames [rad]
MASS, CENTER, STIFFNESS, DAMPING = 3.4, -0.19, 5.0, 0.8
UNKNOWN = ("knee.frames", "shank.mass", "shank.com", "knee.stiffness", "knee.damping")


def leg(glide: float, mass: float, center: float, stiffness: float, damping: float) -> cd.Model:
    """A thigh that tilts, and a shank on a knee that glides by so many metres; six and six markers."""
    frames = cd.SE3.exp(np.stack([0 * TURNS, TURNS, *np.zeros((4, len(TURNS)))], axis=1)).as_matrix()
    frames[:, 0, 3] = -glide * np.sin(TURNS)
    shank = cd.Inertia(mass, (0.0, 0.0, center), (0.05, 0.05, 0.006))
    b = cd.ModelBuilder().add_body("thigh", None, cd.joints.universal("x", "y"), cd.Inertia.box(7.0, (0.14, 0.14, 0.4)))
    knee = cd.SE3.exp([0, 0, 0, 0, 0, -0.4])
    b.add_body("shank", "thigh", cd.joints.spline_curve(frames), shank, placement=knee, joint_name="knee")
    b.add_stiffness("knee", stiffness, rest=1.0, damping=damping)
    rng = np.random.default_rng(1)
    marked = (cd.Marker(f"{body}{k}", body, rng.uniform((-0.08, -0.06, -0.38), (0.08, 0.06, 0.0)))
              for body in ("thigh", "shank") for k in range(6))  # fmt: skip
    return replace(b.build(), markers=tuple(marked))


def motion(model: cd.Model, t: np.ndarray) -> tuple[np.ndarray, ...]:
    """q, v, a: the hip tilts a little, the knee goes over its whole path, slowly and fast."""
    low, high = model.bodies[1].joint.domain[0]
    sizes, rates = np.array([0.1, 0.2, 0.49 * (high - low)]), np.array([3.0, 4.0, 2 * np.pi * 0.75])
    x = np.outer(t, rates)
    q = sizes * np.sin(x) + np.array([0.0, 0.0, 0.5 * (low + high)])
    return q, sizes * rates * np.cos(x), -sizes * rates**2 * np.sin(x)


def measured(model: cd.Model, t: np.ndarray, seed: int = 0) -> cd.MeasuredMotion:
    """Markers and torques with noise."""
    rng, state = np.random.default_rng(seed), motion(model, t)
    T = cd.forward_kinematics(model, state[0]).as_matrix()
    markers = {}
    for marker in model.markers:
        X = T[:, model.names.index(str(marker.body))]
        markers[marker.name] = X[:, :3, :3] @ marker.at + X[:, :3, 3] + NOISE * rng.normal(size=(len(t), 3))
    torques = cd.inverse_dynamics(model, *state)
    torques += TORQUE_NOISE * rng.normal(size=torques.shape)
    return cd.MeasuredMotion(t, state[0], torques, markers, sigma={"markers": NOISE, "torques": TORQUE_NOISE})


def identified(frames: int = 300):
    """What is found from a knee that glides by 12 mm, starting from a hinge with a wrong shank."""
    start, true = leg(0.0, 2.8, -0.16, 3.0, 0.4), leg(0.012, MASS, CENTER, STIFFNESS, DAMPING)
    return cd.identify_dynamics(start, measured(true, np.arange(frames) / 100.0), unknown=UNKNOWN)


def glide(model: cd.Model) -> np.ndarray:
    """How far the shank's origin is from the axis of a hinge, over the path [m]."""
    joint = model.bodies[1].joint
    low, high = joint.domain[0]
    return np.asarray(joint.pose(np.linspace(low, high, 41)[2:-2, None]))[:, 0, 3]


def main(folder: str = "demo/driven_knee") -> None:
    """Identify, say what came out, and write the page."""
    found = identified()
    print(found)
    off = glide(found.model) - glide(leg(0.012, MASS, CENTER, STIFFNESS, DAMPING))
    print(f"the knee's path is {1e3 * np.sqrt(np.mean(off**2)):.2f} mm from the true one")
    Path(folder).mkdir(parents=True, exist_ok=True)
    show(found, Path(folder))
    found.report(Path(folder) / "knee.html", title="A knee from motion and torques", force=True)


def show(found: cd.identification.IdentifiedDynamics, folder: Path) -> None:
    """The torques that were measured and those of the model that was found, and the motion."""
    measured = found.torques - found.torque_residuals
    rows = [
        Curve(found.times, measured[:, -1], "measured"),
        Curve(found.times, found.torques[:, -1], "found", style="--"),
    ]
    draw_chart([Panel("torque of the knee [N m]", rows, "t [s]")], folder / "torques.png", size=(9.0, 3.6))
    run = cd.Trajectory(found.model, found.times, found.q, found.v)
    cd.view.export(run, folder / "driven-knee.html", title="A knee from motion and torques")


def check() -> None:
    """Mass, its place, stiffness and damping are within four deviations of the truth, the path within a millimetre."""
    found = identified(200)
    assert found.converged and 0.7 < found.misfit["torques"] < 1.2
    truth = {"shank.mass": MASS, "shank.com.z": CENTER, "knee.stiffness": STIFFNESS, "knee.damping": DAMPING}
    for name, value in truth.items():
        x = found.quantity(name)
        assert x.determined and abs(x.value - value) < 4 * x.deviation, (name, x)
    off = glide(found.model) - glide(leg(0.012, MASS, CENTER, STIFFNESS, DAMPING))
    assert np.sqrt(np.mean(off**2)) < 1e-3


if __name__ == "__main__":
    main()
