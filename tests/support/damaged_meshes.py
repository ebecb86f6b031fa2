"""Small sound meshes of every kind, to be damaged, and what comes of reading one."""

import numpy as np
import trimesh

import condyle as cd
from condyle.view.mesh_files import mesh_parts

OBJ = (
    "mtllib a.mtl\no box\nv 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 2 0 0 1 0\nv 0 0 3 0 0 1\nvn 0 0 1\nvt 0 0\nvt 1 1\n"
    "usemtl red\nf 1/1/1 2/2/1 3/1/1\nf 1/1/1 2/2/1 4/2/1\ns 1\ng side\nf -1 -2 -3 -4\n"
)
DAE = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="0.01"/></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f" count="12">
0 0 0 1 0 0 0 2 0 0 0 3</float_array>
<technique_common><accessor source="#f" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
<polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 4</vcount><p>0 1 3 0 1 2 3</p></polylist>
</mesh></geometry></library_geometries>
<library_nodes><node id="twice"><instance_geometry url="#g"/><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="w"><node id="n"><translate>0 0 3</translate><instance_node url="#twice"/>
</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>
"""


def sound_meshes():
    """(suffix, content) of small sound meshes of every kind."""
    ball = trimesh.creation.icosahedron()
    colored = trimesh.Trimesh(ball.vertices, ball.faces, vertex_colors=np.arange(36).reshape(12, 3), process=False)
    glb = trimesh.Scene([ball, colored]).export(file_type="glb")
    gltf = trimesh.exchange.gltf.export_gltf(trimesh.Scene(ball), embed_buffers=True)["model.gltf"]
    texts = [(".stl", ball.export(file_type="stl_ascii")), (".obj", OBJ), (".off", ball.export(file_type="off"))]
    texts += [(".dae", DAE)]
    binary = [(".stl", ball.export(file_type="stl")), (".ply", colored.export(file_type="ply")), (".glb", glb)]
    binary += [(".ply", ball.export(file_type="ply", encoding="ascii")), (".gltf", gltf)]
    return binary + [(suffix, text.encode()) for suffix, text in texts]


def mesh_outcome(path):
    """Whether a mesh is refused by name, or can be drawn: finite corners, triangles of them."""
    try:
        parts = mesh_parts(cd.shapes.mesh(path.name), path.parent)
    except cd.CondyleError as error:
        if path.name in str(error):
            return "refused"
        raise
    for part in parts:
        assert np.isfinite(part.vertices).all() and 0 <= part.faces.min() <= part.faces.max() < len(part.vertices)
        assert len(part.color) == 3 and np.isfinite(part.color).all()
    return "valid"
