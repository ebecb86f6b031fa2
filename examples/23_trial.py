"""A trial, from markers to moments
================================

A leg swings on a fixed hip; cameras see its markers, with noise, and a rope pulls at the ankle.

The markers are made here from a motion that is known, so that what inverse kinematics and inverse dynamics find can be
compared with it. Leaves angles, moments and a page in demo/trial.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd

THIGH, SHANK = 0.4, 0.43  # [m]
BODY = "<Body name='{}'><mass>{}</mass><mass_center>0 {} 0</mass_center><inertia>{}</inertia></Body>"
PIN = """<PinJoint name='{0}'><socket_parent_frame>at</socket_parent_frame>
<socket_child_frame>/bodyset/{2}</socket_child_frame><coordinates><Coordinate name='{0}_angle'/></coordinates>
<frames><PhysicalOffsetFrame name='at'><socket_parent>{1}</socket_parent><translation>{3}</translation>
</PhysicalOffsetFrame></frames></PinJoint>"""
MARKER = "<Marker name='{}'><socket_parent_frame>/bodyset/{}</socket_parent_frame><location>{}</location></Marker>"
MARKERS = {
    "T1": ("thigh", "0.05 -0.1 0.02"),
    "T2": ("thigh", "-0.03 -0.25 0.05"),
    "KNEE": ("thigh", "0 -0.4 0.05"),
    "S1": ("shank", "0.04 -0.1 0.02"),
    "S2": ("shank", "-0.02 -0.3 0.04"),
    "ANKLE": ("shank", "0 -0.43 0.04"),
}
SETUP = """model = "leg.osim"
[[trial]]
name = "swing"
markers = "swing.trc"
cutoff = 6.0
loads = "rope.sto"
force = [{ name = "rope", body = "shank", force = "pull_", point = "ankle_" }]
"""


def osim() -> str:
    """The file of the model."""
    sets = {
        "BodySet": BODY.format("thigh", 9.3, -0.17, "0.13 0.03 0.14 0 0 0")
        + BODY.format("shank", 3.7, -0.19, "0.05 0.005 0.05 0 0 0"),
        "JointSet": PIN.format("hip", "/ground", "thigh", "0 1 0")
        + PIN.format("knee", "/bodyset/thigh", "shank", f"0 {-THIGH} 0"),
        "MarkerSet": "".join(MARKER.format(name, *where) for name, where in MARKERS.items()),
    }
    inside = "".join(f"<{tag}><objects>{what}</objects></{tag}>" for tag, what in sets.items())
    return f"<OpenSimDocument Version='40000'><Model name='leg'>{inside}</Model></OpenSimDocument>"


def motion(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hip and knee over time [rad], their rates and accelerations."""
    size, rate, middle = np.array([0.4, 0.5]), np.array([5.0, 4.0]), np.array([0.1, -0.7])
    angle = np.outer(t, rate)
    return middle + size * np.sin(angle), size * rate * np.cos(angle), -size * rate**2 * np.sin(angle)


def pull(t: np.ndarray) -> np.ndarray:
    """The rope [N]."""
    return np.stack([40.0 * np.sin(3.0 * t), 20.0 + 0.0 * t, 0.0 * t], axis=1)


def measure(model: cd.Model, folder: Path, noise: float) -> np.ndarray:
    """Write what cameras and a load cell would measure; the times."""
    t = np.linspace(0.0, 2.0, 201)
    poses = cd.forward_kinematics(model, motion(t)[0])
    seen = np.stack([poses[:, model.body_index(m.body)].apply(m.at) for m in model.markers], axis=1)
    seen += noise * np.random.default_rng(0).normal(size=seen.shape)
    cd.trial.write_markers(cd.trial.Markers(tuple(MARKERS), t, seen), folder / "swing.trc")
    ankle = poses[:, model.body_index("shank")].apply([0.0, -SHANK, 0.0])
    names = ("time", *(f"{what}_{axis}" for what in ("pull", "ankle") for axis in "xyz"))
    cd.write_table(cd.Table(names, np.column_stack([t, pull(t), ankle])), folder / "rope.sto")
    return t


def exact(model: cd.Model, t: np.ndarray) -> np.ndarray:
    """The moments of the motion as we know it: those without the rope less what it does through its place."""
    q, v, a = motion(t)
    J = cd.point_jacobian(model, q, "shank", [0.0, -SHANK, 0.0])
    return cd.inverse_dynamics(model, q, v, a) - np.einsum("nij,ni->nj", J, pull(t))


def trial(folder: Path, noise: float, report: bool) -> tuple[np.ndarray, cd.trial.TrialResult]:
    """Write the files of a trial and run it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "leg.osim").write_text(osim())
    t = measure(cd.load(folder / "leg.osim"), folder, noise)
    (folder / "swing.toml").write_text(SETUP)
    return t, cd.trial.run(folder / "swing.toml", folder / "results", report=report).trials[0]


def main(folder: str = "demo/trial") -> None:
    """Markers with a millimetre of noise; angles and moments beside the known ones; the page."""
    t, found = trial(Path(folder), noise=1e-3, report=True)
    print(found.kinematics)
    angles = np.degrees(np.abs(found.kinematics.q - motion(t)[0])).max(axis=0)
    moments = np.abs(found.dynamics.forces - exact(found.kinematics.model, t))[10:-10].max(axis=0)
    print(f"hip and knee: within {angles.round(2)} deg and {moments.round(1)} N m of the motion that made the markers")
    swing = cd.trial.read_markers(Path(folder) / "swing.trc")
    q = found.kinematics.q
    run = cd.Trajectory(found.kinematics.model, t, q, cd.trial.derivatives(t, q)[1])
    seen = {"markers": swing, "title": "A leg in a trial"}
    cd.view.export(run, Path(folder) / "trial.png", time=0.5, **seen)
    cd.view.export(run, Path(folder) / "trial.html", **seen)
    print(f"Open {found.folder / 'report.html'}.")


def check() -> None:
    """Without noise the angles are found, and the moments but for what the filter takes."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        t, found = trial(Path(folder), noise=0.0, report=False)
    assert np.abs(found.kinematics.q - motion(t)[0]).max() < 1e-8
    expected = exact(found.kinematics.model, t)
    assert np.abs(found.dynamics.forces - expected)[20:-20].max() < 0.02 * np.abs(expected).max()


if __name__ == "__main__":
    main(*sys.argv[1:])
