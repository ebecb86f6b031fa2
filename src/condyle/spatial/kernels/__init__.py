"""Rigid-body algebra on tuples of numbers of any type."""
