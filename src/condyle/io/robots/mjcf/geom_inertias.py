"""Inertias of the bodies of an MJCF file: given, or summed over geoms, then mended as <compiler> says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....errors import BadFile, require
from ....formats.mjcf.attributes import Attributes
from ....spatial import Inertia
from ....spatial.twists import pose_matrix
from ...inertias import file_inertia
from .compiler_settings import Compiler
from .geoms import Geom
from .tree import MjcfBody

LEAST = 1e-15  # [kg]: MuJoCo's zero


def set_inertias(bodies: Sequence[MjcfBody], compiler: Compiler, way: str) -> None:
    """Give every body its inertia."""
    for body in bodies:
        body.inertia = _mended(_stated(body, compiler, way), compiler)
    if compiler.total_mass > 0.0:
        _rescale(bodies, compiler.total_mass)


def _stated(body: MjcfBody, compiler: Compiler, way: str) -> Inertia:
    """What the body says of itself, or what its geoms say."""
    if body.inertial is not None and compiler.inertia_from_geoms != "true":
        return _given(body.inertial, body, compiler, way)
    return Inertia.massless() if compiler.inertia_from_geoms == "false" else _summed(body.geoms, compiler)


def _summed(geoms: Sequence[Geom], compiler: Compiler) -> Inertia:
    low, high = compiler.groups
    whole = Inertia.massless()
    for geom in geoms:
        if low <= geom.group <= high:
            whole = whole + geom.inertia()
    return whole


def _given(a: Attributes, body: MjcfBody, compiler: Compiler, way: str) -> Inertia:
    mass, full = a.number("mass"), a.has("fullinertia")
    require(mass >= 0.0, f"{a.where}: a mass must not be negative", BadFile, got=mass)
    R = np.eye(3) if full else compiler.angles.rotation(a)
    place = pose_matrix(R, np.array(a.numbers("pos", 3, default=(0.0, 0.0, 0.0))))
    moment = np.array(a.numbers("fullinertia", 6)) if full else _diagonal(a, compiler)
    return file_inertia(mass, np.zeros(3), moment, f"body {body.name!r}", way).moved(body.inertial_frame @ place)


def _diagonal(a: Attributes, compiler: Compiler) -> np.ndarray:
    """Principal moments, balanced before they are looked at if the file asks for it."""
    moments = np.maximum(a.numbers("diaginertia", 3, default=(0.0, 0.0, 0.0)), compiler.least_moment)
    return np.full(3, moments.mean()) if compiler.balance and 2.0 * moments.max() > moments.sum() else moments


def _mended(inertia: Inertia, compiler: Compiler) -> Inertia:
    """With the least mass and moments that the file asks for."""
    mass = max(inertia.mass, compiler.least_mass)
    if not compiler.least_moment and not compiler.balance:
        return Inertia._made(mass, inertia.com, inertia.moment)
    moments, axes = np.linalg.eigh(inertia.moment)
    moments = np.maximum(moments, compiler.least_moment)
    if compiler.balance and 2.0 * moments.max() > moments.sum() * (1.0 + 1e-12):
        moments = np.full(3, moments.mean())
    moment = (axes * moments) @ axes.T
    return Inertia._made(mass, inertia.com, 0.5 * (moment + moment.T))


def _rescale(bodies: Sequence[MjcfBody], total: float) -> None:
    """Scale masses and moments so that all bodies weigh `total` [kg]."""
    mass = sum(body.inertia.mass for body in bodies)
    if mass > LEAST:
        for body in bodies:
            own = body.inertia
            body.inertia = Inertia._made(own.mass * total / mass, own.com, own.moment * (total / mass))
