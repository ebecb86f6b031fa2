"""Bézier triangles and surfaces made of them."""
