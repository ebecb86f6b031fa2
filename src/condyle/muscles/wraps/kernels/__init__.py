"""Kernels of the surfaces that paths wrap over, and of the way over several of them."""
