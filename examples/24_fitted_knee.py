"""A fitted knee in a trial
========================

A leg whose knee glides while it bends is measured by cameras. The model that a laboratory has is a hinge.

The hinge leaves errors at the markers of the shank. A spline joint is fitted to the poses of the shank that the markers
show, takes the place of the hinge under the same name, and the same trial runs again. Leaves both reports and a page
that says what changed in demo/fitted_knee.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.plots import Curve, Panel, draw_chart

THIGH, SHANK = 0.4, 0.43  # [m]
GLIDE = 0.025  # [m] by which the shank moves forward at a bend of one radian
MARKERS = {
    "T1": ("thigh", (0.05, -0.1, 0.02)),
    "T2": ("thigh", (-0.03, -0.25, 0.05)),
    "T3": ("thigh", (0.02, -0.35, -0.05)),
    "S1": ("shank", (0.04, -0.1, 0.02)),
    "S2": ("shank", (-0.02, -0.3, 0.04)),
    "S3": ("shank", (0.01, -0.38, -0.05)),
}
SETUP = """model = "{}"
[[trial]]
name = "swing"
markers = "swing.trc"
cutoff = 6.0
"""


def leg(knee: cd.joints.Joint) -> cd.Model:
    """A thigh that swings on a fixed hip, and a shank on some knee; y is up, joints turn about z."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    thigh = cd.Inertia(9.3, (0, -0.17, 0), np.diag([0.13, 0.03, 0.14]))
    shank = cd.Inertia(3.7, (0, -0.19, 0), np.diag([0.05, 0.005, 0.05]))
    b.add_body("thigh", joint=cd.joints.revolute("z").renamed("hip_angle"), inertia=thigh, joint_name="hip")
    place = cd.SE3.from_translation((0, -THIGH, 0))
    b.add_body("shank", "thigh", knee.renamed("knee_angle"), shank, placement=place, joint_name="knee")
    markers = [cd.Marker(name, body, at) for name, (body, at) in MARKERS.items()]
    return replace(b.build(), markers=markers)


def gliding() -> cd.joints.Joint:
    """A knee that turns about z and glides along x, y by functions of the angle."""
    twists = [(0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 0, 1, 0, 0, 0)]
    along, up = cd.functions.polynomial([0, -GLIDE]), cd.functions.polynomial([0, 0, GLIDE / 2])
    return cd.joints.product(twists, [along, up, cd.functions.linear()])


def motion(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hip and knee over time [rad], their rates and accelerations."""
    size, rate, middle = np.array([0.4, 0.55]), np.array([5.0, 4.0]), np.array([0.1, -0.7])
    angle = np.outer(t, rate)
    return middle + size * np.sin(angle), size * rate * np.cos(angle), -size * rate**2 * np.sin(angle)


def measure(folder: Path, noise: float) -> np.ndarray:
    """Write what cameras would see of the true leg; the times."""
    t, true = np.linspace(0.0, 2.0, 201), leg(gliding())
    poses = cd.forward_kinematics(true, motion(t)[0])
    seen = np.stack([poses[:, true.body_index(m.body)].apply(m.at) for m in true.markers], axis=1)
    seen += noise * np.random.default_rng(0).normal(size=seen.shape)
    cd.trial.write_markers(cd.trial.Markers(tuple(MARKERS), t, seen), folder / "swing.trc")
    return t


def fitted(found: cd.trial.Kinematics) -> cd.Model:
    """The model with a spline joint for its hinge: fitted to the poses that the markers show, by the hinge's angle."""
    poses = cd.trial.measured_poses(found, "thigh", "shank")
    fit = cd.design.fit_curve(poses, coordinates=found.q[:, found.model.q_index("knee_angle")], frames=8)
    return cd.trial.replace_joint(found.model, "knee", fit)


def trial(folder: Path, model: cd.Model, name: str, report: bool) -> cd.trial.TrialResult:
    """The trial with a model."""
    cd.save(model, folder / f"{name}_leg.toml")
    (folder / f"{name}.toml").write_text(SETUP.format(f"{name}_leg.toml"))
    return cd.trial.run(folder / f"{name}.toml", folder / name, report=report).trials[0]


def both(folder: Path, noise: float, report: bool):
    """Times, and the trial with the hinge and with the fitted knee."""
    folder.mkdir(parents=True, exist_ok=True)
    t = measure(folder, noise)
    hinge = trial(folder, leg(cd.joints.revolute("z")), "hinge", report)
    return t, hinge, trial(folder, fitted(hinge.kinematics), "spline", report)


def draw(t: np.ndarray, results: dict[str, cd.trial.TrialResult], true: np.ndarray, path: Path) -> None:
    """Errors of the markers, and the moment of the hip beside the true one."""
    errors = [Curve(t, 1e3 * found.kinematics.rms, name) for name, found in results.items()]
    moments = [Curve(t, found.dynamics.forces[:, 0], name) for name, found in results.items()]
    moments.append(Curve(t, true[:, 0], "true", style=":"))
    panels = [Panel("error of the markers [mm]", errors, "t [s]"), Panel("moment of the hip [N m]", moments, "t [s]")]
    draw_chart(panels, path, size=(9.0, 3.8))


def main(folder: str = "demo/fitted_knee") -> None:
    """Markers with half a millimetre of noise; both runs, and what changed."""
    t, hinge, spline = both(Path(folder), noise=5e-4, report=True)
    print(f"hinge:  {hinge.kinematics}")
    print(f"spline: {spline.kinematics}")
    true = cd.inverse_dynamics(leg(gliding()), *motion(t))
    for name, found in (("hinge", hinge), ("spline", spline)):
        error = np.sqrt(np.mean((found.dynamics.forces - true)[20:-20] ** 2, axis=0))
        print(f"{name}: moments of hip and knee are off by {error.round(2)} N m (root mean square)")
    changes = cd.trial.compare(hinge, spline, names=("hinge", "spline"))
    print(changes)
    draw(t, {"hinge": hinge, "fitted knee": spline}, true, Path(folder) / "fitted_knee.png")
    print(f"Open {changes.save(folder)}.")


def check() -> None:
    """Without noise the fitted knee follows the markers, and its moments are nearer to the true ones."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        t, hinge, spline = both(Path(folder), noise=0.0, report=False)
    assert spline.kinematics.rms.max() < 1e-4 < 1e-3 < hinge.kinematics.rms.max()
    true = cd.inverse_dynamics(leg(gliding()), *motion(t))[:, 0]
    off = [np.abs(found.dynamics.forces[:, 0] - true)[30:-30].max() for found in (hinge, spline)]
    assert off[1] < 0.5 * off[0]
    changes = cd.trial.compare(hinge, spline)
    assert {c.name for c in changes.angles} == {"hip_angle", "knee_angle"}


if __name__ == "__main__":
    main(*sys.argv[1:])
