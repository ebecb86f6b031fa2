"""Kinds of status of a step, beyond those of the dynamics."""

BLOWN_UP, STUCK, ASKED, LEFT_DOMAIN, NOT_SOLVED = range(8, 13)
