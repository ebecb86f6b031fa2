"""Armatures of .glb files in Blender."""

import numpy as np
import pytest

import condyle as cd
from support.gltf_exports import armatures
from support.laboratory import FOLDER

pytestmark = pytest.mark.peers
bpy = pytest.importorskip("bpy")

FPS = 60
KINDS = ("leg", "urdf", "mjcf", "bvh")
RECORDED = sorted((FOLDER / "bvh").glob("*.bvh"))
Z_UP = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # Blender's up is z, glTF's y


def imported(path):
    """The one armature that Blender makes of a file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    bpy.context.scene.render.fps = FPS
    bpy.ops.import_scene.gltf(filepath=str(path))
    (armature,) = [o for o in bpy.data.objects if o.type == "ARMATURE"]
    return armature


def heads(armature, time):
    """{bone: place of its head} at a time [s], by Blender's own evaluation."""
    frame = time * FPS
    bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
    shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {bone.name: np.array(shown.matrix_world @ bone.head) for bone in shown.pose.bones}


def gap(motion, path):
    """How far heads of Blender's bones are from the bodies at any key [m], for the size of the model."""
    armature, names = imported(path), [b.name for b in motion.model.bodies]
    assert {b.name for b in armature.data.bones} == set(names)
    start = np.eye(3) if abs(motion.model.gravity[1]) > 1 else Z_UP.T  # the model's up to y
    expected, worst = motion.poses().xyz @ (Z_UP @ start).T, 0.0
    for places, time in zip(expected, motion.t, strict=True):
        found = heads(armature, time)
        worst = max(worst, np.abs([found[name] for name in names] - places).max())
    return worst / (1.0 + np.abs(expected).max())


@pytest.mark.parametrize("kind", KINDS)
def test_blender_shows_bones_that_move_as_the_bodies_do(kind, tmp_path):
    """Oracle: Blender's own import: one armature, a bone for each body, its head where the body is at every key."""
    motion = armatures(tmp_path)[kind]
    assert gap(motion, cd.view.export(motion, tmp_path / "motion.glb", armature=True)) < 2e-5


@pytest.mark.parametrize("path", RECORDED or [None], ids=lambda p: p.name if p else "absent")
def test_blender_shows_recorded_characters(path, tmp_path):
    """Oracle: the same, over a second of captured motion."""
    if path is None:
        pytest.skip("recorded BVH files are not here")
    whole = cd.read_character(path, unit=0.0564444)
    t = np.arange(FPS) / FPS
    rows = np.abs(whole.t[:, None] - t).argmin(axis=0)
    motion = cd.Trajectory(whole.model, t, whole.q[rows], whole.v[rows])
    assert gap(motion, cd.view.export(motion, tmp_path / "motion.glb", armature=True)) < 2e-5
