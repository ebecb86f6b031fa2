"""The exported page plays by itself, with the network off."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.gallery import leg
from condyle.view import export
from support.browser import page, plain, shot


@pytest.fixture(scope="module")
def swing():
    t = np.linspace(0, 1, 61)
    q = np.stack([0.8 * np.cos(3 * t), -1 + 0.8 * np.sin(5 * t), 0.3 * np.sin(4 * t)], axis=1)
    return cd.Trajectory(leg(), t, q, 0 * q)


@pytest.mark.slow
def test_the_page_plays_offline(swing, tmp_path):
    """Oracle: the browser: no request, no error; the foot where forward kinematics puts it; the picture changes."""
    path = export(swing, tmp_path / "swing.html", title="a <leg>")
    with page(offline=True) as p:
        asked, errors = [], []
        p.on("request", lambda r: asked.append(r.url))
        p.on("pageerror", lambda e: errors.append(str(e)))
        p.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        p.goto(path.as_uri())
        p.wait_for_function("() => window.player && window.player.frame > 3 && window.player.t > 0.05")
        assert plain(p.inner_text("#play")) == "Pause" and p.title() == "a <leg>"
        heights = [p.locator(name).bounding_box()["height"] for name in ("#view", "#plot")]
        assert heights[0] > 400 and heights[1] < 160
        p.click("#play")
        pictures = []
        for k in (0, 30, 60):
            p.evaluate(
                "k => { const e = document.getElementById('time'); e.value = k; e.oninput({ target: e }); }",
                k / 60,
            )
            foot = np.array(p.evaluate("() => window.player.pose2"))
            assert_allclose(foot[4:], swing.poses()[k, 2].xyz, atol=1e-5)
            pictures.append(p.screenshot())
            shot(p, f"player-{k}")
        assert len(set(pictures)) == 3
        assert errors == [] and asked == [path.as_uri()]


REFUSED = """window.refused = [];
  addEventListener('securitypolicyviolation', e => window.refused.push(e.blockedURI))"""
NASTY = """</script><script>owned = 1</script><img src=x onerror="owned = 2">{{SCRIPT}}\\u003c'<!--"""


def named(name):
    """A model with a name that wants to be a script."""
    b = cd.ModelBuilder()
    b.add_body(name, joint=cd.joints.revolute("x"), inertia=cd.Inertia.box(1, (1, 1, 1)))
    return b.build()


def test_a_model_at_rest_has_a_page_too(tmp_path):
    """Oracle: no script can be ended by a name or a title."""
    text = export(named("</script>"), tmp_path / "still.html", title=NASTY).read_text()
    assert text.count("</script>") == 1 and text.count("<script") == 1 and "<img" not in text


def test_nothing_but_its_own_script_runs_in_the_page(tmp_path):
    """Oracle: the browser: names and titles stay text; a script put into the file later is refused by the policy."""
    model = named(NASTY)
    path = export(model, tmp_path / "a.html", title=NASTY)
    injected = tmp_path / "b.html"
    text = path.read_text()
    injected.write_text(text.replace("<body>", "<body><script>owned = 3</script>"))
    assert injected.read_text() != text
    with page(offline=True) as p:
        p.add_init_script(REFUSED)
        for file, refused in ((path, 0), (injected, 1)):
            p.goto(file.as_uri())
            p.wait_for_function("() => window.player && window.player.frame > 0")
            assert p.evaluate("() => window.owned") is None and p.title() == NASTY
            assert p.evaluate("() => window.refused") == refused * ["inline"]
