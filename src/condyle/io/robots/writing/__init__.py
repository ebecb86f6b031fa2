"""Models written as URDF and MJCF, with a certificate."""
