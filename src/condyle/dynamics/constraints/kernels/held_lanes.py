"""Constraints held and closed for states side by side, in any model: by groups or, with followers, by rows.

Which it is, is decided when compiling, by whether the scratch of the tree has room for followers.
"""

from ....numeric import inlined
from .constraint_scratch import constraint_scratch, group_scratch
from .group_projection import project_by_groups
from .grouped_lanes import forward_by_groups
from .rows_side_by_side import forward_side_by_side, project_side_by_side


@inlined
def lane_scratch(z, t, folded=None):
    """Scratch of the constraints; `folded` is as `tree_scratch` takes it."""
    if folded is None:
        return group_scratch(z, t)
    return constraint_scratch(z, t)


@inlined
def forward_lanes(z, t, q, v, a, external, m, c):
    """Accelerations a that hold the constraints; a status that is not 0 says only that the lane is odd."""
    return _forward(z, t, (q, v, a), external, m, c, m.fold)


@inlined
def project_lanes(z, t, q, v, m, c):
    """Put q (but for rolling) and v onto the constraints; 0 where a lane is on them, else it is odd."""
    return _project(z, t, q, v, m, c, m.fold)


@inlined
def _forward(z, t, states, external, m, c, fold):
    q, v, a = states
    if fold is None:
        return forward_by_groups(z, t, q, v, a, external, m, c)
    return forward_side_by_side(z, t, q, v, a, external, m, c)


@inlined
def _project(z, t, q, v, m, c, fold):
    if fold is None:
        return project_by_groups(z, t, q, v, m, c)
    return project_side_by_side(z, t, q, v, m, c)
