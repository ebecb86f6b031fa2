"""Postures of an arm: forward, inverse, along a path."""
