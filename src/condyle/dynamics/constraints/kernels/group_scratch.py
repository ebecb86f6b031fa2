"""Scratch of constraints that are eliminated in groups, beside that of the tree."""

from typing import Any, NamedTuple

from ....model.kernels.records import grouping, header
from ....numeric import kernel, scratch, store


class GroupScratch(NamedTuple):
    """Arrays over groups, and over the rows of all constraints."""

    groups: Any  # as `Group` says, then K of every body of it
    responses: Any  # e_l of every velocity, `widest` each
    gap: Any
    rate: Any
    found: Any  # DOUBT, SIZE, LEFT
    still: Any  # nv zeros
    step: Any  # nv numbers


DOUBT, SIZE, LEFT = range(3)  # whether a pivot is doubtful, the largest |b|, the largest |b| that no λ gives


@kernel
def group_scratch(z, t):
    """Allocate the scratch of the groups of a model's constraints."""
    g, rows, nv = grouping(t), header(t).constraint_rows, header(t).nv
    still, gap = scratch(z, nv), scratch(z, rows)
    for k in range(nv):
        store(z, still, k, z)
    for k in range(rows):  # rolling has none
        store(z, gap, k, z)
    return GroupScratch(
        groups=scratch(z, g.room),
        responses=scratch(z, g.widest * nv),
        gap=gap,
        rate=scratch(z, rows),
        found=scratch(z, 3),
        still=still,
        step=scratch(z, nv),
    )
