"""What URDF files of makers say besides links and joints: limits, drives, mimics, odd inertias, odd looks."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadFile, CondyleWarning, UnknownName
from condyle.formats.packages import find_file

BALL = '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>'


def link(name, inertial=BALL, more=""):
    return f'<link name="{name}">{inertial}{more}</link>'


def joint(name, parent, child, inside="", kind="revolute"):
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0 0 -0.5"/><axis xyz="0 1 0"/>{inside}</joint>'
    )


def inertial(mass, *moment):
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    numbers = " ".join(f'{n}="{x}"' for n, x in zip(names, (*moment, 0, 0, 0), strict=False))
    return f'<inertial><mass value="{mass}"/><inertia {numbers}/></inertial>'


@pytest.fixture
def load(tmp_path):
    def load(*parts, before="", **options):
        path = tmp_path / "robot.urdf"
        path.write_text(f'{before}<robot name="r">{"".join(parts)}</robot>')
        return cd.load(path, **options)

    return load


LIMIT = '<limit lower="-0.5" upper="0.4" velocity="3" effort="87"/><dynamics damping="0.7" friction="0.2"/>'
ARM = link("base") + link("arm", BALL.replace("<mass", '<origin xyz="0.2 0 0"/><mass'))


def test_limits_drives_and_friction_are_kept(load, tmp_path):
    """Oracle: the text; saved and loaded again, and printed by condyle info."""
    model = load(ARM, joint("elbow", "base", "arm", LIMIT))
    found = model.limits["elbow"]
    assert (found.low, found.high, found.velocity, found.effort) == (-0.5, 0.4, 3.0, 87.0)
    assert (found.damping, found.friction) == (0.7, 0.2)
    assert any("'elbow'" in note and "friction 0.2" in note and "does not act" in note for note in model.notes)
    again = cd.load(cd.save(model, tmp_path / "arm.toml"))
    assert again.limits == model.limits and again.notes == model.notes
    from condyle.cli.commands.info import described

    assert described(again)["limits"]["elbow"] == {"velocity": 3.0, "effort": 87.0, "damping": 0.7, "friction": 0.2}


@pytest.mark.parametrize("kind", ["continuous", "prismatic"])
def test_a_continuous_joint_has_no_range_but_a_drive(load, kind):
    """Oracle: the URDF specification: lower and upper are ignored for continuous joints only."""
    model = load(ARM, joint("elbow", "base", "arm", LIMIT, kind))
    assert ("elbow" in model.ranges) == (kind == "prismatic")
    assert model.limits["elbow"].effort == 87.0


def test_limits_without_room_are_told_and_not_set(load):
    """Oracle: no range, a warning with the numbers."""
    with pytest.warns(CondyleWarning, match="'elbow'.*1 … -1"):
        model = load(ARM, joint("elbow", "base", "arm", '<limit lower="1" upper="-1" effort="1"/>'))
    assert model.ranges == {} and model.limits["elbow"].effort == 1.0


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ('lower="0.2" upper="0.2"', (0.2, 0.2)),
        ('upper="0.2"', (0.0, 0.2)),
        ('lower="-inf" upper="1"', (-np.inf, 1.0)),
        ('lower="-1e300" upper="1e300"', None),
        ('effort="3"', None),
    ],
)
def test_limits_of_every_kind(load, tmp_path, limits, expected):
    """Oracle: the text: what is missing is 0 as URDF says, what is infinite is no end; the same after saving."""
    model = load(ARM, joint("elbow", "base", "arm", f"<limit {limits}/>"))
    assert model.ranges.get("elbow") == expected
    assert cd.load(cd.save(model, tmp_path / "arm.toml")).ranges == model.ranges


def test_stiff_limits_hold_where_they_are_asked_for(load):
    """Oracle: the range: a falling arm leaves it by far without limits, and by a few milliradians with them."""
    robot = ARM, joint("elbow", "base", "arm", LIMIT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CondyleWarning)
        run = cd.simulate(load(*robot), [0.0], [6.0], duration=0.5)
    assert run["elbow"].max() > 1.0
    stiff = load(*robot, limits="stiff")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = cd.simulate(stiff, [0.0], [6.0], duration=3.0)
    assert run.stopped is None and 0.4 < run["elbow"].max() < 0.42
    assert run["elbow"][-1] == pytest.approx(0.4, abs=5e-3)
    with pytest.raises(UnknownName, match=r"'stif'.*'stiff'"):
        load(*robot, limits="stif")


def test_a_mimic_of_a_fixed_joint_stays_at_its_offset(load):
    """Oracle: 2 · 0 + 0.3, then −1 · 0.3 + 0.1 for what mimics that."""
    parts = [link(x) for x in "abcd"]
    model = load(
        *parts,
        joint("far", "c", "d", '<mimic joint="near" multiplier="-1" offset="0.1"/>'),
        joint("near", "b", "c", '<mimic joint="held" multiplier="2" offset="0.3"/>'),
        joint("held", "a", "b", kind="fixed"),
    )
    run = cd.simulate(model, model.neutral(), duration=0.01)
    assert_allclose([run[name][-1] for name in ("near", "far")], [0.3, -0.2], atol=1e-15)


@pytest.mark.parametrize(
    ("leader", "words"),
    [("elbw", "'hand' mimics joint 'elbw'.*'elbow'.*left free"), ("slide", "'hand' mimics joint 'slide'.*planar")],
)
def test_a_mimic_of_nothing_is_free_and_told(load, leader, words):
    """Oracle: a coordinate without a constraint; the warning says mimic and both names."""
    parts = [link(x) for x in "abcd"]
    moving = joint("elbow", "a", "b"), joint("slide", "b", "c", kind="planar")
    with pytest.warns(CondyleWarning, match=words):
        model = load(*parts, *moving, joint("hand", "c", "d", f'<mimic joint="{leader}"/>'))
    assert model.constraints == () and "hand" in model.coordinates and any("mimics" in n for n in model.notes)


def test_damping_on_every_kind_of_joint(load):
    """Oracle: power: −damping · |v|² of each joint, summed over its velocities."""
    damped = '<dynamics damping="0.5"/>'
    parts = [link(x) for x in "abcd"]
    model = load(
        *parts,
        joint("held", "a", "b", damped, "fixed"),
        joint("plane", "b", "c", damped, "planar"),
        joint("loose", "c", "d", damped, "floating"),
    )
    v = np.random.default_rng(0).normal(size=model.nv)
    still = cd.inverse_dynamics(model, model.neutral(), v, np.zeros(9))
    from dataclasses import replace

    without = cd.inverse_dynamics(replace(model, forces=()), model.neutral(), v, np.zeros(9))
    assert_allclose(still - without, 0.5 * v, atol=1e-12)
    assert any("'held' is fixed" in note for note in model.notes)


def test_moments_without_mass_count(load):
    """Oracle: the mass matrix: m r² + I of the arm, and the moment that the welded flywheel adds."""
    wheel = link("wheel", inertial(0, 0.3, 0.4, 0.3))
    model = load(ARM, wheel, joint("elbow", "base", "arm"), joint("hub", "arm", "wheel", kind="fixed"))
    assert_allclose(cd.mass_matrix(model, [0.2]), [[1.0 * 0.2**2 + 0.1 + 0.4]], rtol=1e-14)


def test_what_rounding_took_is_given_back_with_a_warning(load):
    """Oracle: written with three decimals, half a unit away from the plate (0.012, 0.013, 0.025)."""
    with pytest.warns(CondyleWarning, match=r"link 'arm'.*0\.012, 0\.013, 0\.026.*0\.0005 kg m²"):
        model = load(
            link("base"), link("arm", inertial(1, 0.012, 0.013, 0.026)), joint("elbow", "base", "arm"), inertias="check"
        )
    low, middle, high = model.bodies[1].inertia.principal()[0]
    assert high == pytest.approx(low + middle, rel=1e-12) and high == pytest.approx(0.026, abs=5.1e-4)


def test_what_no_rounding_explains_needs_to_be_asked_for(load):
    """Oracle: the nearest second moments of (0.1, 0.1, 0.3), by hand: (0.15, 0.15, 0.3)."""
    parts = link("base"), link("arm", inertial(1, 0.1, 0.1, 0.3)), joint("elbow", "base", "arm")
    with pytest.raises(BadFile, match=r"link 'arm'.*0\.1 \+ 0\.1 < 0\.3.*inertias=\"repair\""):
        load(*parts, inertias="check")
    with pytest.warns(CondyleWarning, match=r"link 'arm'.*0\.05 kg m²"):
        model = load(*parts, inertias="repair")
    assert_allclose(np.diag(model.bodies[1].inertia.moment), [0.15, 0.15, 0.3], rtol=1e-12)
    with pytest.raises(UnknownName, match="'mend'"):
        load(*parts, inertias="mend")


def test_a_placeholder_on_a_heavy_body_does_not_matter(load):
    """Oracle: 1e-6 in every place of a camera's moment, welded to a body of 0.1 kg m²; alone it is refused."""
    camera = link("camera", inertial(1e-6, *[1e-6] * 6))
    with pytest.warns(CondyleWarning, match=r"link 'camera'.* 1e-06 kg m²"):
        load(
            ARM, camera, joint("elbow", "base", "arm"), joint("mount", "arm", "camera", kind="fixed"), inertias="check"
        )
    with pytest.raises(BadFile, match="link 'camera'"):
        load(ARM, camera, joint("elbow", "base", "arm"), joint("mount", "arm", "camera"), inertias="check")
    with pytest.warns(CondyleWarning, match="link 'camera'"):
        load(camera, link("arm"), joint("elbow", "camera", "arm"), inertias="check")  # it is held by the world


def test_massless_links_are_taken_anywhere(load):
    """Oracle: poses; forces on the last joint are a named error."""
    parts = ARM, link("tool", ""), joint("elbow", "base", "arm"), joint("twist", "arm", "tool")
    model = load(*parts)
    assert_allclose(cd.forward_kinematics(model, [0.0, 0.3]).xyz[-1], [0, 0, -1.0], atol=1e-15)
    with pytest.raises(cd.errors.RankLost, match="'tool'"):
        cd.forward_dynamics(model, [0, 0], [0, 0])


def test_names_that_meet_without_their_dots_stay_apart(load):
    """Oracle: four links and joints, whatever they are called."""
    names = ["a.1", "a_1", "a.1.", "b"]
    carried = [joint(f"j{x}", names[0], x) for x in names[1:]]
    model = load(*(link(x) for x in names), *carried)
    assert len(set(model.names)) == 4 and "a_1" in model.names and len(set(model.coordinates)) == 3


def test_a_robot_is_more_than_its_look(load):
    """Oracle: one warning that lists the links; the robot is there."""
    looks = ["<cone/>", '<sphere radius="0"/>', '<mesh filename="a.stl" scale="1 1 1 1"/>', '<mesh scale="1 0 1"/>']
    drawn = "".join(f"<visual><geometry>{x}</geometry></visual>" for x in looks)
    with pytest.warns(CondyleWarning) as warned:
        model = load(link("base", more=drawn + "<visual><geometry><box size='1 1 1'/></geometry></visual>"))
    assert len(warned) == 1 and str(warned[0].message).count("link 'base'") == 4
    assert [s.kind for s in model.bodies[0].shapes] == ["box"]


def test_colours_are_those_of_materials(load):
    """Oracle: the text: named at the top, named in another link, given in place; beyond 1 they are cut."""

    def ball(material):
        return f'<visual><geometry><sphere radius="0.1"/></geometry>{material}</visual>'

    green = '<material name="green"><color rgba="0 1 0 1"/></material>'
    balls = [
        green,
        '<material name="green"/>',
        '<material name="red"/>',
        '<material name=""><color rgba="2 0 0 1"/></material>',
    ]
    top = '<material name="red"><color rgba="1 0 0 1"/></material>'
    model = load(top, link("base", more="".join(map(ball, balls))))
    assert [s.color for s in model.bodies[0].shapes] == [(0, 1, 0), (0, 1, 0), (1, 0, 0), (1, 0, 0)]


def test_comments_and_blanks_as_other_parsers_take_them(load):
    """Oracle: tinyxml, which URDF parsers use, takes "--" in comments and blanks before the declaration."""
    remark = "<!-- ---- the arm ---- \n <link name='x'/> -->"
    model = load(link("base"), remark, before='\n  <?xml version="1.0"?>\n')
    assert model.names == ("base",)


def test_an_unexpanded_xacro_file_is_refused_by_name(tmp_path):
    """Oracle: the words."""
    path = tmp_path / "robot.urdf.xacro"
    path.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/></robot>')
    with pytest.raises(BadFile, match=r"robot\.urdf\.xacro.*xacro.*expand it first"):
        cd.load(path)


def test_links_in_a_ring_are_refused(load):
    """Oracle: the words, with the links of the ring."""
    parts = [link(x) for x in "abc"]
    with pytest.raises(BadFile, match=r"ring.*'b', 'c'"):
        load(*parts, joint("one", "b", "c"), joint("two", "c", "b"))


def test_numbers_in_every_notation(load):
    """Oracle: the numbers."""
    limits = '<limit lower="-1E-1" upper="+.5" velocity="1e300" effort="inf"/>'
    model = load(ARM, joint("elbow", "base", "arm", limits))
    found = model.limits["elbow"]
    assert (found.low, found.high, found.velocity, found.effort) == (-0.1, 0.5, np.inf, np.inf)


@pytest.mark.parametrize("place", ["meshes", "arm_meshes", "../hands/arm_meshes", "../../grippers/arm_meshes"])
def test_packages_are_found_where_workspaces_have_them(tmp_path, place):
    """Oracle: the path; `arm_meshes` is a package of its own, in this repository or in another one."""
    home = tmp_path / "src" / "arms" / "arm"
    mesh = home.parent / place / "hand.stl" if place != "meshes" else home / place / "hand.stl"
    for folder in (home / "urdf", mesh.parent):
        folder.mkdir(parents=True, exist_ok=True)
    mesh.write_bytes(b"solid")
    name = f"package://arm/{place}/hand.stl" if place == "meshes" else "package://arm_meshes/hand.stl"
    found = find_file(name, home / "urdf")
    assert found is not None and found.samefile(mesh)
    assert find_file("package://arm_meshes/foot.stl", home / "urdf") is None


@pytest.mark.parametrize("moment", [(0.1, 0.2, 0.7), (0.2, 0.1, -0.01)])
def test_moments_that_no_body_has_are_taken_as_written_for_that_link_alone(load, moment):
    """Oracle: the moment about the axis of a hinge through the centre of mass; other links stay as they are."""
    parts = link("base"), link("arm", inertial(1, *moment)), link("hand", inertial(1, 0.3, 0.3, 0.3))
    parts += joint("elbow", "base", "arm"), joint("wrist", "arm", "hand")
    with pytest.warns(CondyleWarning, match="link 'arm'") as told:
        model = load(*parts)
    assert len(told) == 1 and np.array_equal(np.diag(model.bodies[1].inertia.moment), moment)
    with pytest.raises(BadFile, match=r"link 'arm'.*strict"):
        load(*parts, strict=True)
    with pytest.warns(CondyleWarning, match="link 'arm'") as told:
        repaired = load(*parts, inertias="repair")
    assert len(told) == 1 and np.array_equal(repaired.bodies[2].inertia.moment, model.bodies[2].inertia.moment)
    assert np.linalg.eigvalsh(repaired.bodies[1].inertia.moment)[0] >= 0.0


def test_elements_of_xacro_that_were_left_over_are_told_and_not_read(load):
    """Oracle: the robot without them."""
    macro = '<xacro:macro name="leg"><link name="{n}"/></xacro:macro><xacro:property name="m" value="3"/>'
    parts = ARM, joint("elbow", "base", "arm")
    with pytest.warns(CondyleWarning, match="xacro:macro.*xacro:property"):
        model = load(macro, *parts)
    plain = load(*parts)
    assert model.names == plain.names
    assert_allclose(cd.mass_matrix(model, [0.2]), cd.mass_matrix(plain, [0.2]), rtol=0)
    with pytest.raises(BadFile, match="strict"):
        load(macro, *parts, strict=True)
    with pytest.raises(BadFile, match="this is xacro"):
        load(macro)
