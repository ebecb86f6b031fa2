"""`write_robot`: a model as a URDF or MJCF file with a certificate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ....errors import Approximated, BadFile, NotInModel, NotSupported, require, warn
from ....formats.safe_files import write_text
from ....joints.segments import BALL, FACTORS, FREE
from ....model import Body, Model
from ....typing import PathLike
from .certificate import Certificate
from .joint_moves import Moves, coupled_moves, exact_moves, fitted_hinge
from .mjcf_text import mjcf_text
from .urdf_text import urdf_text

FORMS: dict[str, Callable[..., str]] = {".xml": mjcf_text, ".mjcf": mjcf_text, ".urdf": urdf_text}


@dataclass
class Written:
    """What is written of a model: for each body its moves, or "ball" or "free"; and what is told of it."""

    forms: list[Moves | str]
    exact: list[str] = field(default_factory=list)
    approximations: list = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def write_robot(model: Model, path: PathLike, *, approximate: bool = True) -> Certificate:
    """Write a model as URDF (.urdf) or MuJoCo's MJCF (.xml, .mjcf), and a certificate of what is exact beside it.

    Hinges, sliders and their combinations, welds, and in MJCF ball and free joints, are exact. A joint of one
    coordinate that is none of these is approximated over its range: in MJCF by joints coupled by polynomials of order
    4 where one of them is the coordinate itself, else by the nearest hinge about a fixed line; in URDF by that hinge.

    Parameters
    ----------
    model : Model
    path : path
        The file; `x.certificate.json` and `x.certificate.html` are written beside it.
    approximate : bool, optional
        False refuses joints that the format cannot express, by name.

    Returns
    -------
    Certificate
        Exact joints, approximated ones with errors in mm, degrees and slopes, and what the file does not say.

    Raises
    ------
    NotSupported
        If a joint can be neither expressed nor approximated, or shall not be.
    BadFile
        If the suffix is another's, or a file cannot be written.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.box(2.0, (0.1, 0.1, 1.0), com=(0, 0, -0.5))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.io.write_robot(model, "pendulum.urdf").exact
    ('bob',)
    """
    path = Path(path)
    if path.suffix not in FORMS:
        raise BadFile(f"{path}: a robot's file ends in {', '.join(FORMS)}")
    model = model.unfolded()
    written = Written([])
    for i, body in enumerate(model.bodies):
        written.forms.append(_form(model, i, body, path.suffix != ".urdf", approximate, written))
    written.left_out += _left_out(model)
    write_text(path, FORMS[path.suffix](model, written))
    left = tuple(dict.fromkeys(written.left_out))
    certificate = Certificate(path.name, tuple(written.exact), tuple(written.approximations), left)
    certificate.save(path)
    if certificate.approximations:
        warn(f"{path}: {'; '.join(map(str, certificate.approximations))}", Approximated)
    if left:
        warn(f"{path} does not have {', '.join(left)}", NotInModel)
    return certificate


def _form(model: Model, i: int, body: Body, mjcf: bool, approximate: bool, written: Written) -> Moves | str:
    """The moves of a joint, or its quaternion, noted as exact or approximated."""
    joint, own = body.joint, [n for n, p in zip(model.coordinates, model.coordinate_places, strict=True) if p.body == i]
    if any(s.kind != FACTORS for s in joint.segments):
        written.exact.append(body.joint_name)
        return _quaternion(body, mjcf)
    found = exact_moves(model, body, own)
    if found is not None:
        written.exact.append(body.joint_name)
        return found
    what = f"joint {body.joint_name!r} ({joint.title}) is none that the file can express exactly"
    require(approximate, f"{what}; approximate=True writes one near it", NotSupported)
    require(len(own) == 1, f"{what}, and only joints of one coordinate are approximated", NotSupported, coordinates=own)
    near = _nearest(model, body, own[0], mjcf)
    written.approximations.append(near.approximation)
    return near


def _nearest(model: Model, body: Body, name: str, mjcf: bool) -> Moves:
    """The better of the forms that the format has."""
    hinge = fitted_hinge(model, body, name)
    if not mjcf:
        return hinge
    try:
        coupled = coupled_moves(model, body, name)
    except NotSupported:
        return hinge
    assert coupled.approximation is not None and hinge.approximation is not None
    return coupled if coupled.approximation.millimeters <= hinge.approximation.millimeters else hinge


def _quaternion(body: Body, mjcf: bool) -> str:
    """A ball or free joint whose frame is the body's."""
    kinds = [s.kind for s in body.joint.segments]
    plain = kinds in ([BALL], [FREE]) and np.allclose(body.offset.as_matrix(), np.eye(4), atol=1e-12)
    floats = kinds == [FREE] and body.parent < 0 and np.allclose(body.placement.as_matrix(), np.eye(4), atol=1e-12)
    good = plain and (floats or (mjcf and kinds == [BALL]))
    where = "a ball or a free joint of the world" if mjcf else "a free joint of the world (floating)"
    require(
        good, f"joint {body.joint_name!r}: of quaternions the file can have {where}, at its body's origin", NotSupported
    )
    return "free" if floats else "ball"


def _left_out(model: Model) -> list[str]:
    """What neither format is given."""
    kinds = {"springs between points": model.springs, "constraints": model.constraints, "muscles": model.muscles,
             "prescribed motion": model.prescribed, "forces on coordinates": model.coordinate_loads,
             "markers": model.markers}  # fmt: skip
    meshes = any(shape.kind == "mesh" for body in model.bodies for shape in body.shapes)
    return [name for name, some in kinds.items() if len(some)] + (["mesh files"] if meshes else [])
