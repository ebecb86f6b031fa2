"""Damaged mesh files: refused by name or drawn, in bounded memory, without other files and without the network."""

import json
import os
import random
import socket
import tracemalloc

import numpy as np
import pytest

import condyle as cd
from condyle.view.mesh_files import mesh_parts
from condyle.view.render_scene import stage_of

pytest.importorskip("trimesh")

from support.damage import mutated
from support.damaged_meshes import DAE, mesh_outcome, sound_meshes

COUNT = int(os.environ.get("CONDYLE_FUZZ", "2000"))  # of each of the ten blocks
MEMORY = 2**25  # [bytes] far more than small files need, far less than what a file can claim
RED = "mtllib {library}\nv 0 0 0\nv 1 0 0\nv 0 2 0\nvt 0 0\nusemtl red\nf 1/1 2/1 3/1\n"


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Sound meshes, each read once, so that what readers import is imported."""
    found, folder = sound_meshes(), tmp_path_factory.mktemp("sound")
    for k, (suffix, data) in enumerate(found):
        (folder / f"{k}{suffix}").write_bytes(data)
        assert mesh_outcome(folder / f"{k}{suffix}") == "valid"
    return found


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a mesh opened a socket")

    monkeypatch.setattr(socket, "socket", refuse)


@pytest.fixture(scope="module")
def known():
    """Outcomes of all blocks, by suffix and content: about a third of the files have the bytes of an earlier one."""
    return {}


def count_outcomes(folder, sources, count, seed, known):
    """{"refused": …, "valid": …} of damaged copies of the sources; none takes more memory than a small file may."""
    rng, outcomes = random.Random(seed), {"refused": 0, "valid": 0}
    tracemalloc.start()
    try:
        for k in range(count):
            suffix, data = sources[k % len(sources)]
            file = suffix, mutated(data, rng)
            if file not in known:
                known[file] = frugal_outcome(folder / f"file{suffix}", file[1])
            outcomes[known[file]] += 1
    finally:
        tracemalloc.stop()
    return outcomes


def frugal_outcome(path, content):
    """What comes of a mesh with this content, in little memory."""
    path.write_bytes(content)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    found = mesh_outcome(path)
    taken = tracemalloc.get_traced_memory()[1] - before
    assert taken < MEMORY, f"{taken} bytes for {path.suffix}:\n{content!r}"
    path.unlink()
    return found


def test_hundreds_of_damaged_meshes_are_refused_by_name_or_drawn(sources, known, tmp_path):
    """Oracle: the kind of what comes out, and the memory it took."""
    outcomes = count_outcomes(tmp_path, sources, 450, 450, known)
    assert min(outcomes.values()) > 20, outcomes


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_damaged_meshes_are_refused_by_name_or_drawn(seed, sources, known, tmp_path):
    """Oracle: as above; 20,000 files in ten blocks."""
    outcomes = count_outcomes(tmp_path, sources, COUNT, seed, known)
    assert min(outcomes.values()) > COUNT / 20, outcomes


def test_a_damaged_mesh_is_warned_of_and_the_rest_is_drawn(sources, tmp_path):
    """Oracle: one warning that names every damaged file, and the box beside them."""
    names = []
    for k, (suffix, data) in enumerate(sources):
        names.append(f"cut{k}{suffix}")
        (tmp_path / names[-1]).write_bytes(data[: len(data) // 2])
    b = cd.ModelBuilder()
    shapes = [cd.shapes.box((1, 1, 1)), *(cd.shapes.mesh(str(tmp_path / name)) for name in names[:5])]
    b.add_body("a", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1), shapes=shapes)
    with pytest.warns(cd.CondyleWarning) as warned:
        stage = stage_of(b.build())
    assert len(warned) == 1 and len(stage.meshes[0]) == 1
    assert all(name in str(warned[0].message) for name in names[:5])


@pytest.mark.parametrize("key", ["count", "byteLength"])
def test_arrays_of_gltf_must_fit(key, tmp_path):
    """Oracle: one number of a sound file changed to 10¹²."""
    tree = json.loads(dict(sound_meshes())[".gltf"])
    for entry in tree["accessors"] + tree["bufferViews"]:
        if key in entry:
            entry[key] = 10**12
    (tmp_path / "a.gltf").write_text(json.dumps(tree))
    with pytest.raises(cd.CondyleError, match=r"a\.gltf.*1000000000000|a\.gltf.*bytes"):
        mesh_parts(cd.shapes.mesh("a.gltf"), tmp_path)


def test_arrays_of_gltf_without_bytes_are_bounded(tmp_path):
    """Oracle: an array of zeros of 10¹⁰ items, which glTF needs no byte for."""
    tree = json.loads(dict(sound_meshes())[".gltf"])
    for accessor in tree["accessors"]:
        accessor.pop("bufferView")
        accessor["count"] = 10**10
    (tmp_path / "a.gltf").write_text(json.dumps(tree))
    with pytest.raises(cd.CondyleError, match=r"a\.gltf: its arrays claim \d+ bytes, more than condyle reads"):
        mesh_parts(cd.shapes.mesh("a.gltf"), tmp_path)


def test_nodes_that_multiply_are_counted_before_they_are_drawn(tmp_path):
    """Oracle: 10¹² triangles from twelve nodes, each of which holds the next ten times."""
    nodes = "".join(f'<node id="n{k}">' + f'<instance_node url="#n{k - 1}"/>' * 10 + "</node>" for k in range(1, 13))
    library = f'<library_nodes><node id="n0"><instance_geometry url="#g"/></node>{nodes}</library_nodes>'
    text = DAE.replace("<library_visual_scenes>", library + "<library_visual_scenes>").replace('"#twice"', '"#n12"')
    (tmp_path / "a.dae").write_text(text)
    with pytest.raises(cd.CondyleError, match=r"a\.dae: its nodes show \d{13,} corners"):
        mesh_parts(cd.shapes.mesh("a.dae"), tmp_path)


def test_a_mesh_of_too_many_parts_is_refused(tmp_path):
    """Oracle: 20,000 small parts, each of which would take long to name and place."""
    many = DAE.replace('<instance_node url="#twice"/>', '<instance_node url="#twice"/>' * 5000)
    (tmp_path / "a.dae").write_text(many)
    with pytest.raises(cd.CondyleError, match=r"a\.dae: its nodes show 20000 parts"):
        mesh_parts(cd.shapes.mesh("a.dae"), tmp_path)


def test_nothing_is_logged_of_a_damaged_mesh(tmp_path, caplog):
    """Oracle: the log, of a mesh whose normals are not numbers and are not needed."""
    corners = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    text = f"solid a\nfacet normal x 0 1\nouter loop\n{corners}endloop\nendfacet\nendsolid a\n"
    (tmp_path / "a.stl").write_text(text)
    (part,) = mesh_parts(cd.shapes.mesh("a.stl"), tmp_path)
    assert len(part.faces) == 1 and not caplog.records


def test_polygons_of_more_corners_than_there_are_are_refused(tmp_path):
    """Oracle: one number of a sound file changed."""
    (tmp_path / "a.dae").write_text(DAE.replace("<vcount>3 4<", "<vcount>3 1000000000<"))
    with pytest.raises(cd.CondyleError, match=r"a\.dae: geometry 'g': its polygons claim 1000000003 corners"):
        mesh_parts(cd.shapes.mesh("a.dae"), tmp_path)


@pytest.mark.parametrize("library", ["../secret.mtl", "/dev/zero", "/etc/hostname", "dev.mtl"])
def test_a_mesh_reads_only_files_of_its_own_folder(library, tmp_path):
    """Oracle: the colour of the forbidden file; the device of endless zeros would never end."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "secret.mtl").write_text("newmtl red\nKd 1 0 0\n")
    (tmp_path / "inner" / "dev.mtl").symlink_to("/dev/zero")
    (tmp_path / "inner" / "a.obj").write_text(RED.format(library=library))
    (part,) = mesh_parts(cd.shapes.mesh("a.obj"), tmp_path / "inner")
    assert np.abs(np.subtract(part.color, (1, 0, 0))).max() > 0.1


def test_a_material_beside_the_mesh_is_used(tmp_path):
    """Oracle: the colour in the material's file."""
    (tmp_path / "a.mtl").write_text("newmtl red\nKd 1 0 0\n")
    (tmp_path / "a.obj").write_text(RED.format(library="a.mtl"))
    (part,) = mesh_parts(cd.shapes.mesh("a.obj"), tmp_path)
    np.testing.assert_allclose(part.color, (1, 0, 0), atol=1e-2)


def test_many_solids_of_one_name_are_read_in_one_go(tmp_path):
    """Oracle: the number of triangles; a name for each solid would take hours."""
    corners = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    solid = f"solid a\nfacet normal 0 0 1\nouter loop\n{corners}endloop\nendfacet\nendsolid a\n"
    (tmp_path / "a.stl").write_text(solid * 20_000)
    (part,) = mesh_parts(cd.shapes.mesh("a.stl"), tmp_path)
    assert len(part.faces) == 20_000
