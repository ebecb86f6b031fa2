"""Corners: joints whose motion jumps, and bodies that slide along wires with friction."""
