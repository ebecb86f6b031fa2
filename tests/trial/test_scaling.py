"""Models of OpenSim that are scaled, against factors that are known."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadValue, UnknownName
from condyle.io.opensim.scaled_masses import scaled_moments
from support.osim_files import body as any_body
from support.osim_files import coordinate, custom, in_set, joint, marker, model, old_file
from support.trial_files import COMS, MARKERS, MASSES, MOMENTS, THIGH, measured, motion, write_leg

THIGH_BY_MARKERS = cd.trial.Measurement("thigh", (("TH1", "KNEE"),), {"thigh_r": "X Y Z"})


def stretched(leg, factors):
    """Markers of one frame of a person whose bodies are longer by factors, standing in the default pose."""
    places = {n: np.array(at) * factors.get(b, 1.0) for n, (b, at) in MARKERS.items()}
    larger = replace(leg, markers=[cd.Marker(n, b, places[n]) for n, (b, _) in MARKERS.items()])
    X = cd.forward_kinematics(larger, larger.neutral()).as_matrix()
    points = [X[leg.body_index(m.body)] @ [*m.at, 1.0] for m in larger.markers]
    return cd.trial.Markers(tuple(MARKERS), np.zeros(1), np.array(points)[None, :, :3])


def test_given_factors_stretch_bodies_along_their_axes(tmp_path):
    """Oracle: lengths of the file times the factors; masses in their old ratios."""
    path, leg = write_leg(tmp_path)
    factors = {"thigh_r": (1.2, 1.5, 1.1), "pelvis": 0.9}
    scaled = cd.trial.scale(path, factors=factors, mass=47.0, keep_mass_distribution=True).model
    by_name = {b.name: b for b in scaled.bodies}
    knee = by_name["shank_r"].placement[:3, 3]
    assert np.allclose(knee, (0, -1.5 * THIGH, 0)) and np.allclose(
        by_name["pelvis"].inertia.com, 0.9 * np.array(COMS["pelvis"])
    )
    at = {m.name: m.at for m in scaled.markers}
    assert np.allclose(at["TH2"], np.array(MARKERS["TH2"][1]) * (1.2, 1.5, 1.1))
    masses = np.array([by_name[n].inertia.mass for n in MASSES])
    assert np.allclose(masses, np.array(list(MASSES.values())) * 2.0) and np.isclose(masses.sum(), 47.0)
    assert len(leg.bodies) == len(scaled.bodies)


def test_measured_distances_give_the_factors(tmp_path):
    """Oracle: a person whose thigh is a quarter longer, and as much wider."""
    path, leg = write_leg(tmp_path)
    found = cd.trial.scale(path, static=stretched(leg, {"thigh_r": 1.25}), measurements=[THIGH_BY_MARKERS])
    assert np.isclose(found.measured["thigh"], 1.25)
    assert np.allclose(found.factors["thigh_r"], 1.25) and np.allclose(found.factors["pelvis"], 1.0)
    assert np.allclose([b.inertia.mass for b in found.model.bodies], [11.0, 9.0 * 1.25**3, 3.5])  # with its volume


def test_the_later_of_measurements_and_given_factors_counts(tmp_path):
    """Oracle: the order, both ways round."""
    path, leg = write_leg(tmp_path)
    static = stretched(leg, {"thigh_r": 1.25})
    for order, expected in ((("measurements", "manualScale"), 2.0), (("manualScale", "measurements"), 1.25),
                            (("manualScale",), 2.0)):  # fmt: skip
        found = cd.trial.scale(
            path, static=static, measurements=[THIGH_BY_MARKERS], factors={"thigh_r": 2.0}, order=order
        )
        assert np.allclose(found.factors["thigh_r"], expected)


def test_masses_change_with_volume_where_their_distribution_is_not_kept(tmp_path):
    """Oracle: the product of the factors, then all to the mass of the person."""
    path, _ = write_leg(tmp_path)
    found = cd.trial.scale(path, factors={"thigh_r": (1.0, 2.0, 1.0)}, mass=65.0).model
    expected = np.array([11.0, 18.0, 3.5]) * 65.0 / 32.5
    assert np.allclose([b.inertia.mass for b in found.bodies], expected)


def test_moments_of_an_evenly_scaled_body_change_with_mass_and_square_of_length(tmp_path):
    """Oracle: m l²."""
    path, _ = write_leg(tmp_path)
    found = cd.trial.scale(path, factors=dict.fromkeys(MASSES, 1.1), mass=47.0, keep_mass_distribution=True).model
    for b in found.bodies:
        assert np.allclose(np.diag(b.inertia.moment), np.array(MOMENTS[b.name]) * 2.0 * 1.21)


def test_an_unevenly_stretched_cylinder_is_a_cylinder():
    """Oracle: the moments of a solid cylinder about its axis and across, its radius and length stretched."""
    mass, r, length = 3.0, 0.1, 0.7

    def moments(m, r2, l2):
        return np.array([m * (l2 / 12 + r2 / 4), m * r2 / 2, m * (l2 / 12 + r2 / 4), 0, 0, 0])

    found = scaled_moments(moments(mass, r**2, length**2), mass, 2 * mass, np.array([1.2, 1.5, 1.1]))
    assert np.allclose(found, moments(2 * mass, r**2 * 1.2 * 1.1, (length * 1.5) ** 2))


@pytest.mark.filterwarnings("ignore::condyle.errors.NotInModel")
def test_translations_of_joints_muscles_and_wraps_are_scaled(tmp_path):
    """Oracle: a knee that glides by a spline, a straight muscle and a wrap, all twice as long."""
    line = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"
    spline = "<SimmSpline><x>-1 0 1</x><y>0.01 0 0.02</y></SimmSpline>"
    knee = custom({"rotation1": ("0 0 1", "bend", line), "translation1": ("1 0 0", "bend", spline),
                   "rotation3": ("1 0 0", "", ""), "rotation2": ("0 1 0", "", "")})  # fmt: skip
    wrap = ('<WrapObjectSet><objects><WrapCylinder name="w"><translation>0.1 0 0</translation><radius>0.03</radius>'
            "<length>0.2</length></WrapCylinder></objects></WrapObjectSet>")  # fmt: skip
    points = "".join(
        f'<PathPoint name="p_{b}"><socket_parent_frame>/bodyset/{b}</socket_parent_frame>'
        f"<location>{x}</location></PathPoint>"
        for b, x in (("a", "0.1 0 0"), ("b", "0.2 -0.1 0"))
    )
    muscle = (f'<Thelen2003Muscle name="m"><GeometryPath><PathPointSet><objects>{points}</objects></PathPointSet>'
              "</GeometryPath><optimal_fiber_length>0.1</optimal_fiber_length><tendon_slack_length>0.2</tendon_slack_length>"
              "</Thelen2003Muscle>")  # fmt: skip
    pin = joint("PinJoint", "hip", "/ground", "/bodyset/a", [coordinate("turn")])
    bend = joint("CustomJoint", "knee", "/bodyset/a", "/bodyset/b", [coordinate("bend")], knee, seed=3)
    path = tmp_path / "two.osim"
    sets = in_set("ForceSet", muscle) + in_set("MarkerSet", marker("tip", "/bodyset/b", "0.1 0.2 0.3"))
    path.write_text(model([any_body("a", extra=wrap), any_body("b", 1)], [pin, bend], sets))
    before = cd.load(path)
    after = cd.trial.scale(path, factors={"a": 2.0, "b": 2.0}).model
    q = np.array([0.3, 0.6])
    far, near = (cd.forward_kinematics(m, q)[1].as_matrix() for m in (after, before))
    hip_far, hip_near = (cd.forward_kinematics(m, q)[0].as_matrix() for m in (after, before))
    assert np.allclose(far[:3, 3] - hip_far[:3, 3], 2 * (near[:3, 3] - hip_near[:3, 3]), atol=1e-12)
    assert np.allclose(far[:3, :3], near[:3, :3], atol=1e-14)
    found = after.opensim
    assert np.isclose(found.wraps[0].sizes["radius"], 0.06) and np.allclose(found.wraps[0].pose[:3, 3], (0.2, 0, 0))
    fibre, slack = (found.muscles[0].get(k) for k in ("optimal_fiber_length", "tendon_slack_length"))
    assert np.isclose(fibre, 0.2) and np.isclose(slack, 0.4)


def coupled(tmp_path, axis="0 1 0"):
    """A patella that slides along an axis of the thigh as the knee bends."""
    line = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"
    slide = custom({"translation1": (axis, "slip", line), "translation2": ("1 0 0", "", "")})
    pin = joint("PinJoint", "knee", "/ground", "/bodyset/a", [coordinate("bend")])
    patella = joint("CustomJoint", "pat", "/bodyset/a", "/bodyset/b", [coordinate("slip")], slide)
    spline = "<SimmSpline><x>-1 0 1</x><y>0.01 0 0.02</y></SimmSpline>"
    couple = (
        f'<CoordinateCouplerConstraint name="c"><coupled_coordinates_function>{spline}</coupled_coordinates_function>'
        "<independent_coordinate_names>bend</independent_coordinate_names>"
        "<dependent_coordinate_name>slip</dependent_coordinate_name></CoordinateCouplerConstraint>"
    )
    path = tmp_path / "coupled.osim"
    path.write_text(model([any_body("a"), any_body("b", 1)], [pin, patella], in_set("ConstraintSet", couple)))
    return path


@pytest.mark.parametrize(("factors", "expected"), [(1.5, 1.5), ((1.0, 2.0, 3.0), 2.0)])
def test_couplers_of_shifts_grow_with_their_body(tmp_path, factors, expected):
    """Oracle: the shift that the coupler asks for at a bent knee, times the factor along its axis; it stays folded."""
    path = coupled(tmp_path)
    scaled = cd.trial.scale(path, factors={"a": factors}).model
    assert [f.name for f in scaled.followers] == ["slip"] and not scaled.constraints
    shifts = []
    for m in (cd.load(path, couplers="constraint"), scaled.unfolded()):
        q = cd.ik.solve(m, cd.ik.coordinate("bend", 0.6)).q
        shifts.append(q[m.q_index("slip")])
    assert shifts[0] != 0 and np.isclose(shifts[1], expected * shifts[0], atol=1e-9)


@pytest.mark.filterwarnings("ignore::condyle.errors.NotInModel")
def test_fibres_of_a_muscle_that_wraps_are_scaled_by_its_way_around(tmp_path):
    """Oracle: the lengths of the wrapped path by hand, before and after an uneven stretch: two tangents and an arc."""
    drum = ('<WrapObjectSet><objects><WrapCylinder name="w"><radius>0.05</radius><length>1</length>'
            "</WrapCylinder></objects></WrapObjectSet>")  # fmt: skip
    points = "".join(
        f'<PathPoint name="p{k}"><socket_parent_frame>/bodyset/a</socket_parent_frame>'
        f"<location>{x} 0.01 0</location></PathPoint>"
        for k, x in enumerate((-0.2, 0.2))
    )
    muscle = (f'<Thelen2003Muscle name="m"><GeometryPath><PathPointSet><objects>{points}</objects></PathPointSet>'
              '<PathWrapSet><objects><PathWrap name="over"><wrap_object>w</wrap_object></PathWrap></objects>'
              "</PathWrapSet>"
              "</GeometryPath><optimal_fiber_length>0.1</optimal_fiber_length></Thelen2003Muscle>")  # fmt: skip
    path = tmp_path / "wrapped.osim"
    pin = joint("PinJoint", "hip", "/ground", "/bodyset/a", [coordinate("turn")])
    path.write_text(model([any_body("a", extra=drum)], [pin], in_set("ForceSet", muscle)))

    def way(x, y, r):
        far = np.hypot(x, y)
        return 2 * np.sqrt(far**2 - r**2) + r * (np.pi - 2 * np.arctan2(y, x) - 2 * np.arccos(r / far))

    after = cd.trial.scale(path, factors={"a": (2.0, 1.0, 1.0)}).model
    radius = after.opensim.wraps[0].sizes["radius"]
    expected = 0.1 * way(0.4, 0.01, radius) / way(0.2, 0.01, 0.05)
    assert np.isclose(after.opensim.muscles[0].get("optimal_fiber_length"), expected, rtol=1e-9)


def test_files_of_old_versions_are_scaled_too(tmp_path):
    """Oracle: the same file scaled by hand: every place of it from the body's own factor; a round trip through text."""
    path = tmp_path / "old.osim"
    path.write_text(old_file())
    before = cd.load(path)
    found = cd.trial.scale(path, factors=dict.fromkeys(before.names, 3.0))
    again = cd.load(found.save(tmp_path / "again.osim"))
    for old, new in zip(before.bodies, again.bodies, strict=True):
        assert np.allclose(new.inertia.com, 3.0 * old.inertia.com)
        if old.parent >= 0:
            assert np.allclose(new.placement[:3, 3], 3.0 * old.placement[:3, 3])


def test_markers_are_placed_where_a_static_trial_has_them(tmp_path):
    """Oracle: markers that were moved on the skin by centimetres; the pose is known from the ones that were not."""
    path, leg = write_leg(tmp_path)
    q = motion(np.zeros(1))[0]
    seen = measured(leg, [0.0], q)
    moved = {"TH2": np.array([0.01, 0.02, -0.005]), "SH2": np.array([-0.01, 0.0, 0.02])}
    X = cd.forward_kinematics(leg, q[0]).as_matrix()
    for name, shift in moved.items():
        seen.points[0, seen.names.index(name)] += X[leg.body_index(MARKERS[name][0]), :3, :3] @ shift
    weights = {n: 1e-6 if n in moved else 1.0 for n in MARKERS}
    scaled = cd.trial.scale(path)
    placed = cd.trial.place_markers(scaled, seen, weights=weights)
    at = {m.name: m.at for m in placed.model.markers}
    assert np.allclose(placed.pose.q, q, atol=1e-5)
    for name, shift in moved.items():
        assert np.allclose(at[name], np.array(MARKERS[name][1]) + shift, atol=1e-4)
    exact = cd.trial.place_markers(scaled, seen, pose=q[0])
    assert np.allclose({m.name: m.at for m in exact.model.markers}["TH2"], MARKERS["TH2"][1] + moved["TH2"], atol=1e-12)


def test_markers_that_were_not_measured_are_left_out_and_fixed_ones_stay(tmp_path):
    """Oracle: the names and places of markers in the file that is written."""
    path, leg = write_leg(tmp_path)
    text = path.read_text().replace('<Marker name="KNEE">', '<Marker name="KNEE"><fixed>true</fixed>')
    path.write_text(text)
    q = motion(np.zeros(1))[0]
    full = measured(leg, [0.0], q)
    kept = [n for n in MARKERS if n != "TH1"]
    seen = cd.trial.Markers(tuple(kept), full.times, full.pick(kept) + 0.001)
    placed = cd.trial.place_markers(cd.trial.scale(path), seen, pose=q[0])
    again = cd.load(placed.save(tmp_path / "placed.osim"))
    at = {m.name: m.at for m in again.markers}
    assert sorted(at) == sorted(kept) and any("TH1" in note for note in placed.notes)
    assert np.allclose(at["KNEE"], MARKERS["KNEE"][1]) and not np.allclose(at["TH2"], MARKERS["TH2"][1], atol=1e-4)


def test_a_file_of_markers_adds_them(tmp_path):
    """Oracle: the markers of a MarkerSet file, of old and new versions."""
    path, _ = write_leg(tmp_path)
    old = '<Marker name="HEEL"><body>shank_r</body><location>0 -0.43 0</location><fixed>false</fixed></Marker>'
    new = marker("TOP", "/bodyset/pelvis", "0 0.1 0")
    (tmp_path / "set.xml").write_text(
        f'<OpenSimDocument Version="20302">{in_set("MarkerSet", old, new)}</OpenSimDocument>'
    )
    found = cd.trial.scale(path, markers=tmp_path / "set.xml", factors={"shank_r": 2.0}).model
    at = {m.name: (m.body, m.at) for m in found.markers}
    assert at["HEEL"][0] == "shank_r" and np.allclose(at["HEEL"][1], (0, -0.86, 0)) and "TOP" in at


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"factors": {"arm": 1.1}}, UnknownName, "arm"),
        ({"factors": {"pelvis": -1.0}}, BadValue, "pelvis"),
        ({"factors": {"pelvis": (1.0, 2.0)}}, BadValue, "pelvis"),
        ({"mass": 0.0}, BadValue, "positive"),
        ({"order": ("manual",)}, BadValue, "manual"),
        ({"measurements": [THIGH_BY_MARKERS]}, BadValue, "static"),
        (
            {"measurements": [replace(THIGH_BY_MARKERS, pairs=(("TH1", "HIP"),))], "static": 1},
            UnknownName,
            "HIP.*thigh",
        ),
        ({"measurements": [replace(THIGH_BY_MARKERS, bodies={"thigh_r": "W"})], "static": 1}, BadValue, "XYZ"),
        ({"measurements": [replace(THIGH_BY_MARKERS, pairs=())], "static": 1}, BadValue, "thigh"),
        ({"markers": [cd.Marker("m", "arm", (0, 0, 0))]}, BadFile, "arm"),
    ],
)
def test_scalings_that_make_no_sense_are_refused(tmp_path, options, error, words):
    """Oracle: the class of the error and the names in it."""
    path, leg = write_leg(tmp_path)
    options = {k: stretched(leg, {}) if v == 1 else v for k, v in options.items()}
    with pytest.raises(error, match=words):
        cd.trial.scale(path, **options)


def test_only_osim_files_are_scaled(tmp_path):
    """Oracle: the words."""
    path = Path(cd.save(cd.joints.revolute("z"), tmp_path / "hinge.toml") or tmp_path / "hinge.toml")
    with pytest.raises(BadFile, match=r"\.osim"):
        cd.trial.scale(path)


def test_a_static_trial_is_averaged_over_the_frames_around_its_span(tmp_path):
    """Oracle: between two frames, in which the thigh is 1.2 and 1.4 times as long; the third does not count."""
    path, leg = write_leg(tmp_path)
    frames = [stretched(leg, {"thigh_r": f}).points[0] for f in (1.2, 1.4, 9.0)]
    static = cd.trial.Markers(tuple(MARKERS), np.array([0.0, 0.1, 0.2]), np.array(frames))
    found = cd.trial.scale(path, static=static, measurements=[THIGH_BY_MARKERS], span=(0.05, 0.06))
    assert np.isclose(found.measured["thigh"], 1.3)
    with pytest.raises(BadValue, match=r"0 to 0\.2 s"):
        cd.trial.scale(path, static=static, measurements=[THIGH_BY_MARKERS], span=(5.0, 6.0))
