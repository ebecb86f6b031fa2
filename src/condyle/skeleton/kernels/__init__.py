"""Compiled steps, accelerations and constraint solvers of skeletons."""
