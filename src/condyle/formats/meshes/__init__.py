"""Meshes in files: what they claim to hold, and their triangles."""
