"""Armatures of .glb files in Blender."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery import leg

pytestmark = pytest.mark.peers
bpy = pytest.importorskip("bpy")

FPS = 60


def test_blender_shows_bones_that_move_as_the_bodies_do(tmp_path):
    """Oracle: Blender's own import: one armature, a bone for each body, its head where the body is at every key."""
    t = np.arange(31) / FPS
    q = np.stack([0.8 * np.cos(3 * t), -1 + 0.8 * np.sin(5 * t), 0.3 * np.sin(4 * t)], axis=1)
    swing = cd.Trajectory(leg(), t, q, 0 * q)
    path = cd.view.export(swing, tmp_path / "leg.glb", armature=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    bpy.context.scene.render.fps = FPS
    bpy.ops.import_scene.gltf(filepath=str(path))
    (armature,) = [o for o in bpy.data.objects if o.type == "ARMATURE"]
    assert {b.name for b in armature.data.bones} == {b.name for b in swing.model.bodies}
    turn = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # Blender's up is z, glTF's y
    start = np.eye(3) if abs(swing.model.gravity[1]) > 1 else turn.T  # the model's up to y
    for frame in (0, 7, 30):
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for i, body in enumerate(swing.model.bodies):
            head = np.array(shown.matrix_world @ shown.pose.bones[body.name].head)
            assert np.abs(head - turn @ start @ swing.poses()[frame, i].xyz).max() < 1e-5
