"""Types of arguments that many public functions share, for signatures and for your own annotations."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Literal, SupportsFloat, TypeAlias

from numpy.typing import ArrayLike as NumpyArrayLike
from numpy.typing import NDArray

__all__ = ["ArrayLike", "NDArray", "OnFailure", "PathLike", "Progress"]

ArrayLike: TypeAlias = NumpyArrayLike | Sequence[SupportsFloat]
"""What NumPy makes an array of: numbers, nested sequences of them, arrays and poses, tuples with NumPy numbers."""

PathLike: TypeAlias = str | os.PathLike[str]
"""A path to a file or folder."""

OnFailure: TypeAlias = Literal["raise", "nan"]
"""What a state that cannot be computed gives: an error with its index, or NaN."""

Progress: TypeAlias = bool | Callable[[str, int, int], object]
"""True shows a bar on a terminal; a function is called with (stage, done, total)."""
