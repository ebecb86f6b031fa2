"""Model files of MuJoCo (MJCF) as plain data: includes, default classes, attributes, poses."""
