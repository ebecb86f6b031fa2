"""A .glb file held against the glTF 2.0 specification, rule by rule, and opened by other programs."""

import io
import json
import os
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.gallery import leg
from condyle.view import Frames, Line, Sheet, export

WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
KINDS = {5126: "<f4", 5125: "<u4", 5123: "<u2"}


def waves(t):
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, 5), np.linspace(-0.5, 0.5, 7), indexing="ij")
    return np.stack([x, y, 0.1 * np.sin(4 * x + 6 * t)], axis=-1)


DRAWN = (
    Line(None, [(0, 0, 0), (1, 0, 0), (1, 1, 0)]), Line("foot", [(0, 0, 0), (0.1, 0, 0)]),
    Frames(None, np.eye(4)[None], 0.2), Sheet(None, waves), Sheet("thigh", waves(0.0), opacity=1.0),
)  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    t = np.linspace(0, 1, 61)
    q = np.stack([0.8 * np.cos(3 * t), -1 + 0.8 * np.sin(5 * t), 0.3 * np.sin(4 * t)], axis=1)
    swing = cd.Trajectory(leg(), t, q, 0 * q)
    return export(swing, tmp_path_factory.mktemp("gltf") / "swing.glb", drawn=DRAWN).read_bytes()


def opened(data):
    """The document and buffer of a .glb, read by the specification's layout."""
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON" and size % 4 == 0
    document = json.loads(data[20 : 20 + size])
    rest, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert kind == b"BIN\0" and rest % 4 == 0 and 28 + size + rest == length
    return document, data[28 + size :]


def numbers(document, buffer, index):
    """The array of an accessor."""
    a = document["accessors"][index]
    view = document["bufferViews"][a["bufferView"]]
    width = WIDTHS[a["type"]]
    x = np.frombuffer(buffer, KINDS[a["componentType"]], a["count"] * width, view["byteOffset"])
    return x.reshape(a["count"], width)


def test_accessors_are_aligned_apart_and_bounded(data):
    """Oracle: glTF 2.0, sections 3.6.2.4 (alignment), 3.6.2.5 (bounds), 3.6.1 (views within the buffer)."""
    document, buffer = opened(data)
    (whole,) = document["buffers"]
    end = 0
    for index, (a, view) in enumerate(zip(document["accessors"], document["bufferViews"], strict=True)):
        assert a["bufferView"] == index and view["byteOffset"] % 4 == 0 and view["byteOffset"] >= end
        end = view["byteOffset"] + view["byteLength"]
        assert view["byteLength"] == 4 * a["count"] * WIDTHS[a["type"]] and a["count"] > 0
        x = numbers(document, buffer, index)
        assert np.isfinite(x.astype(float)).all()
        assert_allclose(x.min(axis=0), a["min"], rtol=0, atol=0)
        assert_allclose(x.max(axis=0), a["max"], rtol=0, atol=0)
    assert end == whole["byteLength"] <= len(buffer)


def test_primitives_name_vertices_that_exist_with_unit_normals(data):
    """Oracle: glTF 2.0, section 3.7.2: indices in range, equal counts, unit normals, targets of buffer views, modes."""
    document, buffer = opened(data)
    modes = []
    for primitive in (p for m in document["meshes"] for p in m["primitives"]):
        count = {document["accessors"][i]["count"] for i in primitive["attributes"].values()}
        assert len(count) == 1 and primitive["material"] < len(document["materials"])
        modes.append(primitive.get("mode", 4))
        for i in primitive["attributes"].values():
            assert document["bufferViews"][i]["target"] == 34962
        if "NORMAL" in primitive["attributes"]:
            normals = numbers(document, buffer, primitive["attributes"]["NORMAL"])
            assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-5)
        if "indices" in primitive:
            indices = numbers(document, buffer, primitive["indices"])
            assert indices.max() < count.pop() and len(indices) % 3 == 0
            assert document["bufferViews"][primitive["indices"]]["target"] == 34963
    assert sorted(set(modes)) == [1, 4]


def test_animations_rise_in_time_and_turn_by_unit_quaternions(data):
    """Oracle: glTF 2.0, section 3.11: input strictly increasing from 0 or later, one channel for a node and path."""
    document, buffer = opened(data)
    (animation,) = document["animations"]
    seen = [(c["target"]["node"], c["target"]["path"]) for c in animation["channels"]]
    assert len(set(seen)) == len(seen) and {p for _, p in seen} == {"rotation", "translation", "weights"}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        t, x = numbers(document, buffer, sampler["input"]), numbers(document, buffer, sampler["output"])
        assert (np.diff(t[:, 0]) > 0).all() and t[0, 0] == 0.0
        if channel["target"]["path"] == "rotation":
            assert_allclose(np.linalg.norm(x, axis=1), 1, atol=1e-6)
        if channel["target"]["path"] == "weights":
            mesh = document["meshes"][document["nodes"][channel["target"]["node"]]["mesh"]]
            assert len(x) == len(t) * len(mesh["primitives"][0]["targets"])
        else:
            assert len(x) == len(t)


def test_nothing_is_left_over_and_the_nodes_are_a_tree(data):
    """Oracle: counting: every mesh, material and accessor is used; every node has one parent."""
    document, _ = opened(data)
    primitives = [p for m in document["meshes"] for p in m["primitives"]]
    used = {i for p in primitives for i in (*p["attributes"].values(), p.get("indices", 0))}
    used |= {t["POSITION"] for p in primitives for t in p.get("targets", [])}
    used |= {s[k] for s in document["animations"][0]["samplers"] for k in ("input", "output")}
    assert used == set(range(len(document["accessors"])))
    assert {p["material"] for p in primitives} == set(range(len(document["materials"])))
    assert {n["mesh"] for n in document["nodes"] if "mesh" in n} == set(range(len(document["meshes"])))
    children = [c for n in document["nodes"] for c in n.get("children", [])]
    assert sorted([0, *children]) == list(range(len(document["nodes"])))


def test_a_sheet_bends_as_its_function_says(data):
    """Oracle: the function of time at the times of the key frames; base and targets added as specified."""
    document, buffer = opened(data)
    channel = next(c for c in document["animations"][0]["channels"] if c["target"]["path"] == "weights")
    sampler = document["animations"][0]["samplers"][channel["sampler"]]
    (primitive,) = document["meshes"][document["nodes"][channel["target"]["node"]]["mesh"]]["primitives"]
    base = numbers(document, buffer, primitive["attributes"]["POSITION"])
    targets = np.array([numbers(document, buffer, t["POSITION"]) for t in primitive["targets"]])
    times = numbers(document, buffer, sampler["input"])[:, 0]
    weights = numbers(document, buffer, sampler["output"]).reshape(len(times), -1)
    assert len(times) == 11
    for t, w in zip(times, weights, strict=True):
        assert_allclose(base + np.tensordot(w, targets, 1), waves(float(t)).reshape(-1, 3), atol=1e-6)


def test_other_readers_open_it(data):
    """Oracle: pygltflib reads every part; trimesh builds a scene as large as a leg and what is drawn around it."""
    pygltflib, trimesh = pytest.importorskip("pygltflib"), pytest.importorskip("trimesh")
    document = pygltflib.GLTF2.load_from_bytes(data)
    assert [n.name for n in document.nodes[:4]] == ["world", "thigh", "shank", "foot"] and len(document.animations) == 1
    scene = trimesh.load(io.BytesIO(data), file_type="glb", force="scene")
    assert len(scene.geometry) >= 5 and 0.88 < np.ptp(scene.bounds, axis=0).max() < 2.0


def test_quaternions_and_triangles_are_in_bounds(data):
    """Oracle: the specification: no component above 1, which rounding makes; no triangle that names a corner twice."""
    from condyle.view.creases import creased
    from condyle.view.files.gltf import _xyzw

    assert _xyzw(np.array([1.0 + 4e-16, 0.0, -1.0 - 4e-16, 0.0])).tolist() == [0.0, -1.0, 0.0, 1.0]
    document, buffer = opened(data)
    solids = [p for mesh in document["meshes"] for p in mesh["primitives"] if "indices" in p]
    for primitive in solids:
        a, b, c = numbers(document, buffer, primitive["indices"]).reshape(-1, 3).T
        assert ((a != b) & (b != c) & (c != a)).all()
    near = np.array([(0, 0, 0), (1, 0, 0), (1, 1e-12, 0), (0, 1, 0)], dtype=float)
    assert len(creased(near, np.array([(0, 1, 2), (0, 1, 3)]))[2]) == 1  # two corners of the first are one place


def validated(paths):
    """What the Khronos validator says of files: {name: issues}."""
    folder = os.environ.get("CONDYLE_GLTF_VALIDATOR")
    if not folder or shutil.which("node") is None:
        pytest.skip("CONDYLE_GLTF_VALIDATOR is not set or there is no node: the Khronos validator did not run")
    script = (
        "const {validateBytes} = require('gltf-validator'), {readFileSync} = require('fs');"
        "Promise.all(process.argv.slice(1).map(p => validateBytes(new Uint8Array(readFileSync(p)))))"
        ".then(all => console.log(JSON.stringify(all.map(r => r.issues))))"
    )
    words = ["node", "-e", script, *map(str, paths)]
    ran = subprocess.run(words, cwd=Path(folder), capture_output=True, text=True, check=True)
    return dict(zip([p.name for p in paths], json.loads(ran.stdout), strict=True))


KINDS_OF_ISSUES = ("numErrors", "numWarnings", "numInfos", "numHints")


def test_the_khronos_validator_finds_nothing(data, tmp_path):
    """Oracle: gltf-validator of npm, where CONDYLE_GLTF_VALIDATOR names the folder it was installed in."""
    (path := tmp_path / "a.glb").write_bytes(data)
    for name, issues in validated([path]).items():
        assert not any(issues[kind] for kind in KINDS_OF_ISSUES), (name, issues)


@pytest.mark.slow
def test_the_khronos_validator_finds_nothing_in_eight_files(tmp_path):
    """Oracle: the same, of four armatures (a leg, URDF, MJCF, BVH) and four scenes."""
    from support.gltf_exports import eight_files

    if not os.environ.get("CONDYLE_GLTF_VALIDATOR"):
        pytest.skip("CONDYLE_GLTF_VALIDATOR is not set: the Khronos validator did not run")
    found = validated(eight_files(tmp_path))
    assert len(found) == 8
    assert {name: x for name, x in found.items() if any(x[kind] for kind in KINDS_OF_ISSUES)} == {}
