"""A joint of a model replaced by another, such as a spline joint that was fitted to measured poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..design.fit_result import Fit
from ..design.marker_clusters import registration
from ..errors import BadShape, BadValue, NotSupported, require, unknown_name
from ..forces import renumber
from ..joints import Joint
from ..model import Model
from ..model.resolved_constraints import Coupling, Rolling
from ..spatial import SE3
from .inverse_kinematics import Kinematics

LEAST = 3  # markers of a body whose pose they tell


def measured_poses(found: Kinematics, parent: str, child: str) -> np.ndarray:
    """Poses of one body in another as the markers of both have them in each frame, whatever joint is between them.

    Each body is laid onto its measured markers by itself, which needs three of them that are not on a line. Give the
    poses to `cd.design.fit_curve`, with the angles that were found as `coordinates`, and the joint to `replace_joint`.

    Parameters
    ----------
    found : Kinematics
        What inverse kinematics found, with measured markers.
    parent, child : str
        Names of the bodies.

    Returns
    -------
    ndarray, shape (T, 4, 4)
        X_parent_child; NaN in frames that do not show three markers of each.

    Raises
    ------
    UnknownName
        If a body does not exist.
    BadValue
        If a body has fewer than three markers that were followed.
    """
    places = {m.name: m for m in found.model.markers}
    poses = []
    for body in (parent, child):
        if body not in found.model.names:
            raise unknown_name("body", body, found.model.names, "the model")
        own = [k for k, name in enumerate(found.markers) if places[name].body == body]
        require(len(own) >= LEAST, f"body {body!r} has {len(own)} markers that were followed; its pose needs three",
                BadValue, markers=[found.markers[k] for k in own])  # fmt: skip
        shape, seen = np.stack([places[found.markers[k]].at for k in own]), found.measured[:, own]
        poses.append(registration(shape, seen, np.asarray(np.isfinite(seen).all(axis=2))))
    good = np.asarray(np.isfinite(poses).all(axis=(0, 2, 3)))
    out = np.full((len(good), 4, 4), np.nan)
    out[good] = np.linalg.inv(poses[0][good]) @ poses[1][good]
    return out


def replace_joint(
    model: Model, joint: str, new: Joint | Fit, *, coordinates: Sequence[str] | None = None, frames: str = "bodies"
) -> Model:
    """A copy of a model in which another joint carries a body, such as a knee that was fitted to measured poses.

    Everything else stays: other joints, inertias, markers, loads, couplers. What read a coordinate that is no more
    (its range, loads on it, couplers of it) is left out and told in `notes`; couplers that the new coordinate drives
    under an old name go on.

    Parameters
    ----------
    model : Model
    joint : str
        Name of the joint to replace.
    new : Joint or Fit
        In its place.
    coordinates : sequence of str, optional
        What the new joint's coordinates are called. By default they keep the names that they have if some of the old
        joint are among them, else they take the names of the old ones, in order.
    frames : {"bodies", "joint"}
        Whether the new joint gives the pose of the body in its parent, as measured poses of bones do, or stands
        between the same two frames as the old one.

    Returns
    -------
    Model

    Raises
    ------
    UnknownName
        If there is no such joint.
    BadShape
        If there are not as many names as coordinates.
    NotSupported
        If the joint rolls.

    Examples
    --------
    >>> import condyle as cd
    >>> rod = cd.Inertia.point(1.0, (1, 0, 0))
    >>> hinge = cd.joints.revolute("z").renamed("swing")
    >>> model = cd.ModelBuilder().add_body("rod", joint=hinge, inertia=rod, joint_name="hinge").build()
    >>> screw = cd.joints.helical("z", pitch=0.1)
    >>> cd.trial.replace_joint(model, "hinge", screw).coordinates
    ('swing',)
    """
    require(frames in ("bodies", "joint"), "frames are 'bodies' or 'joint'", BadValue, got=frames)
    made = new.joint if isinstance(new, Fit) else new
    require(isinstance(made, Joint), "the new joint must come from cd.joints or cd.design", BadValue, got=type(new))
    old = model.unfolded()
    names = [body.joint_name for body in old.bodies]
    if joint not in names:
        raise unknown_name("joint", joint, names, "the model")
    i = names.index(joint)
    before = old.bodies[i]
    rolls = any(isinstance(c, Rolling) and c.body == i for c in old.constraints)
    require(not rolls, f"joint {joint!r} rolls on its parent by its own coordinates", NotSupported)
    made = made.renamed(_names(made, before.joint, coordinates, joint))
    poses = {"placement": SE3.identity(), "offset": SE3.identity()} if frames == "bodies" else {}
    bodies = (*old.bodies[:i], replace(before, joint=made, **poses), *old.bodies[i + 1 :])
    changed = _with_bodies(old, bodies, i)
    return changed.folded() if model.followers else changed


def _names(made: Joint, old: Joint, given: Sequence[str] | None, joint: str) -> list[str]:
    """The names of the new joint's coordinates."""
    if given is not None:
        return list(given)
    if set(made.coordinates) & set(old.coordinates):
        return list(made.coordinates)
    count = len(made.coordinates)
    require(count <= len(old.coordinates), f"joint {joint!r} has {len(old.coordinates)} coordinates, the new one has "
            f"{count}: name them with coordinates=[…]", BadShape, old=old.coordinates)  # fmt: skip
    return list(old.coordinates[:count])


def _with_bodies(old: Model, bodies: tuple, changed: int) -> Model:
    """The model with other bodies, and all that names or numbers of coordinates said moved to where these are now."""
    said: dict = {key: {} for key in ("ranges", "ratings", "defaults", "motion_types")}
    bare = replace(old, bodies=bodies, forces=(), prescribed={}, constraints=(), **said)
    full = dict(zip(old.coordinates, old.full_names, strict=True))
    kept = {name: full[name] for name in old.coordinates if full[name] in bare.full_names}
    gone = [name for name in old.coordinates if name not in kept]
    q = _moved(old, bare, kept, 1)
    v = _moved(old, bare, kept, 2)
    own = {name for name in kept if old.place_of(name)[0] == changed}
    notes = [f"joint {bodies[changed].joint_name}: replaced by {bodies[changed].joint.title or 'another'}"]
    notes += [f"coordinates that are no more: {', '.join(gone)}"] if gone else []
    constraints, lost = _constraints(old, q, v)
    notes += [f"left out with its coordinate: {label}" for label in lost]
    forces = renumber(old.forces, q, v)
    notes += [f"forces left out with their coordinates: {n}"] if (n := len(old.forces) - len(forces)) else []
    return replace(
        bare,
        forces=forces,
        prescribed={v[k]: motion for k, motion in old.prescribed.items() if k in v},
        constraints=constraints,
        ranges={kept[n]: x for n, x in old.ranges.items() if n in kept and n not in own},
        ratings={kept[n]: x for n, x in old.ratings.items() if n in kept},
        defaults=_defaults(old, bare, kept, own),
        motion_types={kept[n]: x for n, x in old.motion_types.items() if n in kept},
        notes=(*old.notes, *notes),
        opensim=_without(old.opensim, gone),
    )  # fmt: skip


def _moved(old: Model, new: Model, kept: dict[str, str], which: int) -> dict[int, int]:
    """Old → new index in q (1) or v (2) of coordinates that are kept."""
    widths = dict(zip(old.coordinates, (p.widths[which - 1] for p in old.coordinate_places), strict=True))
    return {
        old.place_of(name)[which] + k: new.place_of(there)[which] + k
        for name, there in kept.items()
        for k in range(widths[name])
    }


def _constraints(old: Model, q: dict[int, int], v: dict[int, int]) -> tuple[tuple, list[str]]:
    """Those whose coordinates are kept, at their new places, and the labels of the others."""
    kept, lost = [], []
    for c in old.constraints:
        if not isinstance(c, Coupling):
            kept.append(c)
        elif c.v in v and all(b in v for _, b in c.others):
            kept.append(replace(c, q=q[c.q], v=v[c.v], others=tuple((q[a], v[b]) for a, b in c.others)))
        else:
            lost.append(c.label)
    return tuple(kept), lost


def _defaults(old: Model, new: Model, kept: dict[str, str], own: set[str]) -> dict[str, float]:
    """Defaults of coordinates that are kept; those of the new joint in its domain."""
    found = {kept[n]: x for n, x in old.defaults.items() if n in kept}
    return {n: float(np.clip(x, *new.range_of(n))) if n in {kept[o] for o in own} else x for n, x in found.items()}


def _without(opensim, gone: list[str]):
    if opensim is None:
        return None
    left = {name: c for name, c in opensim.coordinates.items() if name not in gone}
    return replace(opensim, coordinates=left)
