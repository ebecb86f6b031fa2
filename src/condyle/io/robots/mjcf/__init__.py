"""Models from MuJoCo's files (MJCF)."""
