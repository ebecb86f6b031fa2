"""Measured tables and markers in files: CSV, STO, MOT, TRC, C3D."""
