"""A leg from OpenSim
==================

A model in OpenSim's format: a knee whose tibia glides by splines, a patella coupled to it, a marker on the ankle.

The file is written here, opened as any `.osim` file is, and posed by inverse kinematics. Draws the leg to
demo/opensim_leg.png, and bends it in a player, demo/opensim_leg.html.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd

BODY = """<Body name="{}"><mass>{}</mass><mass_center>0 {} 0</mass_center><inertia>{}</inertia></Body>"""
BODIES = [("femur", 9.3, -0.17, "0.13 0.03 0.14 0 0 0"), ("tibia", 3.7, -0.19, "0.05 0.005 0.05 0 0 0"),
          ("patella", 0.1, 0.0, "1e-4 1e-4 1e-4 0 0 0")]  # fmt: skip
AXIS = """<TransformAxis name="{}"><coordinates>{}</coordinates><axis>{}</axis>{}</TransformAxis>"""
LINE = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"
SPLINE = "<SimmSpline><x>-2.1 -1.4 -0.7 0 0.2</x><y>{}</y></SimmSpline>"
GLIDE, DROP = "-0.003 0.002 0.005 -0.005 -0.006", "-0.42 -0.41 -0.40 -0.396 -0.396"  # [m] along x and y of the femur
AXES = {"rotation1": "0 0 1", "rotation2": "0 1 0", "rotation3": "1 0 0", "translation1": "1 0 0",
        "translation2": "0 1 0", "translation3": "0 0 1"}  # fmt: skip


def knee(name: str, parent: str, child: str, coordinate: str, moves: dict[str, str]) -> str:
    """A CustomJoint of one coordinate; axes without a function stay."""
    axes = "".join(
        AXIS.format(a, coordinate if a in moves else "", d, moves.get(a, "<Constant/>")) for a, d in AXES.items()
    )
    return f"""<CustomJoint name="{name}"><socket_parent_frame>{parent}</socket_parent_frame>
<socket_child_frame>/bodyset/{child}</socket_child_frame><coordinates><Coordinate name="{coordinate}">
<range>-2.1 2.1</range></Coordinate></coordinates><SpatialTransform>{axes}</SpatialTransform></CustomJoint>"""


def osim() -> str:
    """The file."""
    bend = {"rotation1": LINE, "translation1": SPLINE.format(GLIDE), "translation2": SPLINE.format(DROP)}
    slip = {
        "translation1": SPLINE.format("0.02 0.03 0.045 0.05 0.05"),
        "translation2": SPLINE.format("-0.42 -0.41 -0.39 -0.37 -0.36"),
    }
    joints = [knee("hip", "/ground", "femur", "hip_flexion", {"rotation1": LINE}),
              knee("knee", "/bodyset/femur", "tibia", "knee_angle", bend),
              knee("patellofemoral", "/bodyset/femur", "patella", "knee_angle_beta", slip)]  # fmt: skip
    coupler = f"""<CoordinateCouplerConstraint name="patella_follows"><coupled_coordinates_function>{LINE}
</coupled_coordinates_function><independent_coordinate_names>knee_angle</independent_coordinate_names>
<dependent_coordinate_name>knee_angle_beta</dependent_coordinate_name></CoordinateCouplerConstraint>"""
    marker = """<Marker name="ankle"><socket_parent_frame>/bodyset/tibia</socket_parent_frame>
<location>0 -0.43 0</location></Marker>"""
    sets = (("BodySet", "".join(BODY.format(*b) for b in BODIES)), ("JointSet", "".join(joints)),
            ("ConstraintSet", coupler), ("MarkerSet", marker))  # fmt: skip
    inside = "".join(f"<{tag}><objects>{what}</objects></{tag}>" for tag, what in sets)
    return f'<OpenSimDocument Version="40000"><Model name="leg">{inside}</Model></OpenSimDocument>'


def opened(folder: Path) -> cd.Model:
    """The model of the file."""
    path = folder / "leg.osim"
    path.write_text(osim())
    return cd.load(path)


def posed(model: cd.Model, goal) -> np.ndarray:
    """The posture that brings the marker on the ankle to a goal [m], the patella in step."""
    ankle = model.markers[0]
    return cd.ik.solve(model, [cd.ik.position(ankle.body, goal, ankle.at)], [0.2, -0.6]).q


def main(folder: str = "demo") -> None:
    """Open the file, lead the ankle, draw the leg, bend the knee in a player."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    model = opened(out)
    q = posed(model, (0.1, -0.72, 0.0))
    print(dict(zip(model.coordinates, q.round(4).tolist(), strict=True)))
    cd.view.export(cd.Trajectory(model, np.zeros(1), q[None], 0 * q[None]), out / "opensim_leg.png")
    t = np.linspace(0.0, 2.0, 101)
    bend = np.stack([0.3 - 0.2 * np.cos(np.pi * t), -0.9 + 0.8 * np.cos(np.pi * t)], axis=1)  # hip and knee [rad]
    run = cd.Trajectory(model, t, bend, cd.trial.derivatives(t, bend)[1])
    cd.view.export(run, out / "opensim_leg.html", title="A leg from OpenSim")
    print(f"Open {out / 'opensim_leg.png'}.")


def check() -> None:
    """The marker is at its goal, the patella follows the knee, and between its points the spline is smooth."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        model = opened(Path(folder))
    q = posed(model, (0.1, -0.72, 0.0))
    tibia = cd.forward_kinematics(model, q)[model.body_index("tibia")]
    assert np.allclose(tibia.apply(model.markers[0].at), (0.1, -0.72, 0.0), atol=1e-8)
    assert model.coordinates == ("hip_flexion", "knee_angle")  # the patella follows: it is no coordinate
    tibia, patella = cd.forward_kinematics(model, [0.0, -0.7])[1:].xyz
    assert np.allclose(tibia, (0.005, -0.40, 0.0), atol=1e-14)  # points of the splines
    assert np.allclose(patella, (0.045, -0.39, 0.0), atol=1e-14)


if __name__ == "__main__":
    main(*sys.argv[1:])
