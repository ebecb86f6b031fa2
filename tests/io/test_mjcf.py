"""Models of MuJoCo (MJCF) against closed forms and files written by hand."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle.errors import BadFile, CondyleWarning
from support.mjcf_files import EVERYTHING

GRAVITY = 9.81


def loaded(folder, inside, more="", name="model.xml", **options):
    """The model of bodies in the world, with further sections."""
    path = folder / name
    path.write_text(f"<mujoco>{more}<worldbody>{inside}</worldbody></mujoco>")
    return cd.load(path, **options)


def hinge(name="a", inside='<geom type="sphere" size="0.1" mass="2" pos="0 0 -0.5"/>', joint='axis="0 1 0"'):
    """A body on a hinge through its origin."""
    return f'<body name="{name}"><joint name="{name}_angle" {joint}/>{inside}</body>'


def test_a_pendulum_swings_as_its_sphere_says(tmp_path):
    """Oracle: M = 2/5 m r² + m l², gravity m g l sin q."""
    model = loaded(tmp_path, hinge())
    inertia = 2 / 5 * 2 * 0.1**2 + 2 * 0.5**2
    assert model.coordinates == ("a_angle",)
    assert cd.mass_matrix(model, [0.3])[0, 0] == pytest.approx(inertia, rel=1e-12)
    assert cd.inverse_dynamics(model, [0.3], [0.0], [0.0])[0] == pytest.approx(2 * GRAVITY * 0.5 * np.sin(0.3))


def test_springs_dampers_armature_and_ranges_of_a_joint(tmp_path):
    """Oracle: τ = (I + a) q̈ + d q̇ + k (q − rest), in degrees where the file says so by saying nothing."""
    joint = 'axis="0 0 1" stiffness="3" springref="30" damping="0.7" armature="0.25" range="-90 45" frictionloss="0.4"'
    model = loaded(tmp_path, hinge(joint=joint, inside='<geom type="sphere" size="0.1" mass="2"/>'))
    got = cd.inverse_dynamics(model, [0.2], [1.5], [2.0])[0]
    assert got == pytest.approx((0.008 + 0.25) * 2.0 + 0.7 * 1.5 + 3.0 * (0.2 - np.pi / 6), rel=1e-12)
    limits = model.limits["a_angle"]
    assert (limits.low, limits.high) == pytest.approx((-np.pi / 2, np.pi / 4))
    assert limits.friction == 0.4 and any("frictionloss" in note for note in model.notes)


def test_joints_of_a_body_move_it_one_after_another_from_their_references(tmp_path):
    """Oracle: T(pos) R(q − ref) T(−pos) written out with scipy."""
    body = """<body name="a" pos="1 0 0" euler="0 0 90"><joint name="s" type="slide" axis="0 0 2"/>
      <joint name="h" axis="1 0 0" pos="0 0.2 0" ref="60"/><geom size="0.1"/></body>"""
    model = loaded(tmp_path, body)
    s, h = 0.3, 0.9
    start = Rotation.from_euler("z", np.pi / 2)
    turn, anchor = Rotation.from_rotvec([h - np.pi / 3, 0, 0]), np.array([0, 0.2, 0])
    expected = start.apply(np.array([0, 0, s]) + anchor - turn.apply(anchor)) + [1, 0, 0]
    pose = cd.forward_kinematics(model, [s, h])[0]
    assert np.abs(pose.xyz - expected).max() < 1e-14
    assert np.abs(np.asarray(pose)[:3, :3] - (start * turn).as_matrix()).max() < 1e-14
    assert model.neutral() == pytest.approx([0.0, np.pi / 3])


def test_states_of_mujoco_become_those_of_the_model(tmp_path):
    """Oracle: a free body stands where qpos has it, and its point moves as qvel says (linear in world axes)."""
    model = loaded(tmp_path, '<body name="a" pos="1 2 3" euler="30 40 50"><freejoint/><geom size="0.1"/></body>')
    wxyz = np.array([0.5, 0.5, -0.5, 0.5])
    q, v = model.mujoco.state([4, 5, 6, *wxyz], [1, 2, 3, 0.1, 0.2, 0.3])
    pose = cd.forward_kinematics(model, q)[0]
    R = Rotation.from_quat(wxyz[[1, 2, 3, 0]]).as_matrix()
    assert np.abs(pose.xyz - [4, 5, 6]).max() < 1e-13 and np.abs(np.asarray(pose)[:3, :3] - R).max() < 1e-14
    assert np.abs(v[:3] - [0.1, 0.2, 0.3]).max() < 1e-15 and np.abs(R @ v[3:] - [1, 2, 3]).max() < 1e-14


@pytest.mark.parametrize(
    ("way", "R"),
    [
        ('euler="10 20 30"', Rotation.from_euler("XYZ", [10, 20, 30], degrees=True)),
        ('axisangle="1 2 2 40"', Rotation.from_rotvec(np.radians(40) * np.array([1, 2, 2]) / 3)),
        ('quat="2 0 0 2"', Rotation.from_euler("z", 90, degrees=True)),
        ('xyaxes="0 2 0 -1 5 0"', Rotation.from_euler("z", 90, degrees=True)),
        ('zaxis="0 3 0"', Rotation.from_euler("x", -90, degrees=True)),
    ],
)
def test_orientations_in_five_ways(tmp_path, way, R):
    """Oracle: scipy's rotations; the first are Euler angles x, y, z about axes that turn along."""
    model = loaded(tmp_path, f'<body name="a" {way}><joint axis="1 0 0"/><geom size="0.1"/></body>')
    assert np.abs(np.asarray(cd.forward_kinematics(model, [0.0])[0])[:3, :3] - R.as_matrix()).max() < 1e-14


def test_capital_letters_turn_about_fixed_axes(tmp_path):
    """Oracle: scipy, in which small letters are fixed axes."""
    more = '<compiler angle="radian" eulerseq="YZX"/>'
    model = loaded(tmp_path, '<body euler="0.1 0.2 0.3"><joint/><geom size="0.1"/></body>', more)
    R = Rotation.from_euler("yzx", [0.1, 0.2, 0.3]).as_matrix()
    assert np.abs(np.asarray(cd.forward_kinematics(model, [0.0])[0])[:3, :3] - R).max() < 1e-14


def test_classes_hand_down_what_elements_do_not_say(tmp_path):
    """Oracle: the masses of boxes whose density and size come from three classes, 8 ρ a b c."""
    more = """<default><geom type="box" size="0.1 0.2 0.3" density="100"/>
      <default class="heavy"><geom density="300"/><default class="flat"><geom size="0.5"/></default></default>
      </default>"""
    bodies = "".join(
        f'<body name="{name}" {inherited}><joint/><geom {own}/></body>'
        for name, inherited, own in (
            ("plain", "", ""), ("heavy", 'childclass="heavy"', ""), ("flat", 'childclass="heavy"', 'class="flat"'),
            ("own", 'childclass="flat"', 'size="0.4 0.4" density="10"'),
        )
    )  # fmt: skip
    masses = [b.inertia.mass for b in loaded(tmp_path, bodies, more).bodies]
    assert masses == pytest.approx([100 * 0.048, 300 * 0.048, 300 * 8 * 0.5 * 0.06, 10 * 8 * 0.4 * 0.4 * 0.3])


CUBE = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""


@pytest.mark.parametrize("mode", ["legacy", "convex", "exact", "shell"])
def test_a_mesh_of_a_box_has_the_inertia_of_the_box(tmp_path, mode):
    """Oracle: a box of edges 0.2, 0.4, 0.6 in closed form; as a shell, faces of equal density."""
    (tmp_path / "cube.obj").write_text(CUBE)
    more = f'<asset><mesh file="cube.obj" scale="0.2 0.4 -0.6" inertia="{mode}"/></asset>'
    model = loaded(tmp_path, hinge(inside='<geom type="mesh" mesh="cube" density="50"/>'), more)
    a, b, c = 0.2, 0.4, 0.6
    faces = 2.0 * np.array([b * c, a * c, a * b])
    shell = np.array([a, b, c]) ** 2 * (faces / 4 + (faces.sum() - faces) / 12) / faces.sum()
    squares = shell if mode == "shell" else np.array([a, b, c]) ** 2 / 12
    mass = 50 * (faces.sum() if mode == "shell" else a * b * c)
    inertia = model.bodies[0].inertia
    assert inertia.mass == pytest.approx(mass, rel=1e-12)
    assert inertia.com == pytest.approx([0.1, 0.2, -0.3])
    assert np.abs(inertia.moment - mass * np.diag(squares.sum() - squares)).max() < 1e-12 * mass
    assert model.bodies[0].shapes[0].size == (0.2, 0.4, -0.6)


def test_the_compiler_bounds_balances_and_scales_masses(tmp_path):
    """Oracle: what MuJoCo's manual says of boundmass, boundinertia, balanceinertia and settotalmass."""
    bodies = """<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 4"/></body>
      <body><joint/><inertial pos="0 0 0" mass="0.1" diaginertia="0 1 1"/></body>"""
    model = loaded(tmp_path, bodies, '<compiler balanceinertia="true" boundmass="0.5" boundinertia="0.25"/>')
    assert [b.inertia.mass for b in model.bodies] == [1.0, 0.5]
    assert model.bodies[0].inertia.moment.diagonal() == pytest.approx([2, 2, 2])
    assert model.bodies[1].inertia.moment.diagonal() == pytest.approx([0.25, 1, 1])
    scaled = loaded(tmp_path, bodies, '<compiler balanceinertia="true" settotalmass="11"/>')
    assert [b.inertia.mass for b in scaled.bodies] == pytest.approx([10.0, 1.0])
    assert scaled.bodies[0].inertia.moment.diagonal() == pytest.approx([20, 20, 20])


def test_inertials_are_taken_or_left_as_the_compiler_says(tmp_path):
    """Oracle: the mass of the inertial, of geoms in the groups asked for, or of nothing."""
    body = '<body><joint/><inertial pos="0 0 0" mass="7" fullinertia="3 4 5 0.1 0.2 0.3"/><geom size="0.1" mass="2"/>'
    body += '<geom size="0.1" mass="40" group="3"/></body>'
    masses = {}
    for way in ("auto", "true", "false"):
        more = f'<compiler inertiafromgeom="{way}" inertiagrouprange="0 2"/>'
        masses[way] = loaded(tmp_path, body, more).bodies[0].inertia
    assert [i.mass for i in masses.values()] == [7.0, 2.0, 7.0]
    assert np.abs(masses["auto"].moment - [[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]]).max() < 1e-15


@pytest.mark.slow
def test_an_equality_of_joints_is_a_function_not_a_coordinate(tmp_path):
    """Oracle: M = I + f'² I with f = 0.1 + 0.5 x + 0.25 x², x from the reference; the pose of the follower."""
    inside = '<geom type="sphere" size="0.1" mass="2"/>'
    bodies = hinge("a", inside, 'axis="0 0 1" ref="0.2"') + hinge("b", inside, 'axis="0 0 1" ref="0.4"')
    tie = '<equality><joint joint1="b_angle" joint2="a_angle" polycoef="0.1 0.5 0.25"/></equality>'
    more = '<compiler angle="radian"/>' + tie
    model = loaded(tmp_path, bodies, more)
    assert model.coordinates == ("a_angle",)
    x = 0.9 - 0.2
    slope, turned = 0.5 + 0.5 * x, 0.1 + 0.5 * x + 0.25 * x * x
    assert cd.mass_matrix(model, [0.9])[0, 0] == pytest.approx(0.008 * (1 + slope**2), rel=1e-12)
    R = np.asarray(cd.forward_kinematics(model, [0.9])[1])[:3, :3]
    assert np.arctan2(R[1, 0], R[0, 0]) == pytest.approx(turned, rel=1e-12)
    assert model.mujoco.state([0.9, 0.0])[0] == pytest.approx([0.9])


def test_connect_and_weld_hold_bodies_where_the_file_has_them(tmp_path):
    """Oracle: the gaps of both constraints are zero in the file's pose, and of six and three rows."""
    bodies = "".join(f'<body name="{n}" pos="{x} 0 0" euler="0 0 {x}"><freejoint/><geom size="0.1"/></body>'
                     for n, x in (("a", 1), ("b", 20), ("c", 40)))  # fmt: skip
    more = '<equality><connect body1="a" body2="b" anchor="0.1 0.2 0.3"/><weld body1="b" body2="c"/></equality>'
    model = loaded(tmp_path, bodies, more)
    assert [c.label.split()[0] for c in model.constraints] == ["point", "weld"]
    assert cd.forward_dynamics(model, model.neutral(), np.zeros(18)) == pytest.approx([0, 0, 0, 0, 0, -GRAVITY] * 3)


def test_everything_is_read_or_told(tmp_path):
    """Oracle: the list of what the file has; each is a coordinate, a load, data, or named in a note."""
    path = tmp_path / "small.xml"
    path.write_text(EVERYTHING.replace('name="along"', 'name="along" wobble="3"'))
    model = cd.load(path)
    assert model.coordinates == ("along", "lean", "swing", "ball", "fly")
    assert [f.name for f in model.followers][:1] == ["turn"] and len(model.followers) == 2  # it and its rotor
    assert model.limits["along"].armature == 0.02
    notes = " | ".join(model.notes)
    for word in (
        "joint.wobble",
        "1 actuator",
        "1 tendon",
        "frictionloss",
        "<light>",
        "not active",
        "armature",
        "touch",
    ):
        assert word in notes, word
    assert model.mujoco.tendons[0].parts[0].attributes["coef"] == "2"
    assert model.mujoco.actuators[0].attributes["gear"] == "10"
    assert [m.name for m in model.markers] == ["tip"]
    key = model.mujoco.keyframes[0]
    assert key.name == "up" and cd.forward_kinematics(model, key.q)[model.body_index("loose")].xyz == pytest.approx(
        [0, 2, 1]
    )


def test_files_are_included_from_the_folder_of_the_model_and_below(tmp_path):
    """Oracle: the same model in one file."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.xml").write_text(f"<mujocoinclude>{hinge()}</mujocoinclude>")
    model = loaded(tmp_path, '<include file="parts/arm.xml"/>')
    assert cd.mass_matrix(model, [0.0]) == pytest.approx(cd.mass_matrix(loaded(tmp_path, hinge()), [0.0]))


@pytest.mark.parametrize(("folder", "meshdir"), [("parts", ""), ("parts", "assets"), ("../parts", "assets")])
def test_meshes_of_an_included_file_are_beside_it(tmp_path, folder, meshdir):
    """Oracle: the mass of a box, 1000 kg/m³ of its volume; a folder elsewhere must be named, which then works."""
    home = tmp_path / "home"
    place = home / folder / meshdir
    place.mkdir(parents=True)
    trimesh = pytest.importorskip("trimesh")
    trimesh.creation.box((0.1, 0.2, 0.3)).export(place / "box.stl")
    said = f'<compiler meshdir="{meshdir}"/><asset><mesh name="box" file="box.stl"/></asset>'
    (home / folder / "assets.xml").write_text(f"<mujocoinclude>{said}</mujocoinclude>")
    body, included = hinge(inside='<geom type="mesh" mesh="box"/>'), f'<include file="{folder}/assets.xml"/>'
    if folder.startswith(".."):
        with pytest.raises(BadFile, match="packages"):
            loaded(home, body, included)
    model = loaded(home, body, included, **({"packages": tmp_path} if folder.startswith("..") else {}))
    assert model.bodies[0].inertia.mass == pytest.approx(6.0)


@pytest.mark.parametrize("limited", ["auto", "true"])
def test_a_range_upside_down_is_a_doubt(tmp_path, limited):
    """Oracle: MuJoCo does not limit the first and refuses the second; ordinary ranges are as written."""
    body = hinge(joint=f'axis="0 1 0" range="45 -45" limited="{limited}"')
    with pytest.warns(CondyleWarning, match=r"'a_angle': its range .* leaves it no room"):
        model = loaded(tmp_path, body)
    assert not model.ranges
    with pytest.raises(BadFile, match="no room"):
        loaded(tmp_path, body, strict=True)
    assert loaded(tmp_path, body.replace("45 -45", "-45 45"), strict=True).ranges


@pytest.mark.parametrize("name", ["../secret.xml", "/etc/passwd", "link.xml"])
def test_files_elsewhere_are_refused_unless_their_folder_is_named(tmp_path, name):
    """Oracle: a file outside of the folder, by a path, an absolute path and a link, is not opened."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.xml").write_text(f"<mujocoinclude>{hinge()}</mujocoinclude>")
    (home / "link.xml").symlink_to(tmp_path / "secret.xml")
    inside = f'<include file="{name}"/>'
    with pytest.raises(BadFile, match="packages"):
        loaded(home, inside)
    if name != "/etc/passwd":
        assert loaded(home, inside, packages=tmp_path).coordinates == ("a_angle",)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><mujoco/>', "document type"),
        ("<mujoco><worldbody/></mujoco>", "no <body>"),
        ("<robot/>", "URDF"),
        ("<sdf/>", "<sdf>.*[.]sdf"),
        ("<OpenSimDocument><Model/></OpenSimDocument>", "[.]osim"),
        ("<OpenSimDocument><InverseKinematicsTool/></OpenSimDocument>", "InverseKinematicsTool: `condyle trial`"),
        ("<AnalyzeTool/>", "`condyle trial`"),
        ("<OpenSimDocument><ExternalLoads/></OpenSimDocument>", "ExternalLoads"),
        ('<mujoco><include file="model.xml"/></mujoco>', "itself"),
        ('<mujoco><worldbody><body><composite type="cable"/></body></worldbody></mujoco>', "composite"),
        ('<mujoco><compiler coordinate="global"/></mujoco>', "global"),
        ('<mujoco><worldbody><body><joint axis="0 0 0"/></body></worldbody></mujoco>', "axis"),
        ('<mujoco><worldbody><body><geom size="-1"/></body></worldbody></mujoco>', "positive"),
        ('<mujoco><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>', "'m'"),
        (
            '<mujoco><compiler fitaabb="true"/><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>'
            '<worldbody><body><geom type="box" mesh="m"/></body></worldbody></mujoco>',
            "fitaabb",
        ),
        ('<mujoco><worldbody><body><geom class="c" size="1"/></body></worldbody></mujoco>', "'c'"),
        ('<mujoco><worldbody><body><geom size="nan"/></body></worldbody></mujoco>', "finite"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(tmp_path, text, word):
    """Oracle: the word that names what is wrong."""
    (tmp_path / "model.xml").write_text(text)
    with pytest.raises(BadFile, match=word):
        cd.load(tmp_path / "model.xml")


SMALL = """<mujoco><compiler angle="radian"/><default><geom size="0.1 0.2" rgba="1 0 0 1"/></default><worldbody>
<body name="a" pos="0 0 1" euler="0.1 0 0"><joint name="j" axis="0 1 0" range="-1 1" damping="0.5"/>
<geom type="capsule" fromto="0 0 0 0 0 0.4"/></body></worldbody><actuator><motor joint="j"/></actuator></mujoco>"""


@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
def test_damaged_files_give_a_model_or_a_named_error(tmp_path):
    """Oracle: no other exception, over 500 mutations of two files, of which one has nearly everything."""
    rng = np.random.default_rng(0)
    path = tmp_path / "damaged.xml"
    pieces = [
        b"0",
        b"-1",
        b"1e300",
        b"nan",
        b'"',
        b"<",
        b">",
        b"/",
        b" ",
        b"body",
        b"joint",
        b"geom",
        b"\xff",
        b"1 2 3",
    ]
    opened = refused = 0
    for k in range(500):
        data = bytearray((SMALL if k % 10 else EVERYTHING).encode())
        for _ in range(rng.integers(1, 4)):
            at = int(rng.integers(len(data)))
            data[at : at + int(rng.integers(0, 6))] = pieces[rng.integers(len(pieces))]
        path.write_bytes(bytes(data))
        try:
            opened += isinstance(cd.load(path), cd.Model)
        except BadFile:
            refused += 1
    assert opened > 20 and opened + refused == 500


def test_bodies_are_drawn_by_what_mujoco_shows_at_first(tmp_path):
    """Oracle: the groups of the file: 0 to 2 are seen; others only where a body has nothing else, the first of them."""
    geom = '<geom type="sphere" size="0.{}" group="{}" mass="1"/>'
    seen = hinge("a", "".join(geom.format(k + 1, k) for k in (1, 2, 3, 5)))
    only = hinge("b", "".join(geom.format(k + 1, k) for k in (5, 4, 5)))
    model = loaded(tmp_path, seen + only)
    assert [[s.size[0] for s in body.shapes] for body in model.bodies] == [[0.2, 0.3], [0.5]]
    assert {k: [s.size[0] for s in shapes] for k, shapes in model.collisions.items()} == {
        "a": [0.4, 0.6],
        "b": [0.6, 0.6],
    }
    assert any("4 shapes of groups that MuJoCo hides" in note for note in model.notes)
    assert [b.inertia.mass for b in model.bodies] == [4.0, 3.0]
    covered = loaded(tmp_path, seen + only + hinge("c", geom.format(3, 3)))  # of most bodies MuJoCo shows nothing
    assert [len(body.shapes) for body in covered.bodies] == [4, 3, 1] and covered.collisions == {}


@pytest.mark.parametrize("armature", ["", ' armature="0.3"'])
def test_states_of_mujoco_have_followers_where_they_are_coordinates(tmp_path, armature):
    """Oracle: the numbers by the names of coordinates; a rotor turns as its joint."""
    bodies = hinge("b", joint='axis="0 0 1"' + armature) + hinge("a", joint='axis="0 0 1"') + hinge("c")
    more = '<equality><joint joint1="b_angle" joint2="a_angle" polycoef="0 1"/></equality>'
    more += '<keyframe><key name="k" qpos="0.5 0.5 0.1"/></keyframe>'
    model = loaded(tmp_path, bodies, more, couplers="constraint")
    q, v = model.mujoco.state([0.4, 0.7, -0.2], [1.0, 2.0, 3.0])
    assert len(q) == model.nq and len(v) == model.nv
    given = {"b_angle": (0.4, 1.0), "a_angle": (0.7, 2.0), "c_angle": (-0.2, 3.0), "b_angle_rotor": (0.4, 1.0)}
    assert {n: (q[model.q_index(n)], v[model.v_index(n)]) for n in model.coordinates} == {
        n: given[n] for n in model.coordinates
    }
    assert len(model.coordinates) == 3 + bool(armature)
    held = model.mujoco.keyframes[0].q
    assert sorted(held) == sorted([0.5, 0.5, 0.1, *[0.5] * bool(armature)])
