"""Where a model's parts stand in `codes` and `numbers`."""

# header of codes
HEADER_SIZE = 24
(
    BODIES,
    NQ,
    NV,
    FIRST_BODY,
    PRESCRIBED,
    WORK,
    GRAVITY,
    COORDINATE_LOADS,
    FIRST_COORDINATE_LOAD,
    SPRINGS,
    FIRST_SPRING,
    WIDEST,
    QUATERNIONS,
    FIRST_QUATERNION,
    DRIVES,
    FIRST_DRIVE,
    PLAIN,
    FIRST_PLAIN,
    KNOTTED,
    FIRST_KNOTTED,
) = range(20)
# PRESCRIBED: nv flags; GRAVITY: position of 3 numbers; WIDEST: most velocities of one joint;
# PLAIN: pairs (position in q, position in v) of the coordinates whose rate is their velocity;
# KNOTTED: triples (position in q, position in v, axis record) of coordinates that select rows

# body record
BODY_SIZE = 13
PARENT, SHAPE, Q0, V0, WIDTH, SEGMENT, SEGMENTS, ROW, MASS, CHILDREN, STARTS, IN_PLANE, FREEDOM = range(BODY_SIZE)
# PARENT: slot of the parent (0 the world, body i is slot i + 1); MASS: position of mass and principal moments;
# STARTS: 1 if this is the first of its siblings that an inward pass meets; IN_PLANE: segments of the form in a plane;
# FREEDOM: what can move the body without being prescribed

GENERAL, LINEAR, PLANE = 0, 1, 2
NOTHING, OWN_JOINT, SOMETHING_ABOVE = 0, 1, 2
# SEGMENT holds a general joint's records; ROW the row of a linear one, and of one in a plane the head of its form

# linear row: M0, M1, M2 (9 each), P0, P1, P2, P3 (3 each), g (6), w
ROW_P, ROW_G, ROW_W = 27, 39, 45

# head of a joint in a plane, A · P(q) · B: rotation and position of A, then of B
PLANE_PA, PLANE_RB, PLANE_PB = 9, 12, 21

# coordinate load record
LOAD_SIZE = 4
LOAD_KIND, LOAD_Q, LOAD_V, LOAD_AT = range(LOAD_SIZE)
SPRING_DAMPER, LIMIT, DAMPER, CONSTANT = range(4)
# SPRING_DAMPER: stiffness, rest, damping; LIMIT: low, high, stiffness, damping; DAMPER: damping; CONSTANT: force

# point spring record; numbers: point on a (3), point on b (3), stiffness, damping, length
SPRING_SIZE = 4
SPRING_A, SPRING_B, SPRING_AT, SPRING_UNUSED = range(SPRING_SIZE)

# quaternion record: position in q, position in v, 1 if free
QUATERNION_SIZE = 4

# drive record of a prescribed coordinate: positions in q and v, a grid on time, rows of polynomials.
# A row: centre (padded to 4), then the coefficients of x, ẋ and ẍ.
DRIVE_SIZE = 8
DRIVE_Q, DRIVE_V, DRIVE_BREAKS, DRIVE_COUNT, DRIVE_BUCKETS, DRIVE_BUCKET_COUNT, DRIVE_ROWS, DRIVE_ORDER = range(
    DRIVE_SIZE
)

# constraints in the header: how many, where their records begin, rows of all, rows of those that hold positions (first)
CONSTRAINTS, FIRST_CONSTRAINT, CONSTRAINT_ROWS, POSITION_ROWS = range(20, 24)

# constraint record: its kind, first row and number of rows, its index as given, then for
# POINT, WELD: slots of the two bodies, position of their two frames (rotation 9, position 3 numbers each);
# COUPLE: positions in q and v of the coordinate, of the first of the others, segments of the function as a slide along
# x, and how many velocities it is from the first of the others to the last;
# ROLL: body record, segments of the contact frame, its axes along which nothing slips
CONSTRAINT_SIZE = 11
KIND, FIRST_ROW, ROWS, GIVEN = range(4)
BODY_A, BODY_B, FRAMES = 4, 5, 6
COUPLED_Q, COUPLED_V, OTHER_Q, OTHER_V, SLIDE, SLIDES, OTHERS = range(4, 11)
ROLLER, CONTACT, CONTACTS, TANGENTS = 4, 5, 6, 7
POINT, WELD, COUPLE, ROLL = range(4)
FRAME_SIZE = 12
