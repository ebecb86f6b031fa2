"""Models of OpenSim with constraints and loads between bodies, of our own making: three bodies, oblique frames."""

from support.osim_files import body, coordinate, in_set, joint, model

BODIES = [body("one", 1), body("two", 2), body("three", 3)]
JOINTS = [
    joint("GimbalJoint", "a", "/ground", "/bodyset/one", [coordinate(f"a{k}") for k in range(3)], seed=1),
    joint("UniversalJoint", "b", "/bodyset/one", "/bodyset/two", [coordinate("b0"), coordinate("b1")], seed=2),
    joint("GimbalJoint", "c", "/bodyset/one", "/bodyset/three", [coordinate(f"c{k}") for k in range(3)], seed=3),
]
DISTANCE = """<ConstantDistanceConstraint name="rod"><socket_body_1>/bodyset/two</socket_body_1>
<socket_body_2>/bodyset/three</socket_body_2><location_body_1>0.1 0.2 -0.1</location_body_1>
<location_body_2>-0.2 0.1 0.3</location_body_2><constant_distance>0.6</constant_distance>
</ConstantDistanceConstraint>"""
LINE = """<PointOnLineConstraint name="rail"><socket_line_body>/bodyset/two</socket_line_body>
<socket_follower_body>/bodyset/three</socket_follower_body><line_direction_vec>1 2 -0.5</line_direction_vec>
<point_on_line>0.1 0.3 0.1</point_on_line><point_on_follower>0.2 -0.1 0.05</point_on_follower>
</PointOnLineConstraint>"""
BUSHING = """<BushingForce name="rubber"><socket_frame1>f1</socket_frame1><socket_frame2>f2</socket_frame2><frames>
<PhysicalOffsetFrame name="f1"><socket_parent>/bodyset/two</socket_parent><translation>0.1 0.2 0</translation>
<orientation>0.2 -0.3 0.1</orientation></PhysicalOffsetFrame><PhysicalOffsetFrame name="f2">
<socket_parent>/bodyset/three</socket_parent><translation>0 -0.1 0.2</translation>
<orientation>-0.1 0.2 0.3</orientation>
</PhysicalOffsetFrame></frames><rotational_stiffness>3 5 7</rotational_stiffness>
<translational_stiffness>20 30 40</translational_stiffness><rotational_damping>0.3 0.2 0.1</rotational_damping>
<translational_damping>2 1 3</translational_damping></BushingForce>"""
LIMIT = """<CoordinateLimitForce name="stop"><coordinate>b0</coordinate><upper_stiffness>0.5</upper_stiffness>
<upper_limit>10</upper_limit><lower_stiffness>0.3</lower_stiffness><lower_limit>-20</lower_limit>
<damping>0.01</damping><transition>15</transition></CoordinateLimitForce>"""


def tied(*constraints, forces=()):
    """The text of a model whose bodies two and three hang on one and are tied together."""
    extra = in_set("ConstraintSet", *constraints) + in_set("ForceSet", *forces)
    return model(BODIES, JOINTS, extra)
