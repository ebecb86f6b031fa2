"""Kinds of status of a step, beyond those of the dynamics."""

BLOWN_UP, STUCK, ASKED, LEFT_DOMAIN, NOT_SOLVED, TOO_MANY, INTERRUPTED = range(8, 15)

FASTEST = 1e9  # [rad/s or m/s] beyond this a motion has diverged
