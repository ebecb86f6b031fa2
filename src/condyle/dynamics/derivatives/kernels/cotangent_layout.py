"""Where the cotangents of bodies and springs stand."""

# numbers of a body: cotangents of its wrench, mass, centre, moment (xx, xy, xz, yy, yz, zz), placement and offset
WRENCH, MASS, CENTER, MOMENT, PLACEMENT, OFFSET, BODY = 0, 6, 7, 10, 16, 22, 28
# and, where its joint begins, in the axes there: force, N and D of all that it carries, and the twist of the parent
CARRIED, CARRIED_N, CARRIED_D, PARENT_TWIST, JOINT = 28, 34, 40, 46, 52
SPRING = 9  # numbers of a spring: those of stiffness, damping, length and both points in their bodies' inertial frames
