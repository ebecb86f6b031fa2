"""Viewing models and motions: the live viewer, and exports that need neither viewer nor network."""

import sys
from types import ModuleType

from ..model.overlays import Frames, Line, Sheet
from .export import export
from .joint_paths import joint_paths
from .show import view

__all__ = ["Frames", "Line", "Sheet", "export", "joint_paths", "view"]


class _Callable(ModuleType):
    """Importing this package makes it the attribute `view` of condyle, so `cd.view(model)` must be this package."""

    __call__ = staticmethod(view)


sys.modules[__name__].__class__ = _Callable
