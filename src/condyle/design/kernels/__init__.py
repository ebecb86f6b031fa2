"""Compiled parts of fitting."""
