"""Models from MJCF files: `load_mjcf`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ....errors import BadFile, CondyleError, amount, require
from ....formats.mjcf.attributes import Classes
from ....formats.mjcf.mjcf_document import Folders, read_mjcf
from ....formats.packages import package_folders
from ....joints import revolute
from ....model import Model, ModelBuilder
from ....model.look.shapes import Shape, box
from ....spatial import Inertia
from ...inertias import checked_way
from .compiler_settings import Compiler, mesh_path, read_compiler
from .equalities import Equalities
from .geom_inertias import set_inertias
from .geoms import Assets, drawn_and_hidden, last_drawn_group, rgb
from .items import keyframes, read_items
from .joints import add_loads, moving
from .meshes import Mesh
from .mjcf_records import WIDTHS, MuJoCo, Slot
from .tree import MjcfBody, Tree
from .unread import unread_notes

SCENERY = "scenery"
DOT = 1e-6  # [m]: rotors are not seen


def load_mjcf(path: Path, inertias: str | None = None, packages: Any = None, couplers: str | None = None) -> Model:
    """The model of an MJCF file; the options are those of `load`."""
    way, folders = checked_way(inertias), Folders(path, list(package_folders(packages).values()))
    try:
        root = read_mjcf(path, folders)
        words = f"{path}: this is URDF; name the file {path.stem}.urdf, or use MuJoCo's own format"
        require(root.tag != "robot", words, BadFile)
        return _built(root, str(path), folders, way, couplers == "constraint")
    except RecursionError:
        raise BadFile(f"{path}: bodies or classes inside each other too deep") from None
    except CondyleError as error:
        raise error if str(error).startswith(str(path)) else BadFile(f"{path}: {error}") from error


def _built(root: Element, name: str, folders: Folders, way: str, unfolded: bool) -> Model:
    classes = Classes(name, set())
    for element in root.findall("default"):
        classes.read(element)
    compiler = read_compiler(root, classes)
    tree = Tree(root, classes, compiler, _assets(root, classes, compiler, folders))
    require(tree.bodies, f"{name}: there is no <body> in <worldbody>", BadFile)
    set_inertias(tree.bodies, compiler, way)
    builder = ModelBuilder(compiler.gravity)
    notes = [*compiler.notes, *_add_bodies(builder, tree)]
    ties = Equalities(builder, tree)
    for element in _all(root, "equality"):
        notes += ties.add(element, classes)
    rotors = _add_armature(builder, tree, ties)
    if rotors:
        notes.append(f"armature of joints that follow others: {amount(len(rotors), 'rotor')} beside the bodies")
    model = builder.build().unfolded() if unfolded else builder.build()
    leaders = {} if unfolded else ties.leaders
    slots = [*_slots(tree, model, leaders), *(_rotor_slots(tree, model, ties, rotors) if unfolded else ())]
    data = replace(read_items(root, classes), slots=tuple(slots), rotors=rotors)
    frames = tuple(keyframes(root, classes, data))
    notes += [*_not_acting(data), *_undrawn(tree), *unread_notes(root, classes)]
    if hidden := _hidden(tree):
        count = amount(sum(map(len, hidden.values())), "shape")
        notes.append(f"{count} of groups that MuJoCo hides at first: in model.collisions, not drawn")
    return replace(model, folder=folders.home, notes=(*model.notes, *notes), markers=tree.markers(),
                   mujoco=replace(data, keyframes=frames, colliding=_colliding(tree)), collisions=hidden)  # fmt: skip


def _hidden(tree: Tree) -> dict[str, tuple[Shape, ...]]:
    """Shapes of bodies that are not drawn."""
    last = last_drawn_group(body.geoms for body in tree.bodies)
    found = {body.name: tuple(drawn_and_hidden(body.geoms, last)[1]) for body in tree.bodies}
    return {name: shapes for name, shapes in found.items() if shapes}


def _all(root: Element, section: str) -> Iterator[Element]:
    """The elements of all sections of a name."""
    for found in root.findall(section):
        yield from found


def _assets(root: Element, classes: Classes, compiler: Compiler, folders: Folders) -> Assets:
    meshes, colors = {}, {}
    for element in _all(root, "asset"):
        if element.tag == "mesh":
            a = classes.of(element, "mesh")
            file = a.text("file")
            path = mesh_path(compiler, folders, file, getattr(element, "folder", None)) if file else None
            meshes[a.text("name") or Path(file).stem] = Mesh(a, path)
        elif element.tag == "material":
            a = classes.of(element, "material")
            if a.has("rgba"):
                colors[a.text("name")] = rgb(a)
    return Assets(meshes, colors, compiler.fit_bounds)


def _add_bodies(builder: ModelBuilder, tree: Tree) -> Iterator[str]:
    """The bodies with their joints and loads, after what stands still in the world."""
    last = last_drawn_group(body.geoms for body in tree.bodies)
    scenery, _ = drawn_and_hidden(tree.world.geoms, last)
    if scenery:
        builder.add_body(tree.body_names.free(SCENERY), inertia=Inertia.massless(), shapes=scenery)
    for body in tree.bodies:
        _add_body(builder, tree, body, last)
        for joint in body.joints:
            yield from add_loads(builder, body.coordinate(joint), joint)
        if body.mocap:
            yield f"body {body.name!r} is moved by motion capture in MuJoCo; here it stands still"
        if body.gravcomp:
            yield f"body {body.name!r}: its gravcomp {body.gravcomp:g} does not act"


def _add_body(builder: ModelBuilder, tree: Tree, body: MjcfBody, last: float) -> None:
    parent = None if body.parent is tree.world or body.parent is None else body.parent.name
    shapes, _ = drawn_and_hidden(body.geoms, last)
    builder.add_body(body.name, parent, moving(body.joints), body.inertia, body.pose, None, body.joint_name, shapes)


def _add_armature(builder: ModelBuilder, tree: Tree, ties: Equalities) -> tuple[str, ...]:
    """Inertia that coordinates have of their own; the names of rotors for those that are none, as they follow others.

    Such a rotor has no mass, is carried by the world, and turns as its coordinate does.
    """
    names, armed = [], []
    for body, joint in ((b, j) for b in tree.bodies for j in b.joints if j.armature and j.kind != "free"):
        if body.coordinate(joint) in ties.leaders:
            armed.append((body, joint))
        else:
            builder.set_armature(body.coordinate(joint), joint.armature)
    tree.body_names.reserve(j.name for b in tree.bodies for j in b.joints)
    for body, joint in armed:
        name = tree.body_names.free(f"{joint.name}_rotor")
        rotor = Inertia(0.0, (0.0, 0.0, 0.0), np.array([0.5, 0.5, 1.0]) * joint.armature)
        builder.add_body(name, None, revolute("z", name=name), rotor, shapes=[box((DOT, DOT, DOT))])
        builder.add_coupler(f"{name}.{name}", body.coordinate(joint))
        names.append(name)
    return tuple(names)


def _slots(tree: Tree, model: Model, leaders: Collection[str]) -> Iterator[Slot]:
    """Where MuJoCo has each joint, and where the model has it."""
    qpos = qvel = 0
    for body in tree.bodies:
        for joint in body.joints:
            name = body.coordinate(joint)
            place = (None, None) if name in leaders else model.place_of(name)[1:]
            yield Slot(joint.kind, qpos, qvel, *place, start=body.pose if joint.kind == "free" else np.eye(4))
            qpos, qvel = qpos + WIDTHS[joint.kind][0], qvel + WIDTHS[joint.kind][1]


def _rotor_slots(tree: Tree, model: Model, ties: Equalities, rotors: tuple[str, ...]) -> Iterator[Slot]:
    """Where a model whose followers are coordinates has its rotors: they turn as the joints that MuJoCo has."""
    joints = [j for b in tree.bodies for j in b.joints if b.coordinate(j) in ties.leaders and j.armature]
    names = [j.name for b in tree.bodies for j in b.joints]
    places = list(_slots(tree, model, ()))
    for rotor, joint in zip(rotors, joints, strict=True):
        own = places[names.index(joint.name)]
        yield replace(own, q=model.place_of(rotor)[1], v=model.place_of(rotor)[2], copied=True)


def _not_acting(data: MuJoCo) -> Iterator[str]:
    """Data that exerts no force here."""
    if data.actuators:
        yield f"{amount(len(data.actuators), 'actuator')} in model.mujoco.actuators: give their forces as tau"
    if data.tendons:
        yield f"{amount(len(data.tendons), 'tendon')} in model.mujoco.tendons: their springs and limits do not act"


def _colliding(tree: Tree) -> int:
    """How many geoms may touch others in MuJoCo."""
    return sum(g.collides for body in (tree.world, *tree.bodies) for g in body.geoms)


def _undrawn(tree: Tree) -> Iterator[str]:
    """What collides in MuJoCo, and what is not drawn."""
    geoms = [g for body in (tree.world, *tree.bodies) for g in body.geoms]
    if colliding := _colliding(tree):
        yield f"{amount(colliding, 'geom')} may touch others in MuJoCo; here bodies pass through each other"
    lost = sorted({g.kind for g in geoms if g.shape() is None})
    if lost:
        count = sum(g.shape() is None for g in geoms)
        yield f"{amount(count, 'geom')} not drawn (of type {', '.join(lost)})"
