"""From meshes of two bones and poses to a joint: against closed forms of tori, balls and planes."""

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import run
from condyle.errors import BadFile, BadShape, BadValue, FoldedSurface, NotConverged
from condyle.joints import Mesh

RING, TUBE = 0.010, 0.022  # [m] of condyles that are pieces of tori about z
SIDES = (-0.03, 0.03)
FLEX = np.linspace(-0.1, 1.5, 161)


def torus(side, count=(121, 45)):
    a, b = np.meshgrid(np.linspace(-0.8, 2.2, count[0]), np.linspace(-1.0, 1.0, count[1]), indexing="ij")
    r = RING + TUBE * np.cos(b)
    return np.stack([r * np.sin(a), -r * np.cos(a), side + TUBE * np.sin(b)], axis=-1)


def together(grids, title):
    """Grids as one mesh."""
    parts = [Mesh.from_grid(g) for g in grids]
    starts = np.cumsum([0, *(len(p.vertices) for p in parts)])
    triangles = np.concatenate([p.triangles + s for p, s in zip(parts, starts, strict=False)])
    return Mesh(np.concatenate([p.vertices for p in parts]), triangles, title)


def femur():
    return together([torus(side) for side in SIDES], "femur")


def tibia():
    """Two flat plateaus, y up, in the tibia's frame."""
    z, x = np.meshgrid(np.linspace(-0.018, 0.018, 31), np.linspace(-0.025, 0.025, 41), indexing="ij")
    return together([np.stack([x, 0 * x, side + z], axis=-1) for side in SIDES], "tibia")


def poses(noise=0.0, seed=0):
    """Both plateaus touch both tori all along: flexion about z, sliding forward; the touched heights are R + r."""
    t = FLEX
    T = np.tile(np.eye(4), (len(t), 1, 1))
    T[:, 0, 0], T[:, 0, 1], T[:, 1, 0], T[:, 1, 1] = np.cos(t), -np.sin(t), np.sin(t), np.cos(t)
    down, tangent = np.stack([np.sin(t), -np.cos(t), 0 * t], 1), np.stack([np.cos(t), np.sin(t), 0 * t], 1)
    T[:, :3, 3] = (RING + TUBE) * down - 0.006 * np.sin(t)[:, None] * tangent
    rng = np.random.default_rng(seed)
    wobble = cd.SE3.exp(noise * rng.normal(size=(len(t), 6)) * np.repeat([np.radians(0.1) / 3e-4, 1.0], 3))
    return cd.SE3.from_matrix(T @ wobble.as_matrix()), (RING + TUBE) * down


def test_two_condyles_are_found_with_their_contact_paths():
    """Oracle: closed form: touched points of both tori, the gap, and the axis of a pure flexion, from noisy poses."""
    noisy, _ = poses(3e-4)
    found = cd.design.joint_from_bones(femur(), tibia(), noisy, FLEX, options={"frames": 8, "name": "flexion"})
    assert len(found.compartments) == 2 and found.joint.coordinates == ("flexion",)
    expected = (RING + TUBE) * np.column_stack([np.sin(found.q[:, 0]), -np.cos(found.q[:, 0])])
    for c in found.compartments:
        assert max(c.parent.error, c.child.error) < 2e-5  # [m] of the fitted surfaces
        seen = slice(3, -3)
        assert np.isfinite(c.path.gap[seen]).all() and np.abs(c.path.gap[seen]).max() < 3e-4
        assert np.abs(np.abs(c.path.parent[seen, 2]) - 0.03).max() < 2e-3
        assert np.linalg.norm(c.path.parent[seen, :2] - expected[seen], axis=1).max() < 1e-4
    assert np.abs(found.fixed_axode.direction[3:-3, 2]).min() > 0.98
    assert "2 compartments" in str(found) and "gap" in str(found)
    assert found.numbers()["parent_1_error_mm"] < 0.02


@pytest.mark.slow
def test_through_contact_the_gaps_are_closed(tmp_path):
    """Oracle: the surfaces alone: the gap along the whole motion, though poses have noise; picture and table."""
    noisy, _ = poses(3e-4, 1)
    options = {"frames": 8, "smoothing": 1e-3}
    found = cd.design.joint_from_bones(femur(), tibia(), noisy, FLEX, through="contact", options=options)
    for c in found.compartments:
        assert np.nanmax(np.abs(c.path.gap)) < 1e-6 and np.isfinite(c.path.gap).sum() > 30
    assert found.draw(tmp_path / "bones.png").stat().st_size > 10_000
    table = found.table()
    assert np.array_equal(table["gap_1_m"], found.compartments[0].path.gap, equal_nan=True)
    assert cd.joints.check(found.joint).ok


def ball(radius, low, high, up=1.0):
    u, v = np.meshgrid(np.linspace(low, high, 41), np.linspace(low, high, 41), indexing="ij")
    return radius * np.stack([np.sin(u), np.cos(u) * np.sin(v), up * np.cos(u) * np.cos(v)], axis=-1)


def test_meshes_alone_give_the_contact_of_their_surfaces():
    """Oracle: two balls: centres R + r apart, whatever the five coordinates."""
    lower = Mesh.from_grid(ball(0.03, -0.9, 0.9), title="lower")
    upper = Mesh.from_grid(ball(0.02, -0.9, 0.9, -1.0)[:, ::-1] + (0, 0, 0.0502), title="upper")
    found = cd.design.joint_from_bones(lower, upper, reach=0.006)
    q = np.random.default_rng(0).uniform(-0.004, 0.004, (20, 5))
    centre = found.joint.pose(q).as_matrix() @ [0, 0, 0.0502, 1]
    assert found.joint.nq == 5
    assert np.abs(np.linalg.norm(centre[:, :3], axis=1) - 0.05).max() < 2e-6


@pytest.mark.slow
def test_files_in_millimetres_and_the_command(tmp_path, capsys):
    """Oracle: the same call in Python; what is written."""
    from condyle.formats.tables.table_files import Table, write_csv

    for mesh in (femur(), tibia()):
        mesh.save(tmp_path / f"{mesh.title}.stl", scale=0.001)
    T = poses()[0].as_matrix()
    names = tuple(f"m{i}{j}" for i in range(4) for j in range(4))
    write_csv(Table(("flexion", *names), np.column_stack([FLEX, T.reshape(-1, 16)])), tmp_path / "poses.csv")
    bones = [str(tmp_path / f"{name}.stl") for name in ("femur", "tibia")]
    words = ["fit", str(tmp_path / "poses.csv"), "-o", str(tmp_path / "knee.toml"), "--coordinate", "flexion"]
    assert run([*words, "--frames", "8", "--bones", *bones, "--bone-scale", "0.001"]) == 0
    assert "2 compartments" in capsys.readouterr().out
    assert (tmp_path / "knee-contact.png").exists()
    gap = cd.read_table(tmp_path / "knee-contact.csv")["gap_1_m"]
    assert np.nanmax(np.abs(gap)) < 2e-5
    assert cd.load(tmp_path / "knee.toml").coordinates == ("flexion",)
    assert run([*words, "--force", "--bones", *bones]) == 2
    assert "millimetres" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (
            {"poses": cd.SE3.from_translation((0.3, 0, 0)) @ poses()[0]},
            BadValue,
            r"do not face each other within .* pose \[0\]",
        ),
        ({"poses": np.eye(4)}, BadShape, r"\(N, 4, 4\)"),
        ({"poses": None}, BadValue, "coordinates are those of poses"),
        ({"through": "bone"}, BadValue, "through is one of"),
        ({"reach": 1e-9}, BadValue, "more than reach"),
        ({"child": "nothing.stl"}, BadFile, "nothing.stl"),
    ],
)
def test_bad_bones_are_named(change, error, words):
    """Oracle: the words."""
    given = {"parent": femur(), "child": tibia(), "poses": poses()[0], "coordinates": FLEX} | change
    with pytest.raises(error, match=words):
        cd.design.joint_from_bones(**given)


def rolling_wheel():
    """A plate, a wheel of 20 mm on it, and their poses as it rolls."""
    a, y = np.meshgrid(np.linspace(-2.2, 2.2, 61), np.linspace(-0.01, 0.01, 11), indexing="ij")
    wheel = Mesh.from_grid(np.stack([0.02 * np.sin(a), y, -0.02 * np.cos(a)], -1)[:, ::-1])
    x, z = np.meshgrid(np.linspace(-0.05, 0.05, 61), np.linspace(-0.01, 0.01, 11), indexing="ij")
    plate = Mesh.from_grid(np.stack([x, z, 0 * x], axis=-1))
    t = np.linspace(-0.8, 0.8, 40)
    turn = cd.SE3.exp(np.outer(t, [0, 1.0, 0, 0, 0, 0]))
    return plate, wheel, cd.SE3.from_translation(np.stack([0.02 * t, 0 * t, 0.02 + 0 * t], -1)) @ turn, t


def test_gaps_that_stay_open_through_contact_are_named(monkeypatch):
    """Oracle: the wheel 1 mm above the plate: one look finds the gap, and none is left to see it closed."""
    plate, wheel, rolled, t = rolling_wheel()
    lifted = cd.SE3.from_translation((0, 0, 0.001)) @ rolled
    monkeypatch.setattr("condyle.design.bones.joint_from_bones.ROUNDS", 1)
    with pytest.raises(NotConverged, match=r"gaps are not closed.*1 mm are left"):
        cd.design.joint_from_bones(plate, wheel, lifted, t, through="contact", options={"frames": 8})


def with_hole(v, f):
    return v, f[np.linalg.norm(v[f].mean(axis=1)[:, :2], axis=1) > 0.005]


def with_flat_triangle(v, f):
    out = v.copy()
    out[300] = out[301]
    return out, f


def folded_back(v, f):
    out = v.copy()
    out[:, 0], out[:, 2] = -np.abs(v[:, 0]), -0.002 * (v[:, 0] > 0)
    return out, f


MIDDLE = 295  # a triangle of the plate's middle


def with_fin(v, f):
    """A third triangle at an edge, its tip 50 mm below the plate."""
    return np.vstack([v, (0, 0, -0.05)]), np.vstack([f, [*f[MIDDLE, :2], len(v)]])


def with_hanging_triangle(v, f):
    """A triangle that has one vertex in common with the others."""
    tips = v[f[MIDDLE]].mean(axis=0) + [(0, 0.001, -0.003), (0.001, 0, -0.003)]
    return np.vstack([v, tips]), np.vstack([f, [f[MIDDLE, 0], len(v), len(v) + 1]])


def with_turned(every):
    def damage(v, f):
        out = f.copy()
        out[every] = out[every, ::-1]
        return v, out

    return damage


@pytest.mark.filterwarnings("ignore:.*millimetres")
@pytest.mark.parametrize(
    ("damage", "error", "words"),
    [
        (with_fin, BadValue, r"an edge of triangle \[295\] near \(-0.0005556, 0.0006667, 0\) m .*non-manifold"),
        (with_hanging_triangle, BadValue, r"triangle \[1200\] near \(.*\) m hangs on the others by a vertex only"),
        (with_turned([MIDDLE]), BadValue, r"triangle \[295\] near \(-0.0005556, 0.0006667, 0\) m .* opposite sides"),
        (with_turned(slice(None, None, 2)), BadValue, r"triangle \[\d+\] near \(.*\) m .* opposite sides"),
        (with_hole, BadValue, r"a hole of 12 mm in an articular part near \("),
        (with_flat_triangle, BadValue, r"triangle \[\d+\] near \(.*\) m has no area"),
        (folded_back, FoldedSurface, r"turns away or is too steep .*triangle \d+, \("),
        (lambda v, f: (1e3 * v, f), BadValue, "100 m large.*millimetres.*scale"),
        (lambda v, f: (v, f[:, ::-1]), BadValue, r"do not face each other.*pose \[0\]"),
        (lambda v, f: (v + (0, 0, 1.0), f), BadValue, r"do not face each other.*pose \[0\]"),
        (lambda v, f: (v, np.vstack([f, [[0, 1, 99999]]])), BadValue, "vertices 0 … 670"),
    ],
)
def test_damaged_meshes_are_named_with_the_place(damage, error, words):
    """Oracle: the words; the same bones undamaged give a joint (the example of `joint_from_bones`)."""
    plate, wheel, rolled, t = rolling_wheel()
    with pytest.raises(error, match=words):
        cd.design.joint_from_bones(Mesh(*damage(plate.vertices, plate.triangles)), wheel, rolled, t)


@pytest.mark.slow
def test_damage_away_from_the_articular_part_does_not_matter():
    """Oracle: the joint of the mesh without damage, exactly; the triangle is turned over at the end of the plate."""
    plate, wheel, rolled, t = rolling_wheel()
    damaged = Mesh(*with_turned([1])(plate.vertices, plate.triangles))
    paths = [cd.design.joint_from_bones(x, wheel, rolled, t).compartments[0].path for x in (plate, damaged)]
    assert np.array_equal(paths[0].gap, paths[1].gap)


def test_meshes_that_could_only_cut_into_each_other_are_named():
    """Oracle: a wheel of 20 mm in a groove of 10 mm."""
    _, wheel, _, _ = rolling_wheel()
    a, y = np.meshgrid(np.linspace(-2.2, 2.2, 61), np.linspace(-0.01, 0.01, 11), indexing="ij")
    groove = Mesh.from_grid(np.stack([0.01 * np.sin(a), y, 0.01 - 0.01 * np.cos(a)], -1))
    with pytest.raises(BadValue, match=r"cannot touch from outside.*parent = .*child = "):
        cd.design.joint_from_bones(groove, Mesh(wheel.vertices + (0, 0, 0.02), wheel.triangles))
