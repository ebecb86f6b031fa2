"""Compiled recursions over a tree of bodies: kinematics, forward and inverse dynamics, constraints."""
