"""Where the cotangents of bodies and springs stand."""

# numbers of a body: cotangents of its wrench, mass, centre, moment (xx, xy, xz, yy, yz, zz), placement and offset
WRENCH, MASS, CENTER, MOMENT, PLACEMENT, OFFSET, BODY = 0, 6, 7, 10, 16, 22, 28
SPRING = 9  # numbers of a spring: those of stiffness, damping, length and both points in their bodies' inertial frames
