"""Kernels of pictures."""
