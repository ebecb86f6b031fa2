"""Compiled integrators and what they read each step."""
