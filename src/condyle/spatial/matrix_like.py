"""What lets a value with `as_matrix()` stand where NumPy expects an array (..., 4, 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadShape


class MatrixLike(np.lib.mixins.NDArrayOperatorsMixin):
    """NumPy's functions and operators, applied to the matrices; the results are plain arrays.

    Operators that NumPy writes into the left operand give a new array instead: values are not changed.
    """

    __slots__ = ()

    __hash__ = object.__hash__  # type: ignore[assignment]  # comparisons are elementwise, as those of arrays; a key is the object itself

    if TYPE_CHECKING:

        def as_matrix(self) -> np.ndarray: ...

    else:

        def __getattr__(self, name: str):
            """Name the way to what arrays have and poses have not."""
            kind = type(self).__name__
            hint = f"; its matrices have: x.as_matrix().{name}" if hasattr(np.ndarray, name) else ""
            raise AttributeError(f"{kind!r} object has no attribute {name!r}{hint}")

    def __array__(self, dtype=None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError(f"{type(self).__name__} becomes an array only by making one; got copy=False")
        return self.as_matrix().astype(np.float64 if dtype is None else dtype, copy=False)

    def __array_ufunc__(self, ufunc, method: str, *inputs, out=(), **options):
        arrays = [x.as_matrix() if isinstance(x, MatrixLike) else x for x in inputs]
        if out and not any(isinstance(x, MatrixLike) for x in out):
            options["out"] = out
        try:
            return getattr(ufunc, method)(*arrays, **options)
        except (TypeError, ValueError) as trouble:
            advice = "; points (..., 3) are moved by X.apply(points)" if ufunc is np.matmul else ""
            said = str(trouble).partition("\n")[0]
            raise BadShape(f"a pose stands for its matrices (..., 4, 4) here: {said}{advice}") from None

    def __setitem__(self, index, value) -> None:
        raise TypeError("a pose is a value and cannot be changed in part; change a copy, T = X.as_matrix()")


def means_entries(index: tuple, batch: int) -> bool:
    """Whether an index of poses with `batch` leading axes takes entries of their matrices, not poses of the batch.

    Without `...`, as many indices as batch axes (or fewer) take poses and two more take entries. After `...` one index
    takes poses; two take entries, unless the batch has room for them too: that has two meanings and is refused.
    """
    used = [0 if i is None or i is Ellipsis else _axes_of(i) for i in index]
    dots = next((k for k, i in enumerate(index) if i is Ellipsis), len(index))
    total, after = sum(used), sum(used[dots:])
    if after >= 2 and total <= batch:
        raise IndexError(
            "this index could mean poses of the batch or entries of their matrices: write X.as_matrix()[…] for entries "
            "(positions are X.xyz), or index the batch without '...'"
        )
    entries = total > batch and (total == batch + 2 or (after >= 2 and total == batch + 1))
    if total > batch and not entries:
        raise IndexError(
            f"got {total} indices for poses whose batch has {batch} axes: {batch} take poses, {batch + 2} take entries "
            "of the matrices. Rows and columns are those of X.as_matrix()"
        )
    return entries


def _axes_of(index) -> int:
    """How many axes an index takes: a mask takes as many as it has."""
    array = np.asarray(index) if isinstance(index, (list, np.ndarray, bool, np.bool)) else None
    return array.ndim if array is not None and array.dtype == bool else 1
