"""The builder of models: one file for each thing that it is told."""

from .model_builder import ModelBuilder

__all__ = ["ModelBuilder"]
