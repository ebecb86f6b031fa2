"""Where the cotangents of bodies and springs stand."""

# numbers of a body: cotangents of its wrench, mass, centre, moment (nine, by rows), a zero, placement and offset; every
# part ends at an even place, as `unpack_runs` wants it
WRENCH, MASS, CENTER, MOMENT, PLACEMENT, OFFSET, BODY = 0, 6, 7, 10, 20, 26, 32
# and, where its joint begins, in the axes there: force, N and D of all that it carries, and the twist of the parent
CARRIED, CARRIED_N, CARRIED_D, PARENT_TWIST, JOINT = 32, 38, 44, 50, 56
SPRING = 9  # numbers of a spring: those of stiffness, damping, length and both points in their bodies' inertial frames
