"""Armatures of .glb files in Blender."""

import numpy as np
import pytest

import condyle as cd
from support.gltf_exports import armatures

pytestmark = pytest.mark.peers
bpy = pytest.importorskip("bpy")

FPS = 60
KINDS = ("leg", "urdf", "mjcf", "bvh")
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


@pytest.mark.parametrize("kind", KINDS)
def test_blender_shows_bones_that_move_as_the_bodies_do(kind, tmp_path):
    """Oracle: Blender's own import: one armature, a bone for each body, its head where the body is at every key."""
    motion = armatures(tmp_path)[kind]
    armature = imported(cd.view.export(motion, tmp_path / "motion.glb", armature=True))
    names = [b.name for b in motion.model.bodies]
    assert {b.name for b in armature.data.bones} == set(names)
    start = np.eye(3) if abs(motion.model.gravity[1]) > 1 else Z_UP.T  # the model's up to y
    for record, time in enumerate(motion.t[:FPS]):
        expected = motion.poses()[record].xyz @ (Z_UP @ start).T
        found, size = heads(armature, time), 1.0 + np.abs(expected).max()
        assert max(np.abs(found[name] - expected[i]).max() for i, name in enumerate(names)) < 2e-5 * size
