"""Kinds of status of a state or a step: all of them, so that no two features take the same number.

A status is 0 while all is well, else kind + KINDS · place, where the place is a body, from LOOP_OPEN to NOT_CLOSED a
constraint, of LEFT_DOMAIN a coordinate and of NO_PATH and FIBER_DIVERGED a muscle. Where a kind is found, its package
has the words for it. Numbers are not stored in files: they may change.
"""

RANK_LOST, NOT_FINITE = 1, 2  # of accelerations
FIBER_DIVERGED = 3  # of a step of muscles
LOOP_OPEN, LOOP_MOVES, LOOP_CONFLICT, NOT_CLOSED = range(4, 8)  # of constraints
BLOWN_UP, STUCK, ASKED, LEFT_DOMAIN, NOT_SOLVED, TOO_MANY, INTERRUPTED = range(8, 15)  # of steps in time
NO_PATH = 15  # of muscles
KINDS = 64  # more than there are kinds

FASTEST = 1e9  # [rad/s or m/s] beyond this a motion has BLOWN_UP
