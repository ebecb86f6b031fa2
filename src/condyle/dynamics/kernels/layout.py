"""Scratch of the recursions: numbers per slot (slot 0 is the world, body i is slot i + 1) and per velocity."""

SLOT = 54
ROTATION, POSITION, OFFSET, TWIST, BIAS, AA, BB, CC, FORCE = 0, 9, 12, 15, 21, 27, 33, 42, 48
# FORCE holds the articulated bias force on the way in and the acceleration on the way out

COLUMN = 14
AXIS, REACTION, INVERSE, REST = 0, 6, 12, 13

# status of a state: kind + KINDS · body, or from LOOP_OPEN on kind + KINDS · constraint
RANK_LOST, NOT_FINITE = 1, 2
LOOP_OPEN, LOOP_MOVES, LOOP_CONFLICT, NOT_CLOSED = 4, 5, 6, 7
KINDS = 16  # 8 and more: kinds of the simulation
