"""Kernels of paths and of the laws of muscles."""
