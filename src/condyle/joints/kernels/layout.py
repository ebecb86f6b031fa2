"""Where things stand in the two arrays that kernels read: `codes` (integers) and `numbers` (floats).

Records are runs of integers in `codes`; a field is an offset into its record. Positions in `codes` and `numbers` that
a record holds are absolute.
"""

# segment record
SEGMENT_SIZE = 8
KIND, TERMS, FIRST_TERM, AXES, FIRST_AXIS, ROWS, STRIDE, BASE = range(SEGMENT_SIZE)
# BASE: for a quaternion, where its q and v begin: q0 · 2^20 + v0 relative to the joint

# term record (one factor)
TERM_SIZE = 9
CODE, Q_INDEX, V_INDEX, AXIS, AT, ORDER, DIMENSIONS, FIRST_READER, TURNS = range(TERM_SIZE)
# AT: where in the row the factor begins: axis n, rate w, v, 1/w, then the function's constants;
# TURNS: 0 if the factor is a translation in every row

# reader record: one coordinate of a polynomial in several
READER_SIZE = 4
READ_Q, READ_V, READ_AXIS, READ_ORDER = range(READER_SIZE)

# axis record: how a coordinate selects a row
AXIS_SIZE = 6
LOOKED_UP, BREAKS, COUNT, BUCKETS, SIZE, PERIODIC = range(AXIS_SIZE)

# a row: centres (padded to 4), pose (rotation by rows, position), factors
POSE = 4
FACTORS_AT = 16
FACTOR_HEAD = 8
CENTERS = 4

# a row of a motion in a plane: centre (padded to 4), pose (cos, sin, x, y), factors: w, vx, vy, 1/w, then constants
PLANE_POSE = 4
PLANE_FACTORS_AT = 8
PLANE_HEAD = 4

SPLIT = 1 << 20

# kinds of segment
FACTORS, BALL, FREE = 0, 1, 2
# kinds of scalar function
POLYNOMIAL, SINUSOID, ELLIPSE = 0, 1, 2
