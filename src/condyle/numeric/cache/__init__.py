"""Compiled kernels kept between runs: a folder that only this user can write to, files with checksums, Numba's hook."""
