"""What the options of the player do: sliders of a model, curves by name, a ghost, loops, pictures and films."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from test_muscle_lines import pulled_over_a_drum
from test_player import swing  # noqa: F401
from test_player_controls import opened, said

import condyle as cd
from condyle.gallery import leg
from condyle.view import export
from condyle.view.dials import dials, units_of
from condyle.view.render_scene import stage_of
from support.browser import page, player_curve, player_data, wait_until
from twins.kinds import KINDS

SET = """values => { const sliders = [...document.querySelectorAll('#poses input[type=range]')];
  sliders.forEach((e, k) => { e.value = values[k]; e.oninput(); });
  return sliders.length }"""
WHERE = "() => player.where.map(m => [...m])"


def chain_of_all_kinds(rng):
    """Every kind of joint once, each on the one before, in a frame and with an offset of its own."""
    b = cd.ModelBuilder()
    parent = None
    for name, make in KINDS.items():
        place = cd.SE3.exp(rng.normal(size=6) * 0.3)
        box = cd.Inertia.box(1, (1, 1, 1))
        b.add_body(name, parent, joint=make(rng).joint, inertia=box, placement=place, offset=place)
        parent = name
    return b.build()


@pytest.mark.slow
def test_sliders_put_bodies_where_the_joints_do(tmp_path):
    """Oracle: forward kinematics in Python of the coordinates that the sliders mean, for every kind of joint."""
    rng = np.random.default_rng(5)
    model = chain_of_all_kinds(rng)
    path = export(model, tmp_path / "model.html", drawn=())
    found = dials(model, 2.0 * stage_of(model, drawn=()).bounds()[1])
    q, shown = model.neutral(), []
    for dial, share in zip(found, rng.uniform(0.1, 0.9, size=len(found)), strict=True):
        x = dial.low + share * (dial.high - dial.low)
        dial.write(q, x)
        shown.append(np.degrees(x) if dial.unit == "°" else x)
    with page(offline=True, size=(320, 240)) as p:  # small: each slider draws
        errors = opened(p, path)
        assert p.evaluate(SET, shown) == len(found)
        where = np.array(p.evaluate(WHERE)).reshape(-1, 4, 4).swapaxes(1, 2)
        expected = cd.forward_kinematics(model, q).as_matrix()
        assert_allclose(where, expected, atol=2e-4 * np.abs(expected).max())
        assert errors == []


def test_followers_follow_a_slider(tmp_path):
    """Oracle: forward kinematics of a model whose second joint is a function of the first."""
    b = cd.ModelBuilder()
    box, away = cd.Inertia.box(1, (1, 1, 1)), cd.SE3.exp((0, 0, 0, 1, 0, 0))
    b.add_body("first", joint=cd.joints.revolute("z"), inertia=box)
    b.add_body("second", "first", joint=cd.joints.revolute("x"), inertia=box, placement=away)
    model = b.add_coupler("second", "first", cd.joints.functions.polynomial([0.1, 0.5, 0.2])).build()
    assert len(model.followers) == 1
    with page(offline=True) as p:
        errors = opened(p, export(model, tmp_path / "a.html"))
        assert p.evaluate(SET, [40.0]) == 1
        where = np.array(p.evaluate(WHERE)).reshape(-1, 4, 4).swapaxes(1, 2)
        assert_allclose(where, cd.forward_kinematics(model, [np.radians(40.0)]).as_matrix(), atol=1e-6)
        assert errors == []


def test_curves_have_one_unit_an_axis(tmp_path):
    """Oracle: the coordinates of the motion, turned into degrees by numpy."""
    b = cd.ModelBuilder()
    b.add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    b.add_body("pole", "cart", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, 1)))
    model = b.build()
    run = cd.simulate(model, [0.0, 0.3], duration=0.5, record=1 / 60)
    data = player_data(export(run, tmp_path / "a.html"))
    assert list(data["plots"]) == ["angles [°]", "lengths [m]", "energy [J]"]
    assert_allclose(player_curve(data, "angles [°]", "pole"), np.degrees(run.q[:, 1]), atol=1e-2)
    assert_allclose(player_curve(data, "lengths [m]", "cart"), run.q[:, 0], atol=1e-4)
    assert set(units_of(leg()).values()) <= {"°", ""}


def test_a_curve_is_chosen_by_its_name(swing, tmp_path):  # noqa: F811
    """Oracle: what the plot says that it shows, before and after a click."""
    with page(offline=True) as p:
        errors = opened(p, export(swing, tmp_path / "a.html"), "#t=0")
        assert "hip, knee, ankle" in p.get_attribute("#plot", "aria-label")
        p.get_by_label("knee", exact=True).click()
        assert "hip, ankle" in p.get_attribute("#plot", "aria-label")
        p.click("#view")
        p.keyboard.press("l")
        assert p.evaluate("() => player.loop") is False and not p.is_checked("#loop")
        p.keyboard.press("End")
        p.evaluate("() => { player.t = 0.97 }")
        p.keyboard.press(" ")
        wait_until(lambda: p.evaluate("() => !player.playing"))
        assert p.evaluate("() => player.t") == 1 and said(p) == "paused at 1.00 seconds"
        assert errors == []


def test_a_ghost_stands_where_its_own_motion_is(swing, tmp_path):  # noqa: F811
    """Oracle: poses of the second motion alone; the picture with and without it."""
    slower = cd.Trajectory(swing.model, swing.t, 0.5 * swing.q, 0.5 * swing.v)
    with page(offline=True) as p:
        errors = opened(p, export(swing, tmp_path / "two.html", beside=slower), "#t=0.5")
        p.focus("#view")
        p.keyboard.press("g")
        where = np.array(p.evaluate(WHERE)).reshape(-1, 4, 4).swapaxes(1, 2)
        both = [cd.forward_kinematics(m.model, m.q[30]).as_matrix() for m in (swing, slower)]
        assert_allclose(where, np.concatenate(both), atol=1e-3)
        assert p.is_checked("#layers label:last-child input")
        assert errors == []


def test_the_page_saves_a_picture_and_a_film(swing, tmp_path):  # noqa: F811
    """Oracle: the first bytes of the files, as PNG and Matroska have them, and their size."""
    with page(offline=True, size=(400, 300)) as p:
        errors = opened(p, export(swing, tmp_path / "a.html", title="a <leg>/swing", labels=True), "#t=0.5")
        p.evaluate("() => { player.speed = 2 }")
        p.click("#more")
        for button, start, suffix in (("#picture", b"\x89PNG", ".png"), ("#film", b"\x1a\x45\xdf\xa3", ".webm")):
            with p.expect_download() as saving:
                p.click(button)
            content = saving.value.path().read_bytes()
            assert content.startswith(start) and len(content) > 1000
            assert saving.value.suggested_filename.endswith(suffix) and "/" not in saving.value.suggested_filename
        assert errors == []


def test_muscles_are_tubes_in_the_colour_of_their_activation(tmp_path):
    """Oracle: pixels on the way of a muscle that is active at first and then tires: red, then blue."""
    with page(offline=True) as p:
        errors = opened(p, export(pulled_over_a_drum(), tmp_path / "a.html"), "#t=0")
        for key, redder in (("Home", True), ("End", False)):
            p.focus("#view")
            p.keyboard.press(key)
            r, _, b = p.evaluate(PIXEL, [0.0, -1.0, 0.0, 1.0, 0.0, 0.0])
            assert (r > b + 30) == redder and (b > r + 30) != redder
        assert errors == []


PIXEL = """([ax, ay, az, bx, by, bz]) => {
  const P = player.view.P, c = document.getElementById('view'), k = 0.3;
  const [x, y, z] = [ax + k * (bx - ax), ay + k * (by - ay), az + k * (bz - az)];
  const h = [0, 1, 2, 3].map(i => P[i] * x + P[4 + i] * y + P[8 + i] * z + P[12 + i]);
  const copy = document.createElement('canvas'); copy.width = c.width; copy.height = c.height;
  const g = copy.getContext('2d'); g.drawImage(c, 0, 0);
  const across = (0.5 + 0.5 * h[0] / h[3]) * c.width, down = (0.5 - 0.5 * h[1] / h[3]) * c.height;
  return [...g.getImageData(across, down, 1, 1).data.slice(0, 3)] }"""
