"""Motions that are optimal as a whole: direct collocation on exact derivatives."""
