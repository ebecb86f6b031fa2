"""Constraints of a tree: their gaps and the forces that hold them."""
