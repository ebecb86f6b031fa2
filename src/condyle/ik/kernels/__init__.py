"""Compiled residuals and search of inverse kinematics."""
