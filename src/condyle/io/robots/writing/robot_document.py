"""`write_robot`: a model as a URDF or MJCF file with a certificate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ....errors import Approximated, BadFile, BadValue, NotSupported, require, warn
from ....formats.safe_files import write_text
from ....joints.segments import BALL, FACTORS, FREE
from ....model import Body, Model
from ....typing import PathLike
from ...unwritten import Unwritten, one_sided, rated, records
from .certificate import Certificate
from .coordinate_laws import Law, laws, tie, unwritten_forces, written_forces
from .joint_moves import Moves, coupled_moves, exact_moves, fitted_move
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
    unwritten: Unwritten = field(default_factory=Unwritten)
    laws: dict[str, Law] = field(default_factory=dict)


def write_robot(model: Model, path: PathLike, *, approximate: bool = True, seconds: float = 0.5) -> Certificate:
    """Write a model as URDF (.urdf) or MuJoCo's MJCF (.xml, .mjcf), and a certificate of what is exact beside it.

    Hinges, sliders and their combinations, welds, and in MJCF ball and free joints, are exact. A joint of one
    coordinate that is none of these is approximated over its range: in MJCF by joints coupled by polynomials of order
    4 where one of them is the coordinate itself, else by the nearest hinge about a fixed line (a slider if the body
    never turns); in URDF by that hinge or slider.
    Coordinates that follow others by a polynomial (URDF: linearly) do so in the file, dampers act, and in MJCF springs.

    Parameters
    ----------
    model : Model
    path : path
        The file; `x.certificate.json` and `x.certificate.html` are written beside it.
    approximate : bool, optional
        False refuses by name joints that the format cannot express and whatever else of the model the file would lack;
        pictures may be missing all the same.
    seconds : float, optional
        How long the file swings from rest in the engine that it is for (MuJoCo, or Pinocchio for URDF) beside the
        model in condyle, if that package is installed [s]; 0 for no swing.

    Returns
    -------
    Certificate
        Whether the file is the same mechanism, exact joints, approximated ones with errors in mm, degrees and slopes,
        the swing, and what the file does not have.

    Raises
    ------
    NotSupported
        If a joint can be neither expressed nor approximated, or shall not be, or `approximate` is False and the file
        would lack something else.
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
    bare = model.unfolded()
    loads = written_forces(bare, mjcf)
    written = Written([], laws=laws(bare, loads))
    for i, body in enumerate(bare.bodies):
        written.forms.append(_form(bare, i, body, mjcf, approximate, written))
    _follow(model, written, 4 if mjcf else 1, approximate)
    _leave_out(model, written.unwritten, mjcf)
    written.unwritten.acts += unwritten_forces(bare, loads, mjcf)
    text = FORMS[path.suffix](bare, written)
    if not approximate:
        written.unwritten.require_none(path)
    write_text(path, text)
    tried = swing(model, written.forms, path, seconds) if seconds > 0.0 else None
    left, lost = written.unwritten.all(), tuple(dict.fromkeys(written.unwritten.acts))
    certificate = Certificate(path.name, tuple(written.exact), tuple(written.approximations), left, tried, lost)
    certificate.save(path)
    if certificate.approximations:
        warn(f"{path}: {'; '.join(map(str, certificate.approximations))}", Approximated)
    written.unwritten.tell(path)
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
    single = fitted_move(model, body, name)
    if not mjcf:
        return single
    try:
        coupled = coupled_moves(model, body, name)
    except NotSupported:
        return single
    assert coupled.approximation is not None and single.approximation is not None
    return coupled if coupled.approximation.millimeters <= single.approximation.millimeters else single


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


def _leave_out(model: Model, unwritten: Unwritten, mjcf: bool) -> None:
    """Note what the format is not given."""
    paths = [repr(m.name) for m in model.muscles]
    driven = [repr(name) for name in model.coordinates if model.v_index(name) in model.prescribed]
    kinds = {"springs between points": [str(len(model.line_forces))] if model.line_forces else [],
             "bushings and contacts": [repr(f.name) for f in model.pair_forces],
             "constraints": [c.label for c in model.constraints], "muscles and other paths": paths,
             "prescribed motion": driven}  # fmt: skip
    unwritten.acts += [f"{what} ({_some(names)})" for what, names in kinds.items() if names]
    moved = [repr(name) for name, value in model.defaults.items() if value]
    said = {"markers": [repr(m.name) for m in model.markers], "defaults of coordinates": moved}
    unwritten.says += [f"{what} ({_some(names)})" for what, names in said.items() if names]
    unwritten.says += one_sided(model) + rated(model, () if mjcf else ("velocity", "effort", "friction"))
    shapes = [s for body in model.bodies for s in (*body.shapes, *model.collisions.get(body.name, ()))]
    unwritten.shows += ["mesh files"] if any(shape.kind == "mesh" for shape in shapes) else []
    unwritten.shows += (["collision shapes"] if mjcf and model.collisions else []) + records(model)


def _some(names: list[str]) -> str:
    return ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
