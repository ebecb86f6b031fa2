"""Deprecated: demonstrations are scenes; `run` is `condyle.gallery.show`, `DEMOS` is `condyle.gallery.SCENES`."""

import warnings

warnings.warn("condyle.demos will go; use condyle.gallery.SCENES and .show", DeprecationWarning, stacklevel=2)
