"""Deprecated: demonstrations are scenes; `run` is `condyle.gallery.show`, `DEMOS` is `condyle.gallery.SCENES`."""

import warnings

from .gallery.catalogue import SCENES as DEMOS
from .gallery.catalogue import Listing as Demo
from .gallery.showing import Outcome
from .gallery.showing import show as run

__all__ = ["DEMOS", "Demo", "Outcome", "run"]

warnings.warn("condyle.demos will go; use condyle.gallery.SCENES and .show", DeprecationWarning, stacklevel=2)
