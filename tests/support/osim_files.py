"""Small .osim files of our own: every joint, function and constraint, in new and in old versions."""

import re

import numpy as np

AXES = ("rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3")
SPLINE = "<SimmSpline><x>-1.5 -0.7 -0.1 0.4 1.1 1.6</x><y>0.1 -0.3 0.25 0.4 0.1 0.6</y></SimmSpline>"
LINE = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"


def numbers(values):
    """Numbers as text, without loss."""
    return " ".join(repr(float(x)) for x in values)


def coordinate(name, default=0.0, ends=(-2.0, 2.0), extra=""):
    return (
        f'<Coordinate name="{name}"><default_value>{default!r}</default_value>'
        f"<range>{numbers(ends)}</range>{extra}</Coordinate>"
    )


def body(name, seed=0, extra=""):
    """A body with a centre of mass and moments that a body can have."""
    rng = np.random.default_rng(seed)
    inertia = [0.3, 0.35, 0.4, 0.02, -0.03, 0.01]
    return (
        f'<Body name="{name}"><mass>{rng.uniform(1, 3)!r}</mass>'
        f"<mass_center>{numbers(rng.normal(size=3) * 0.1)}</mass_center>"
        f"<inertia>{numbers(inertia)}</inertia>{extra}</Body>"
    )


def offsets(seed):
    """Translation and angles of the frames of a joint on its parent and on its child."""
    return np.random.default_rng(seed).normal(size=(2, 2, 3)) * [[[0.2], [0.5]]]


def joint(kind, name, parent, child, coordinates, inside="", seed=0):
    """A joint of version 4 between frames at random offsets."""
    frames = "".join(
        f'<PhysicalOffsetFrame name="{end}_offset"><socket_parent>{path}</socket_parent>'
        f"<translation>{numbers(p)}</translation><orientation>{numbers(a)}</orientation></PhysicalOffsetFrame>"
        for end, path, (p, a) in zip(("p", "c"), (parent, child), offsets(seed), strict=True)
    )
    return (
        f'<{kind} name="{name}"><socket_parent_frame>p_offset</socket_parent_frame>'
        f"<socket_child_frame>c_offset</socket_child_frame><coordinates>{''.join(coordinates)}</coordinates>"
        f"<frames>{frames}</frames>{inside}</{kind}>"
    )


def model(bodies, joints, extra="", version=40000, gravity="0.1 -9.7 0.3"):
    """A document of version 4."""
    return (
        f'<?xml version="1.0" encoding="UTF-8" ?>\n<OpenSimDocument Version="{version}"><Model name="ours">'
        f"<gravity>{gravity}</gravity><BodySet><objects>{''.join(bodies)}</objects></BodySet>"
        f"<JointSet><objects>{''.join(joints)}</objects></JointSet>{extra}</Model></OpenSimDocument>\n"
    )


def axis(name, direction, coordinates="", function=""):
    return (
        f'<TransformAxis name="{name}"><coordinates>{coordinates}</coordinates><axis>{direction}</axis>'
        f"<function>{function or '<Constant><value>0</value></Constant>'}</function></TransformAxis>"
    )


def custom(axes):
    """The SpatialTransform of a CustomJoint, from {name: (direction, coordinates, function)}."""
    plain = dict(zip(AXES, ("1 0 0", "0 1 0", "0 0 1") * 2, strict=True))
    given = {name: axes.get(name, (plain[name], "", "")) for name in AXES}
    return f"<SpatialTransform>{''.join(axis(name, *what) for name, what in given.items())}</SpatialTransform>"


KNEE = custom(
    {
        "rotation1": ("0.1 0.2 2.0", "a", LINE),
        "rotation2": (
            "0 1 0.3",
            "a",
            "<PolynomialFunction><coefficients>0.3 -0.2 0.1</coefficients></PolynomialFunction>",
        ),
        "rotation3": ("1 0 0", "b", "<Sine><amplitude>0.4</amplitude><omega>1.3</omega><phase>0.2</phase></Sine>"),
        "translation1": ("1 0 0", "a", SPLINE),
        "translation2": (
            "0 3 1",
            "a",
            f"<MultiplierFunction><function>{SPLINE}</function><scale>-0.7</scale></MultiplierFunction>",
        ),
        "translation3": ("0 0.5 1", "", "<Constant><value>0.11</value></Constant>"),
    }
)
PLANE = """<MultivariatePolynomialFunction><dimension>2</dimension><order>2</order>
<coefficients>0.1 0.2 -0.3 0.4 0.25 -0.15</coefficients></MultivariatePolynomialFunction>"""
TWO = custom(
    {
        "rotation1": ("0 0 1", "a", LINE),
        "rotation2": ("0 1 0", "b", LINE),
        "rotation3": ("1 0 0", "", ""),
        "translation1": ("1 0 0", "a b", PLANE),
    }
)
SCAPULA = (
    "<thoracic_ellipsoid_radii_x_y_z>0.07 0.15 0.08</thoracic_ellipsoid_radii_x_y_z>"
    "<scapula_winging_axis_origin>0.01 -0.03</scapula_winging_axis_origin>"
    "<scapula_winging_axis_direction>0.4</scapula_winging_axis_direction>"
)
ROD = "<neutral_angle_x_z_y>0.1 -0.2 0.3</neutral_angle_x_z_y><length>0.4</length>"
JOINTS = {  # kind: coordinates, what is inside
    "WeldJoint": (0, ""),
    "PinJoint": (1, ""),
    "SliderJoint": (1, ""),
    "UniversalJoint": (2, ""),
    "BallJoint": (3, ""),
    "GimbalJoint": (3, ""),
    "FreeJoint": (6, ""),
    "PlanarJoint": (3, ""),
    "EllipsoidJoint": (3, "<radii_x_y_z>0.1 0.2 0.15</radii_x_y_z>"),
    "ScapulothoracicJoint": (4, SCAPULA),
    "ConstantCurvatureJoint": (3, ROD),
    "CustomJoint": (2, KNEE),
}


def chain(kind):
    """Ground, a body on a pin, and one on a joint of a kind."""
    first = joint("PinJoint", "base", "/ground", "/bodyset/one", [coordinate("turn")], seed=1)
    bodies = [body("one", 1), body("two", 2)]
    ends = ("/bodyset/one", "/bodyset/two")
    if kind == "Reversed":  # the child is the body nearer to ground
        second = joint("CustomJoint", "last", *ends[::-1], [coordinate("a"), coordinate("b")], KNEE, seed=2)
        return model(bodies, [first, second])
    if kind == "TwoOfOneAxis":
        return model(
            bodies, [first, joint("CustomJoint", "last", *ends, [coordinate("b"), coordinate("a")], TWO, seed=2)]
        )
    count, inside = JOINTS[kind]
    names = ["a", "b"] if kind == "CustomJoint" else [f"c{k}" for k in range(count)]
    return model(bodies, [first, joint(kind, "last", *ends, [coordinate(n) for n in names], inside, seed=2)])


def in_set(name, *things):
    return f"<{name}><objects>{''.join(things)}</objects></{name}>"


def coupler(function, others="hip", dependent="knee", extra=""):
    """dependent = function(others) / 2."""
    return f"""<CoordinateCouplerConstraint name="coupler">{extra}
<coupled_coordinates_function>{function}</coupled_coordinates_function>
<independent_coordinate_names>{others}</independent_coordinate_names>
<dependent_coordinate_name>{dependent}</dependent_coordinate_name><scale_factor>0.5</scale_factor>
</CoordinateCouplerConstraint>"""


POINT = """<PointConstraint name="p"><socket_body_1>/ground</socket_body_1><socket_body_2>/bodyset/two</socket_body_2>
<location_body_1>0.1 0.2 0.3</location_body_1><location_body_2>0.4 0.5 0.6</location_body_2></PointConstraint>"""
MUSCLE = """<Thelen2003Muscle name="vas"><GeometryPath><PathPointSet><objects>
<PathPoint name="a"><socket_parent_frame>/jointset/base/c_offset</socket_parent_frame><location>0.1 0.2 0.3</location>
</PathPoint>
<ConditionalPathPoint name="b"><socket_parent_frame>/bodyset/two</socket_parent_frame><location>0 0 0</location>
<socket_coordinate>/jointset/last/knee</socket_coordinate><range>-1.5 0.25</range></ConditionalPathPoint>
<MovingPathPoint name="c"><socket_parent_frame>/bodyset/two</socket_parent_frame>
<socket_x_coordinate>/jointset/last/knee</socket_x_coordinate><x_location><SimmSpline><x>0 1 2</x><y>0 1 4</y>
</SimmSpline></x_location></MovingPathPoint></objects></PathPointSet>
<PathWrapSet><objects><PathWrap name="w"><wrap_object>drum</wrap_object>
<method>midpoint</method><range>1 2</range></PathWrap></objects></PathWrapSet></GeometryPath>
<max_isometric_force>1234.5</max_isometric_force><pennation_angle>0.1</pennation_angle></Thelen2003Muscle>"""
DRUM = """<WrapObjectSet><objects><WrapCylinder name="drum"><xyz_body_rotation>0.1 0.2 0.3</xyz_body_rotation>
<translation>1 2 3</translation><quadrant>-x</quadrant><radius>0.04</radius><length>0.2</length></WrapCylinder>
</objects></WrapObjectSet>"""
SPRINGS = (
    """<SpringGeneralizedForce name="s"><coordinate>knee</coordinate><stiffness>3</stiffness>
<rest_length>0.5</rest_length><viscosity>0.7</viscosity></SpringGeneralizedForce>""",
    """<PointToPointSpring name="p"><socket_body1>/ground</socket_body1><socket_body2>/bodyset/two</socket_body2>
<point1>0.1 0 0</point1><point2>0 0.2 0</point2><stiffness>40</stiffness><rest_length>0.1</rest_length>
</PointToPointSpring>""",
)
SOLIDS = """<attached_geometry><Brick><half_lengths>0.1 0.2 0.3</half_lengths>
<Appearance><color>1 0 0</color></Appearance></Brick>
<Sphere><radius>0.05</radius></Sphere><Cylinder><radius>0.1</radius><half_height>0.2</half_height></Cylinder>
<Mesh><mesh_file>bone.obj</mesh_file><scale_factors>1 2 3</scale_factors></Mesh></attached_geometry>"""


def two_pins(first="", second="", extra="", names=("hip", "knee"), defaults=(0.1, 0.2)):
    """Two bodies on pins, their coordinates with something in them."""
    inside = [coordinate(n, d, extra=e) for n, d, e in zip(names, defaults, (first, second), strict=True)]
    one, two = "/bodyset/one", "/bodyset/two"
    joints = [joint("PinJoint", "base", "/ground", one, inside[:1], seed=1),
              joint("PinJoint", "last", one, two, inside[1:], seed=2)]  # fmt: skip
    return model([body("one", 1), body("two", 2)], joints, extra)


def marker(name, frame, at):
    return f'<Marker name="{name}"><socket_parent_frame>{frame}</socket_parent_frame><location>{at}</location></Marker>'


def everything():
    """A file with something of every kind: joints, functions, constraints, forces, markers, wraps, shapes."""
    ends = ("/bodyset/two", "/bodyset/three")
    knee = joint("CustomJoint", "third", *ends, [coordinate("a"), coordinate("b")], KNEE, seed=3)
    sets = in_set("ConstraintSet", coupler(SPLINE), POINT) + in_set("ForceSet", MUSCLE, *SPRINGS)
    sets += in_set("MarkerSet", marker("m", ends[0], "0.1 0 0"))
    text = two_pins("<locked>true</locked>", "<clamped>true</clamped>", sets)
    text = text.replace("</inertia></Body>", f"</inertia>{DRUM}{SOLIDS}</Body>", 1)
    text = text.replace("</objects></BodySet>", f"{body('three', 3)}</objects></BodySet>")
    return text.replace("</objects></JointSet>", f"{knee}</objects></JointSet>")


OLD_BODY = """<Body name="{name}"><mass>2</mass><mass_center>0 0.1 0</mass_center><inertia_xx>0.3</inertia_xx>
<inertia_yy>0.35</inertia_yy><inertia_zz>0.4</inertia_zz><inertia_xy>0.02</inertia_xy><inertia_xz>0</inertia_xz>
<inertia_yz>0</inertia_yz><Joint>{joint}</Joint></Body>"""


def old_joint(kind, name, parent, inside, reverse="false"):
    """A joint before version 30500, at the offsets of seed 2."""
    (p, a), (c, b) = offsets(2)
    return f"""<{kind} name="{name}"><parent_body> {parent} </parent_body>
<location_in_parent>{numbers(p)}</location_in_parent><orientation_in_parent>{numbers(a)}</orientation_in_parent>
<location>{numbers(c)}</location><orientation>{numbers(b)}</orientation>{inside}<reverse>{reverse}</reverse></{kind}>"""


def old_model(*bodies, version=20001):
    ground = '<Body name="ground"><mass>0</mass><Joint/></Body>'
    return f"""<OpenSimDocument Version="{version}"><Model name="old"><gravity>0 -9.8 0</gravity>
<BodySet><objects>{ground}{"".join(bodies)}</objects></BodySet></Model></OpenSimDocument>"""


def coordinate_set(*names):
    return f"<CoordinateSet><objects>{''.join(map(coordinate, names))}</objects></CoordinateSet>"


def old_file(version=20001, reverse="false"):
    """A custom joint in an old file."""
    made = old_joint("CustomJoint", "knee", "ground", coordinate_set("b", "a") + KNEE, reverse)
    return old_model(OLD_BODY.format(name="shank", joint=made), version=version)


def offset(name, parent, at="0.1 -0.2 0.3", turned="0.3 0.2 -0.4"):
    """A frame at an offset from another."""
    return (
        f'<PhysicalOffsetFrame name="{name}"><socket_parent>{parent}</socket_parent>'
        f"<translation>{at}</translation><orientation>{turned}</orientation></PhysicalOffsetFrame>"
    )


def among_components(holder="components"):
    """A body, its joint and a spring among the components of the model, on a frame of a frame of a body."""
    start = "" if holder == "components" else f"/{holder.lower()}"
    ball = f"""<GimbalJoint name="ball"><socket_parent_frame>{start}/far</socket_parent_frame>
<socket_child_frame>{start}/third</socket_child_frame>
<coordinates>{"".join(map(coordinate, "abc"))}</coordinates></GimbalJoint>"""
    things = [offset("far", "/bodyset/two/near"), body("third", 3), ball, SPRINGS[0]]
    inside = "".join(things) if holder == "components" else f"<objects>{''.join(things)}</objects>"
    near = f"</inertia><components>{offset('near', '..')}</components></Body></objects></BodySet>"
    text = two_pins(extra=f"<{holder}>{inside}</{holder}>")
    return text.replace("</inertia></Body></objects></BodySet>", near)


def frames_on_frames():
    """Joints and a marker on frames three offsets deep, inside of bodies, of ground and of each other."""
    inner = offset("c", "..").replace("</PhysicalOffsetFrame>", f"<components>{offset('d', '..')}</components>")
    nested = f"<components>{inner}</PhysicalOffsetFrame></components>"
    text = two_pins(extra=in_set("MarkerSet", marker("m", "/bodyset/two/c/d", "0.1 0 0.2")))
    text = text.replace("</inertia></Body>", f"</inertia>{nested}</Body>")
    text = text.replace("<BodySet>", f'<Ground name="ground">{nested}</Ground><BodySet>')
    text = text.replace("<socket_parent>/ground<", "<socket_parent>/ground/c/d<")
    return text.replace("<socket_parent>/bodyset/one<", "<socket_parent>../../../bodyset/one/c/d<")


ON_FRAME = SPRINGS[1].replace("/bodyset/two", "/jointset/last/c_offset")


def odd_files():
    """Files that OpenSim opens and nobody expects, by name."""
    twice = in_set("MarkerSet", *(marker("m", f"/bodyset/{name}", "0.1 0 0") for name in ("two", "one", "two")))
    heavy = re.sub("<mass>[^<]*<", "<mass>0<", two_pins(), count=1)
    return {
        "components": among_components(),
        "ComponentSet": among_components("ComponentSet"),
        "frames on frames": frames_on_frames(),
        "coordinates called as other joints": two_pins(names=("last", "base")),
        "markers of one name": two_pins(extra=twice),
        "moments without mass": heavy,
    }
