"""Seeing models and motions: the live viewer, and exports that need neither viewer nor network."""

from .export import export
from .show import view

__all__ = ["export", "view"]
