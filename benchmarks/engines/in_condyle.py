"""A mechanism as a condyle model."""

import condyle as cd

__all__ = ["JOINTS", "model"]

JOINTS = {
    "revolute": cd.joints.revolute,
    "prismatic": cd.joints.prismatic,
    "universal": cd.joints.universal,
    "ball": cd.joints.ball,
    "free": cd.joints.free,
}


def model(mechanism, joints=None):
    """The model; `joints` replaces the mechanism's own, one for each part."""
    b = cd.ModelBuilder()
    for i, p in enumerate(mechanism.parts):
        b.add_body(
            f"b{i}",
            parent=f"b{p.parent}" if p.parent >= 0 else None,
            joint=joints[i] if joints else JOINTS[p.kind](*p.axes),
            inertia=cd.Inertia(p.mass, p.com, p.moment),
            placement=cd.SE3.from_matrix(p.placement),
        )
    return b.build()
