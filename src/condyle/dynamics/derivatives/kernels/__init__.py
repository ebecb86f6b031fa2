"""Compiled derivatives of the recursions over a tree of bodies."""
