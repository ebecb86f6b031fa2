"""Smooth shapes from triangles: how near they are to what these were made of, and what is refused, with its place."""

from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadShape, BadValue, CondyleWarning, FoldedSurface

Mesh, Surface, Curve = cd.joints.Mesh, cd.joints.Surface, cd.joints.Curve
GEOMETRY = Path(__file__).parents[3] / "shared" / "data" / "opensim" / "geometry"


def torus(count=(61, 31), far=1.5, ring=0.012, tube=0.02, noise=0.0):
    """A condyle-like piece of a torus about z: ring and tube radii [m], around by ±far [rad]."""
    a, b = np.meshgrid(np.linspace(-far, far, count[0]), np.linspace(-1, 1, count[1]), indexing="ij")
    r = ring + (tube + noise * np.random.default_rng(0).normal(size=a.shape)) * np.cos(b)
    return Mesh.from_grid(np.stack([r * np.cos(a), r * np.sin(a), tube * np.sin(b)], axis=-1))


def off_torus(p, ring=0.012, tube=0.02):
    return np.abs(np.hypot(np.hypot(p[:, 0], p[:, 1]) - ring, p[:, 2]) - tube)


def placed(mesh, T):
    return Mesh(mesh.vertices @ T[:3, :3].T + T[:3, 3], mesh.triangles)


def test_a_patch_that_bends_around_is_seen_from_an_axis():
    """Oracle: the torus in closed form: distance and normal; the error that it states is the one that it has."""
    T = cd.SE3.exp([0.4, -1.1, 0.7, 0.3, -0.2, 0.5]).as_matrix()
    patch = Surface.from_mesh(placed(torus(), T))
    q = patch.samples
    p, n = (patch.points(q) - T[:3, 3]) @ T[:3, :3], patch.normals(q) @ T[:3, :3]
    assert np.ptp(patch.breaks[0]) > 2.9  # 170° of angle
    assert off_torus(p).max() < 1e-6 and patch.error < 1e-6 and patch.rms < patch.error
    middle = p * (1, 1, 0) * (0.012 / np.hypot(p[:, 0], p[:, 1]))[:, None]
    assert np.abs(n - (p - middle) / 0.02).max() < 3e-3


def test_the_inside_of_a_socket_faces_its_axis():
    mesh = torus()
    patch = Surface.from_mesh(Mesh(mesh.vertices, mesh.triangles[:, ::-1]))
    n, p = patch.normals(patch.samples), patch.points(patch.samples)
    assert ((n * p * (1, 1, 0)).sum(axis=1) < 0).all() and off_torus(p).max() < 1e-6


def test_derivatives_are_those_of_the_points():
    """Oracle: central differences."""
    for mesh in (torus((31, 21)), torus((31, 21)).facing((1, 0, 0), 0.9)):
        patch = Surface.from_mesh(mesh)
        q, h = patch.samples[200:900:37], 1e-6 * np.array([np.ptp(b) for b in patch.breaks])
        for c in (0, 1):
            e = h * np.eye(2)[c]
            slope = (patch.points(q + e) - patch.points(q - e)) / (2 * h[c])
            assert np.abs(patch.slopes(q)[c] - slope).max() < 1e-7
            second = (patch.slopes(q + e)[0] - patch.slopes(q - e)[0]) / (2 * h[c])
            assert np.abs(patch.at(q, ((2, 0), (1, 1))[c]) - second).max() < 1e-5 * (1 + np.abs(second).max())


def test_noise_is_smoothed_and_stated():
    """Oracle: 0.1 mm of noise on the vertices; the surface is nearer to the truth than any vertex' noise is large."""
    patch = Surface.from_mesh(torus((91, 45), noise=1e-4))
    inner = patch.samples[(np.abs(patch.samples) < [1.4, 0.015]).all(axis=1)]
    off = off_torus(patch.points(inner))
    assert 0.7e-4 < patch.rms < 1.0e-4 and patch.error > 2e-4
    assert np.sqrt(np.mean(off**2)) < 0.35e-4 and off.max() < 1.2e-4


def test_a_cut_by_a_plane_is_a_circle():
    """Oracle: circles of a torus about its axis: radius, length, curvature; larger values are to the left."""
    a, b = np.meshgrid(np.linspace(0, 2 * np.pi, 121)[:-1], np.linspace(0, 2 * np.pi, 61)[:-1], indexing="ij")
    r = 0.05 + 0.02 * np.cos(b)
    ring = Mesh.from_grid(np.stack([r * np.cos(a), r * np.sin(a), 0.02 * np.sin(b)], -1), closed=(True, True))
    values = ring.distances((0, 0, 0.01), (0, 0, 1))
    with pytest.raises(BadValue, match="has 2 parts"):
        Curve.from_mesh(ring, values)
    outer = Curve.from_mesh(ring, values, near=(0.07, 0, 0.01))
    radius = 0.05 + np.sqrt(0.02**2 - 0.01**2)
    s = np.linspace(0, outer.length, 50)
    assert outer.closed and abs(outer.length - 2 * np.pi * radius) < 2e-4 and outer.error < 5e-5
    assert np.abs(np.linalg.norm(outer.position(s)[:, :2], axis=1) - radius).max() < 5e-5
    assert np.abs(outer.curvature(s) * radius - 1).max() < 0.02
    assert (np.cross(outer.position(s), outer.tangent(s))[:, 2] > 0).all()  # above is to the left, seen from outside


def test_files_of_bones(tmp_path):
    """Oracle: the same triangles written in four formats by hand."""
    mesh = torus((9, 7))
    v, f = mesh.vertices, mesh.triangles
    lines = [" ".join(f"{x!r}" for x in map(float, row)) for row in v]
    (tmp_path / "a.obj").write_text(
        "\n".join([f"v {x}" for x in lines] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in f])
    )
    facet = "facet normal 0 0 0\nouter loop\n{}\nendloop\nendfacet"
    stl = "\n".join(facet.format("\n".join(f"vertex {lines[k]}" for k in row)) for row in f)
    (tmp_path / "a.stl").write_text(f"solid a\n{stl}\nendsolid a\n")
    head = "ply\nformat {} 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n"
    head += "element face {}\nproperty list uchar int vertex_indices\nend_header\n"
    rows = "\n".join(lines + [f"3 {a} {b} {c}" for a, b, c in f])
    (tmp_path / "a.ply").write_text(head.format("ascii", len(v), len(f)) + rows + "\n")
    faces = b"".join(b"\x03" + row.astype("<i4").tobytes() for row in f)
    packed = v.astype("<f8").tobytes() + faces
    (tmp_path / "b.ply").write_bytes(head.format("binary_little_endian", len(v), len(f)).encode() + packed)
    for name in ("a.obj", "a.stl", "a.ply", "b.ply"):
        read = Mesh.from_file(tmp_path / name, scale=0.5)
        assert len(read.vertices) == len(v) and np.abs(read.corners - 0.5 * mesh.corners).max() < 1e-15
    (tmp_path / "b.ply").write_bytes(head.format("binary_little_endian", len(v), len(f)).encode() + packed[:-9])
    with pytest.raises(BadFile):
        Mesh.from_file(tmp_path / "b.ply")


def test_what_is_no_surface_is_named_with_its_place():
    mesh = torus((21, 11))
    v, f = mesh.vertices, mesh.triangles
    with pytest.raises(BadValue, match=r"triangle \[3\] near \(.*\) m has no area, 1 of"):
        Surface.from_mesh(Mesh(v, np.vstack([f[:3], [f[0, [0, 1, 1]]], f[3:]])))
    assert len(Mesh(v, np.vstack([f, [f[0, [0, 1, 1]]]])).cleaned().triangles) == len(f)
    with pytest.raises(BadValue, match=r"edge of triangle \[\d+\] near \(.*\) m belongs to more than two triangles"):
        Surface.from_mesh(Mesh(np.vstack([v, [0.1, 0, 0]]), np.vstack([f, [f[200, 0], f[200, 1], len(v)]])))
    with pytest.raises(BadValue, match=r"triangle \[\d+\] near \(.*\) m and its neighbour face opposite sides"):
        Surface.from_mesh(Mesh(v, np.vstack([f[:100], [f[100, ::-1]], f[101:]])))
    holed = mesh.part(np.linalg.norm(mesh.corners.mean(axis=1) - (0.032, 0, 0), axis=1) > 0.004)
    with pytest.raises(BadValue, match=r"a hole, or its edge, at parameters \("):
        Surface.from_mesh(holed, axis=((0, 0, 0), (0, 0, 1)), bounds=((-1, 1), (-0.01, 0.01)))
    with pytest.raises(BadShape, match="too few vertices"):
        Surface.from_mesh(torus((6, 5)))
    with pytest.raises(BadShape, match="no triangle is left"):
        mesh.near((1, 1, 1), 0.1)
    with pytest.raises(BadValue, match="misses the mesh"):
        Curve.from_mesh(mesh, mesh.distances((0, 0, 1), (0, 0, 1)))
    with pytest.warns(CondyleWarning, match="millimetres"):
        Mesh(1000 * v, f)


def test_what_hangs_on_a_vertex_is_named_and_left_out_of_cuts():
    """Oracle: three triangles made by hand: two that hang on the corner of a plate, and one that stands apart."""
    x, y = np.meshgrid(np.linspace(-0.02, 0.02, 31), np.linspace(-0.02, 0.02, 31), indexing="ij")
    plate = Mesh.from_grid(np.stack([x, y, 0 * x], axis=-1))
    n, tips = len(plate.vertices), [(0.021, 0.02, 0.003), (0.021, 0.021, 0.003), (0.02, 0.021, 0.003)]
    corner = int(np.argmax(plate.vertices.sum(axis=1)))
    more = [(corner, n, n + 1), (corner, n + 1, n + 2)]
    hung = Mesh(np.vstack([plate.vertices, tips]), np.vstack([plate.triangles, more]))
    for make in (lambda: Surface.from_mesh(hung, up=(0, 0, 1)), lambda: hung.require_surface(around=[corner])):
        with pytest.raises(BadValue, match=r"triangle \[1800\] near \(.*\) m hangs on .* vertex only.*2 such"):
            make()
    hung.require_surface(around=[0])
    for whole in (hung.without_hanging(), hung.near((0, 0, 0), 1.0)):
        assert np.array_equal(whole.corners, plate.corners)
    apart = np.vstack([plate.vertices, np.array(tips) + (0.01, 0, 0)])
    assert len(Mesh(apart, np.vstack([plate.triangles, [(n, n + 1, n + 2)]])).without_hanging().triangles) == 1801


def test_folds_are_named_with_their_place():
    x, y = np.meshgrid(np.linspace(-0.02, 0.02, 31), np.linspace(-0.02, 0.02, 31), indexing="ij")
    folded = Mesh.from_grid(np.stack([x + 0.02 * np.sin(150 * x), y, 0.003 * np.cos(100 * x)], axis=-1))
    with pytest.raises(FoldedSurface, match=r"turns away or is too steep .* at triangle \d+, \("):
        Surface.from_mesh(folded, up=(0, 0, 1))
    flat = np.stack([x, y, 0 * x], axis=-1)
    sheets = Mesh.from_grid(flat), Mesh.from_grid(flat + (0.01, 0, 0.005 * 1.0))
    both = Mesh(np.vstack([m.vertices for m in sheets]), np.vstack([sheets[0].triangles, sheets[1].triangles + 961]))
    with pytest.raises(FoldedSurface, match=r"folded or crosses itself at parameters \("):
        Surface.from_mesh(both)
    a, b = np.meshgrid(np.linspace(0, 2 * np.pi, 41)[:-1], np.linspace(0.1, 3, 21), indexing="ij")
    ball = 0.03 * np.stack([np.cos(a) * np.sin(b), np.sin(a) * np.sin(b), np.cos(b)], axis=-1)
    with pytest.raises(FoldedSurface, match=r"Take a part|goes around its axis"):
        Surface.from_mesh(Mesh.from_grid(ball[:, ::-1], closed=(True, False)))


@pytest.mark.slow
@pytest.mark.skipif(not GEOMETRY.is_dir(), reason="needs the bones of ../shared/data")
def test_a_joint_on_the_head_of_a_metacarpal():
    """Oracle: distances of the vertices from the surface, by nearest points of it; on OpenSim's bone within 0.1 mm."""
    from scipy.spatial import KDTree

    bone = Mesh.from_file(GEOMETRY / "arm_r_2mc.vtp").cleaned(1e-7)
    end = bone.vertices[np.argmin(bone.vertices[:, 1])]
    part = bone.near(end, 0.007).facing((0, -1, 0), 1.1)
    patch = Surface.from_mesh(part, up=(0, -1, 0))
    assert 1e-6 < patch.rms < 4e-5 and patch.error < 1e-4
    inner = [np.linspace(*b[[0, -1]], 300) for b in patch.breaks]
    dense = patch.points(np.stack(np.meshgrid(*inner), axis=-1).reshape(-1, 2))
    near, which = KDTree(dense).query(part.vertices)
    inside = ((np.stack(np.divmod(which, 300)) % 299) > 0).all(axis=0)  # not beyond the rectangle's edges
    assert inside.sum() > 40 and near[inside].max() < patch.error + 2e-5
    joint, q = cd.joints.on(patch), [float(b.mean()) for b in patch.breaks]
    assert np.abs(joint.pose(q).xyz - patch.points(q)[0]).max() < 1e-9
