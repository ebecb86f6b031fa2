"""Mesh files that are packed, damaged, lying or too large are refused by name."""

import gzip
import struct
import zipfile

import pytest

import condyle as cd
from condyle.errors import BadFile
from condyle.formats import bounds
from condyle.view import mesh_files
from condyle.view.mesh_files import mesh_parts

trimesh = pytest.importorskip("trimesh")

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n"
PLY = (
    "ply\nformat ascii 1.0\nelement vertex {count}\nproperty float x\nproperty float y\nproperty float z\n"
    "element face {faces}\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
)
PLY_BINARY = PLY.replace("ascii 1.0", "binary_little_endian 1.0")
GOOD = {"a.obj": TRIANGLE, "a.off": "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "a.ply": PLY.format(count=3, faces=1)}
BAD = {
    "empty.stl": b"",
    "empty.obj": b"",
    "empty.ply": b"",
    "empty.off": b"",
    "empty.glb": b"",
    "empty.dae": b"",
    "nan.obj": b"v nan 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n",
    "infinite.obj": b"v 1e999 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n",
    "flat.obj": b"v 0 0\nv 1 0\nv 0 2\nf 1 2 3\n",
    "far.obj": b"v 1e300 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n",
    "nan.stl": b" " * 80 + struct.pack("<I12fH", 1, *[0.0] * 3, *[float("nan")] * 9, 0),
    "lying.stl": b" " * 80 + struct.pack("<I12fH", 2**32 - 1, *range(12), 0),
    "beyond.obj": b"v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 99\n",
    "beyond.off": b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 99\n",
    "lying.off": b"OFF\n3000000000 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    "lying.ply": PLY.format(count=10**12, faces=1).encode(),
    "binary.ply": PLY_BINARY.format(count=10**12, faces=1).encode(),
    "noise.glb": b"glTF" + bytes(range(200)),
    "noise.gltf": b"{}",
    "text.stl": b"solid nothing\nendsolid nothing\n",
    "bomb.dae": b'<!DOCTYPE a [<!ENTITY x "y">]><COLLADA>&x;</COLLADA>',
}


@pytest.mark.parametrize("name", GOOD)
def test_small_meshes_are_read(name, tmp_path):
    """Oracle: one triangle."""
    (tmp_path / name).write_text(GOOD[name])
    (part,) = mesh_parts(cd.shapes.mesh(name), tmp_path)
    assert part.faces.shape == (1, 3) and part.vertices.shape == (3, 3)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_mesh_is_refused_by_name(name, tmp_path):
    """Oracle: the class and the name."""
    (tmp_path / name).write_bytes(BAD[name])
    with pytest.raises(cd.CondyleError, match=f"mesh .*{name}"):
        mesh_parts(cd.shapes.mesh(name), tmp_path)


@pytest.mark.parametrize("name", ["a.zip", "a.obj.gz", "a.zae", "a.tar.gz", "a.3mf", "a.xyz", "a"])
def test_packed_meshes_are_not_opened(name, tmp_path):
    """Oracle: the list of what is read; each would unpack to a sound mesh, or to a thousand times its size."""
    path = tmp_path / name
    if name.endswith("gz"):
        path.write_bytes(gzip.compress(TRIANGLE.encode()))
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.obj", TRIANGLE)
            archive.writestr("zeros.stl", bytes(2**24))
    with pytest.raises(BadFile, match=rf"{name}: meshes are read from \.stl, \.obj"):
        mesh_parts(cd.shapes.mesh(name), tmp_path)


def test_a_mesh_of_too_many_bytes_or_triangles_is_refused(tmp_path, monkeypatch):
    """Oracle: the bounds, with their numbers."""
    path = tmp_path / "a.stl"
    with path.open("wb") as file:
        file.truncate(bounds.MESH + 1)
    with pytest.raises(BadFile, match=f"{bounds.MESH + 1} bytes are more than condyle reads"):
        mesh_parts(cd.shapes.mesh("a.stl"), tmp_path)
    trimesh.creation.icosphere(subdivisions=1).export(path)
    monkeypatch.setattr(mesh_files, "TRIANGLES", 79)
    with pytest.raises(BadFile, match=r"80 triangles are more than condyle draws \(79\)"):
        mesh_parts(cd.shapes.mesh("a.stl"), tmp_path)
