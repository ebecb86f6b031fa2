"""Viewing models and motions: the live viewer, and exports that need neither viewer nor network.

The package is also a function: `cd.view(model)` opens the viewer, `cd.view.export(model, path)` writes a file.
Importing a package makes it an attribute of its parent, so `cd.view` cannot be a plain function beside this package.
"""

import sys
from types import ModuleType

from ..model.look.overlays import Frames, Line, Sheet
from .export import export
from .joint_paths import joint_paths
from .show import view

__all__ = ["Frames", "Line", "Sheet", "export", "joint_paths", "view"]


class ViewPackage(ModuleType):
    """This package as type checkers see it: its names, and the call that is `view`."""

    Frames, Line, Sheet = Frames, Line, Sheet
    export, joint_paths, view = staticmethod(export), staticmethod(joint_paths), staticmethod(view)
    __call__ = staticmethod(view)


def __dir__() -> list[str]:
    return sorted(__all__)


sys.modules[__name__].__class__ = ViewPackage
