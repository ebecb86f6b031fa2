"""Compiled constraints: rows, gaps, multipliers, constrained accelerations, projection."""
