"""Models from URDF files."""
