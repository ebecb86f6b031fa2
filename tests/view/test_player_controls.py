"""What a person does in the player: links to a time, following, comparing, keys and fingers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from test_player import swing  # noqa: F401

import condyle as cd
from condyle.errors import BadValue
from condyle.view import export
from condyle.view.render_scene import stage_of
from condyle.view.setting import Shot, setting_of
from support.browser import page, plain, player_data, shot, wait_until

DESK, PHONE = (1000, 700), (390, 780)
UNNAMED = """() => [...document.querySelectorAll('button, input, select, canvas')]
  .filter(e => !(e.innerText || e.ariaLabel || e.labels?.[0]?.innerText)).length"""

LABELS = "() => [...document.querySelectorAll('#layers label')].map(e => e.textContent)"
BOXES = """() => { const frame = document.getElementById('names').getBoundingClientRect();
  return [...document.querySelectorAll('#names span')].map(e => e.getBoundingClientRect())
    .filter(r => r.width > 0 && r.x < frame.right && r.y < frame.bottom).map(r => [r.x, r.y]) }"""


def opened(p, path, at=""):
    """The player of a file, once it has drawn, and a list that gathers its errors."""
    errors = []
    p.on("pageerror", lambda e: errors.append(str(e)))
    p.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    p.goto(path.as_uri() + at)
    p.wait_for_function("() => window.player && window.player.frame > 0")
    return errors


def said(p):
    """What the page last told a screen reader."""
    return plain(p.inner_text("#said"))


def aspect(p):
    """Width over height of the picture in the page."""
    return p.evaluate("() => document.getElementById('view').width / document.getElementById('view').height")


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_player_frames_and_follows_as_pictures_do(swing, tmp_path, size):  # noqa: F811
    """Oracle: the eye of `Setting.camera` in Python, for the page's proportions, fixed and following a body."""
    path = export(swing, tmp_path / "a.html", follow="foot", labels=True)
    stage = stage_of(swing)
    with page(offline=True, size=size, touch=size == PHONE) as p:
        errors = opened(p, path, "#t=0.5")
        assert p.evaluate("() => [player.playing, player.t, player.eye.follow]") == [False, 0.5, 2]
        expected = setting_of(stage, Shot(follow="foot")).camera(30, aspect(p)).eye
        assert_allclose(p.evaluate("() => player.view.eye"), expected, atol=2e-3)
        assert [plain(x) for x in p.locator("#names span").all_inner_texts()] == ["thigh", "shank", "foot"]
        if size == PHONE:
            p.click("#more")
        p.select_option("#follow", "-1")
        assert_allclose(p.evaluate("() => player.view.eye"), setting_of(stage).camera(30, aspect(p)).eye, atol=2e-3)
        assert p.locator("body").evaluate("e => e.scrollWidth <= innerWidth")
        shot(p, f"player-follows-{size[0]}")
        assert errors == []


@pytest.mark.slow
def test_keys_and_links_move_the_time_and_say_so(swing, tmp_path):  # noqa: F811
    """Oracle: the time of the player after keys and after the address changed, and what a screen reader is told."""
    path = export(swing, tmp_path / "a.html")
    with page(offline=True) as p:
        errors = opened(p, path, "#t=0.25")
        p.focus("#view")
        p.keyboard.press("ArrowRight")
        assert p.evaluate("() => player.t") == pytest.approx(16 / 60, abs=1e-6)
        p.evaluate("() => { location.hash = '#t=0.75' }")
        wait_until(lambda: p.evaluate("() => player.t") == 0.75)
        assert "paused at 0.75 seconds" in said(p)
        assert p.get_attribute("#time", "aria-valuetext") == "0.75 seconds of 1.00, paused"
        for key, name in (("f", "follow"), ("a", "yaw"), ("w", "pitch"), ("+", "zoom")):
            before = p.evaluate(f"() => player.eye.{name}")
            p.keyboard.press(key)
            assert p.evaluate(f"() => player.eye.{name}") != before
        assert p.evaluate(UNNAMED) == 0
        assert errors == []


@pytest.mark.slow
def test_two_fingers_zoom_and_one_turns(swing, tmp_path):  # noqa: F811
    """Oracle: the camera after touches sent by the browser's own input: fingers apart come nearer, a drag turns."""
    path = export(swing, tmp_path / "a.html")
    with page(offline=True, size=PHONE, touch=True) as p:
        errors = opened(p, path, "#t=0")
        hand = p.context.new_cdp_session(p)

        def touch(kind, *places):
            points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", (200, 200))
        touch("touchMove", (260, 200))
        touch("touchEnd")
        first = p.evaluate("() => player.eye.yaw")
        touch("touchStart", (180, 200), (220, 200))
        touch("touchMove", (120, 200), (280, 200))
        touch("touchEnd")
        wait_until(lambda: p.evaluate("() => player.eye.zoom") < 0.7)
        start = np.arctan2(*(setting_of(stage_of(swing)).front[[2, 0]] * (-1, 1)))
        assert abs(first - start) == pytest.approx(60 / 150, abs=0.05)
        assert errors == []


def controls(p):
    """(role, name, description) of what a screen reader finds in the page: the browser's own accessibility tree."""
    nodes = p.context.new_cdp_session(p).send("Accessibility.getFullAXTree")["nodes"]
    seen = [n for n in nodes if not n["ignored"]]
    text = lambda n, key: plain(n.get(key, {}).get("value", ""))  # noqa: E731
    return [tuple(text(n, key) for key in ("role", "name", "description")) for n in seen]


@pytest.mark.parametrize("size", [PHONE, pytest.param((1280, 800), marks=pytest.mark.slow)])
def test_screen_readers_and_keys_find_every_control(swing, tmp_path, size):  # noqa: F811
    """Oracle: the browser's accessibility tree, its order of focus and the outline that it draws around it."""
    path = export(swing, tmp_path / "a.html", title="a leg swings", labels=True)
    with page(offline=True, size=size, touch=size == PHONE, motion="reduce") as p:
        errors = opened(p, path)
        assert p.evaluate("() => [player.playing, player.t]") == [False, 0]  # who asks for less motion starts it
        if size == PHONE:
            p.click("#more")
        assert p.get_attribute("#more", "aria-expanded") == "true"
        found = controls(p)
        names = {role: [name for r, name, _ in found if r == role] for role, _, _ in found}
        assert names["button"] == ["Play", "Options", "Reset view", "Picture", "Film"]
        assert names["slider"] == ["time in seconds", "speed"]
        assert names["heading"] == ["a leg swings", "angles [°]", "energy [J]"]
        assert names["combobox"] == ["what the camera follows"]
        shown, curves = ["bodies", "lines", "names"], ["hip", "knee", "ankle", "kinetic", "potential", "total"]
        assert names["checkbox"] == ["loop", *shown, *curves]
        assert names.get("separator") == (None if size == PHONE else ["height of the plots"])
        pictures = {name.split(" ")[0]: (name, about) for role, name, about in found if role == "image"}
        assert "thigh, shank, foot; 1.00 seconds" in pictures["the"][1]
        assert size == PHONE or "hip, knee, ankle" in pictures["curves"][0]
        assert p.evaluate(LABELS) == ["bodies", "lines", "names"]  # a blank here is read out by some browsers
        p.focus("#view")
        order, outlines = ["view"], set()
        expected = [
            "view",
            *([] if size == PHONE else ["grip"]),
            "play",
            "time",
            "more",
            "speed",
            "loop",
            "follow",
            "home",
        ]
        expected += [*9 * ["checkbox"], "picture", "film"]
        for _ in expected[1:]:
            p.keyboard.press("Tab")
            order.append(p.evaluate("() => document.activeElement.id || document.activeElement.type"))
            outlines.add(p.evaluate("() => getComputedStyle(document.activeElement).outlineStyle"))
        assert order == expected
        assert outlines == {"solid"}
        shot(p, f"player-controls-{size[0]}")
        assert errors == []


@pytest.mark.slow
def test_what_is_shown_is_said(swing, tmp_path):  # noqa: F811
    """Oracle: what the page announces, the values of its sliders and its address, after keys and a click."""
    path = export(swing, tmp_path / "a.html", labels=True)
    with page(offline=True) as p:
        errors = opened(p, path, "#t=0")
        p.focus("#view")
        p.keyboard.press("End")
        assert said(p) == "paused at 1.00 seconds" and p.url.endswith("#t=1")
        p.keyboard.press("ArrowLeft")
        assert said(p) == "paused at 0.98 seconds" and p.url.endswith("#t=0.983")
        p.keyboard.press("f")
        assert said(p) == "camera follows thigh"
        p.keyboard.press("ArrowDown")
        assert p.get_attribute("#speed", "aria-valuetext") == "0.8 times"
        boxes = p.evaluate(BOXES)
        assert len(boxes) == 3 and all(0 <= x < 1000 and 0 < y < 700 for x, y in boxes)  # names are not cut off
        p.keyboard.press("n")
        assert not p.is_checked("#layers label:last-child input") and p.evaluate(BOXES) == []
        p.focus("#layers input")
        p.keyboard.press("Space")  # a box has its own blank: nothing plays
        assert not p.is_checked("#layers input") and not p.evaluate("() => player.playing")
        p.focus("#grip")
        before = p.evaluate("() => document.getElementById('plot').clientHeight")
        p.keyboard.press("ArrowUp")
        assert int(p.get_attribute("#grip", "aria-valuenow")) == before + 20
        p.keyboard.press("Space")
        assert said(p) == "playing" and p.get_attribute("#time", "aria-valuetext").endswith("playing")
        assert errors == []


@pytest.mark.slow
def test_two_motions_stand_side_by_side(swing, tmp_path):  # noqa: F811
    """Oracle: the bodies of both in the page, those of the second where its own poses are, moved by one vector."""
    slower = cd.Trajectory(swing.model, swing.t[:31], swing.q[:31], swing.v[:31])
    data = player_data(export(swing, tmp_path / "two.html", beside=slower))
    assert data["bodies"] == ["thigh", "shank", "foot", "thigh (2)", "shank (2)", "foot (2)"]
    assert {"hip", "hip (2)", "knee"} <= set(data["plots"]["angles [°]"])
    places = np.frombuffer(unpacked(data["places"]), "<f4").reshape(61, 6, 3)
    way = places[:, 3:] - places[np.minimum(np.arange(61), 30), :3]
    assert np.abs(way - way[0, 0]).max() < 1e-5
    assert np.linalg.norm(way[0, 0]) > 0.3
    assert export(swing, tmp_path / "two.png", beside=slower).stat().st_size > 1000
    with pytest.raises(BadValue, match="`beside` is for pictures"):
        export(swing, tmp_path / "two.glb", beside=slower)


def unpacked(text):
    """Bytes of a page's numbers."""
    import base64

    return base64.b64decode(text)
