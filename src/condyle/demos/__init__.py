"""Demonstrations: each runs something worth seeing and leaves files to open.

A demonstration is a line of `registry.DEMOS`, which names a module of this package. That module has
`run(name, folder, progress) -> Outcome`, where `name` is the demonstration's, `folder` exists and takes the files,
and `progress` asks for a progress bar.
"""

from .outcome import Outcome
from .registry import DEMOS, Demo, run

__all__ = ["DEMOS", "Demo", "Outcome", "run"]


def __dir__() -> list[str]:
    return sorted(__all__)
