"""`write_robot`: a model as a URDF or MJCF file with a certificate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ....errors import Approximated, BadFile, BadValue, NotInModel, NotSupported, require, warn
from ....formats.safe_files import write_text
from ....joints.segments import BALL, FACTORS, FREE
from ....model import Body, Model
from ....typing import PathLike
from .certificate import Certificate
from .coordinate_laws import Law, laws, tie, unwritten_loads, written_loads
from .joint_moves import Moves, coupled_moves, exact_moves, fitted_hinge
from .mjcf_text import mjcf_text
from .other_engine import swing
from .urdf_text import urdf_text

FORMS: dict[str, Callable[..., str]] = {".xml": mjcf_text, ".mjcf": mjcf_text, ".urdf": urdf_text}


@dataclass
class Written:
    """What is written of a model: for each body its moves, or "ball" or "free"; and what is told of it."""

    forms: list[Moves | str]
    exact: list[str] = field(default_factory=list)
    approximations: list = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    laws: dict[str, Law] = field(default_factory=dict)


def write_robot(model: Model, path: PathLike, *, approximate: bool = True, seconds: float = 0.5) -> Certificate:
    """Write a model as URDF (.urdf) or MuJoCo's MJCF (.xml, .mjcf), and a certificate of what is exact beside it.

    Hinges, sliders and their combinations, welds, and in MJCF ball and free joints, are exact. A joint of one
    coordinate that is none of these is approximated over its range: in MJCF by joints coupled by polynomials of order
    4 where one of them is the coordinate itself, else by the nearest hinge about a fixed line; in URDF by that hinge.
    Coordinates that follow others by a polynomial (URDF: linearly) do so in the file, dampers act, and in MJCF springs.

    Parameters
    ----------
    model : Model
    path : path
        The file; `x.certificate.json` and `x.certificate.html` are written beside it.
    approximate : bool, optional
        False refuses joints that the format cannot express, by name.
    seconds : float, optional
        How long the file swings from rest in the engine that it is for (MuJoCo, or Pinocchio for URDF) beside the
        model in condyle, if that package is installed [s]; 0 for no swing.

    Returns
    -------
    Certificate
        Exact joints, approximated ones with errors in mm, degrees and slopes, the swing, and what the file does not
        say.

    Raises
    ------
    NotSupported
        If a joint can be neither expressed nor approximated, or shall not be.
    BadFile
        If the suffix is another's, or a file cannot be written.
    BadValue
        If `seconds` is negative or not finite.

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
    require(0.0 <= seconds < np.inf, "seconds must be a finite time, or 0 for no swing", BadValue, got=seconds)
    mjcf = path.suffix != ".urdf"
    model = model.folded()
    bare, loads = model.unfolded(), written_loads(model, mjcf)
    written = Written([], laws=laws(bare, written_loads(bare, mjcf)))
    for i, body in enumerate(bare.bodies):
        written.forms.append(_form(bare, i, body, mjcf, approximate, written))
    _follow(model, written, 4 if mjcf else 1, approximate)
    written.left_out += _left_out(model) + unwritten_loads(bare, written_loads(bare, mjcf), mjcf)
    write_text(path, FORMS[path.suffix](bare, written))
    tried = swing(model, loads, written.forms, path, seconds) if seconds > 0.0 else None
    left = tuple(dict.fromkeys(written.left_out))
    certificate = Certificate(path.name, tuple(written.exact), tuple(written.approximations), left, tried)
    certificate.save(path)
    if certificate.approximations:
        warn(f"{path}: {'; '.join(map(str, certificate.approximations))}", Approximated)
    if left:
        warn(f"{path} does not have {', '.join(left)}", NotInModel)
    return certificate


def _follow(model: Model, written: Written, order: int, approximate: bool) -> None:
    """Let the moves of followers follow their drivers, by the nearest polynomials of this order where need be."""
    followers = {f.name: f for f in model.followers}
    for k, form in enumerate(written.forms):
        moves = list(form.moves) if isinstance(form, Moves) else []
        for n, move in enumerate(moves):
            if move.follows is None and move.name in followers:
                f = followers[move.name]
                found, error = tie(model, f, order, move.hinge)
                words = f"{f.name!r} follows {f.driver!r} by no polynomial of order {order}, which the format needs"
                require(error is None or approximate, f"{words}; approximate=True writes one near it", NotSupported)
                moves[n] = replace(move, follows=(f.driver, found))
                written.approximations += [] if error is None else [error]
        if isinstance(form, Moves):
            written.forms[k] = replace(form, moves=tuple(moves))


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
    at_world = body.parent < 0 and np.allclose(body.placement.as_matrix(), np.eye(4), atol=1e-12)
    floats = kinds == [FREE] and (at_world or not mjcf)
    good = plain and (floats or (mjcf and kinds == [BALL]))
    where = "a ball or a free joint of the world" if mjcf else "a free joint (floating)"
    require(
        good, f"joint {body.joint_name!r}: of quaternions the file can have {where}, at its body's origin", NotSupported
    )
    return "free" if floats else "ball"


def _left_out(model: Model) -> list[str]:
    """What neither format is given."""
    kinds = {"springs between points": model.springs, "bushings": model.bushings, "constraints": model.constraints,
             "muscles": model.muscles, "prescribed motion": model.prescribed, "markers": model.markers}  # fmt: skip
    shapes = [s for body in model.bodies for s in (*body.shapes, *model.collisions.get(body.name, ()))]
    meshes = any(shape.kind == "mesh" for shape in shapes)
    return [name for name, some in kinds.items() if len(some)] + (["mesh files"] if meshes else [])
