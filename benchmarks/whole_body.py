"""A whole body of our own making as an .osim file: 39 coordinates, two of them of patellas that follow their knees."""

import numpy as np

AXES = ("rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3")
X, Y, Z = "1 0 0", "0 1 0", "0 0 1"
LINE = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"
ZERO = "<Constant><value>0</value></Constant>"
BENT = np.linspace(0.0, 2.1, 8)  # [rad]: where the splines of the knee have points


def spline(y):
    """A SimmSpline through values over the bend of the knee."""
    return (
        f"<SimmSpline><x>{' '.join(map(repr, BENT.tolist()))}</x><y>{' '.join(map(repr, y.tolist()))}</y></SimmSpline>"
    )


def body(name, mass, length, down=-1):
    """A slender body whose centre of mass is half-way along −y (or y)."""
    long, thick = mass * length**2 / 12, mass * 0.04**2
    return (
        f'<Body name="{name}"><mass>{mass}</mass><mass_center>0 {down * length / 2} 0</mass_center>'
        f"<inertia>{long + thick} {thick} {long + thick} 0 0 0</inertia></Body>"
    )


def joint(name, parent, child, at, axes):
    """A CustomJoint at a place of the parent; axes: {axis: (direction, coordinate, function)}."""
    plain = dict(zip(AXES, (X, Y, Z) * 2, strict=True))
    given = {axis: axes.get(axis, (plain[axis], "", ZERO)) for axis in AXES}
    names = list(dict.fromkeys(c for _, c, _ in given.values() if c))
    ends = {c: "0 2.1" if "knee" in c else "-1.2 1.2" for c in names}
    coordinates = "".join(f'<Coordinate name="{c}"><range>{ends[c]}</range></Coordinate>' for c in names)
    turns = "".join(
        f'<TransformAxis name="{axis}"><coordinates>{c}</coordinates><axis>{direction}</axis>'
        f"<function>{function}</function></TransformAxis>"
        for axis, (direction, c, function) in given.items()
    )
    frame = (
        f'<PhysicalOffsetFrame name="in_parent"><socket_parent>{parent}</socket_parent>'
        f"<translation>{at}</translation></PhysicalOffsetFrame>"
    )
    return (
        f'<CustomJoint name="{name}"><socket_parent_frame>in_parent</socket_parent_frame>'
        f"<socket_child_frame>/bodyset/{child}</socket_child_frame><coordinates>{coordinates}</coordinates>"
        f"<frames>{frame}</frames><SpatialTransform>{turns}</SpatialTransform></CustomJoint>"
    )


def turning(*names):
    """Turns about z, x and y, one after the other; those without a name stand still."""
    given = zip((Z, X, Y), (*names, "", "")[:3], strict=True)
    return {f"rotation{k + 1}": (axis, c, LINE if c else ZERO) for k, (axis, c) in enumerate(given)}


def knee(s):
    """Bends about z, turns a little by splines, and glides; a patella in front of it goes by its own coordinate."""
    c = f"knee_angle_{s}"
    return {
        "rotation1": (Z, c, LINE), "rotation2": (X, c, spline(0.05 * np.sin(BENT))),
        "rotation3": (Y, c, spline(0.2 * np.sin(0.5 * BENT))),
        "translation1": (X, c, spline(-0.005 * BENT)), "translation2": (Y, c, spline(0.004 * np.cos(BENT))),
    }  # fmt: skip


def patella(s):
    """Slides and turns along the front of the thigh."""
    c = f"knee_angle_{s}_beta"
    return {
        "rotation1": (Z, c, spline(0.7 * BENT)), "rotation2": (X, "", ZERO), "rotation3": (Y, "", ZERO),
        "translation1": (X, c, spline(0.05 - 0.02 * BENT)), "translation2": (Y, c, spline(-0.005 - 0.015 * BENT)),
    }  # fmt: skip


def side(s, out):
    """Bodies, joints and the coupler of a leg and an arm; `out` is where z points to on that side."""
    at, b = "/bodyset/{}".format, f"_{s}"
    bodies = [
        body(f"femur{b}", 9.3, 0.4), body(f"tibia{b}", 3.7, 0.4), body(f"patella{b}", 0.09, 0.04),
        body(f"talus{b}", 0.1, 0.04), body(f"calcn{b}", 1.25, 0.08), body(f"toes{b}", 0.22, 0.04),
        body(f"humerus{b}", 2.0, 0.28), body(f"ulna{b}", 0.6, 0.24), body(f"radius{b}", 0.6, 0.24),
        body(f"hand{b}", 0.5, 0.1),
    ]  # fmt: skip
    joints = [
        joint(f"hip{b}", at("pelvis"), f"femur{b}", f"-0.05 -0.08 {0.08 * out}",
              turning(f"hip_flexion{b}", f"hip_adduction{b}", f"hip_rotation{b}")),
        joint(f"walker_knee{b}", at(f"femur{b}"), f"tibia{b}", "0 -0.4 0", knee(s)),
        joint(f"patellofemoral{b}", at(f"femur{b}"), f"patella{b}", "0 -0.4 0", patella(s)),
        joint(f"ankle{b}", at(f"tibia{b}"), f"talus{b}", "0 -0.4 0", turning(f"ankle_angle{b}")),
        joint(f"subtalar{b}", at(f"talus{b}"), f"calcn{b}", "-0.05 -0.04 0", turning(f"subtalar_angle{b}")),
        joint(f"mtp{b}", at(f"calcn{b}"), f"toes{b}", "0.18 0 0", turning(f"mtp_angle{b}")),
        joint(f"acromial{b}", at("torso"), f"humerus{b}", f"0 0.37 {0.17 * out}",
              turning(f"arm_flex{b}", f"arm_add{b}", f"arm_rot{b}")),
        joint(f"elbow{b}", at(f"humerus{b}"), f"ulna{b}", "0.01 -0.28 0", turning(f"elbow_flex{b}")),
        joint(f"radioulnar{b}", at(f"ulna{b}"), f"radius{b}", f"0 -0.01 {0.03 * out}",
              {"rotation1": (Y, f"pro_sup{b}", LINE), "rotation2": (X, "", ZERO), "rotation3": (Z, "", ZERO)}),
        joint(f"radius_hand{b}", at(f"radius{b}"), f"hand{b}", "0 -0.24 0", turning(f"wrist_flex{b}", f"wrist_dev{b}")),
    ]  # fmt: skip
    coupler = (
        f'<CoordinateCouplerConstraint name="patella{b}"><coupled_coordinates_function>{spline(BENT)}'
        f"</coupled_coordinates_function><independent_coordinate_names>knee_angle{b}</independent_coordinate_names>"
        f"<dependent_coordinate_name>knee_angle{b}_beta</dependent_coordinate_name></CoordinateCouplerConstraint>"
    )
    return bodies, joints, coupler


def whole_body():
    """The text of the file: 22 bodies, 39 coordinates, two couplers."""
    root = turning("pelvis_tilt", "pelvis_list", "pelvis_rotation") | {
        f"translation{k + 1}": (axis, c, LINE)
        for k, (axis, c) in enumerate(zip((X, Y, Z), ("pelvis_tx", "pelvis_ty", "pelvis_tz"), strict=True))
    }
    right, left = side("r", 1), side("l", -1)
    bodies = [body("pelvis", 11.8, 0.2), *right[0], *left[0], body("torso", 26.8, 0.6, down=1)]
    back = turning("lumbar_extension", "lumbar_bending", "lumbar_rotation")
    joints = [joint("ground_pelvis", "/ground", "pelvis", "0 0 0", root),
              joint("back", "/bodyset/pelvis", "torso", "-0.1 0.08 0", back), *right[1], *left[1]]  # fmt: skip
    return (
        '<?xml version="1.0" encoding="UTF-8" ?>\n<OpenSimDocument Version="40000"><Model name="whole_body">'
        f"<BodySet><objects>{''.join(bodies)}</objects></BodySet><JointSet><objects>{''.join(joints)}</objects></JointSet>"
        f"<ConstraintSet><objects>{right[2]}{left[2]}</objects></ConstraintSet></Model></OpenSimDocument>\n"
    )
