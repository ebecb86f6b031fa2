"""Compiled kernels kept between runs: a folder that only this user can write to, files with checksums, Numba's hook."""

from .folder import cache_folder
from .kernel_cache import KernelCache, keep

__all__ = ["KernelCache", "cache_folder", "keep"]
