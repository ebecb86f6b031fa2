"""Meshes of triangles: bones and other surfaces as measured, their charts, and patches fitted to them."""
