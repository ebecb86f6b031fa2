"""The exported page plays by itself, with the network off."""

import numpy as np
import pytest
from browser import page, shot
from numpy.testing import assert_allclose

import condyle as cd
from condyle.gallery import leg
from condyle.view import export


@pytest.fixture(scope="module")
def swing():
    t = np.linspace(0, 1, 61)
    q = np.stack([0.8 * np.cos(3 * t), -1 + 0.8 * np.sin(5 * t), 0.3 * np.sin(4 * t)], axis=1)
    return cd.Trajectory(leg(), t, q, 0 * q)


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
        assert p.inner_text("#play") == "Pause" and p.title() == "a <leg>"
        heights = [p.locator(name).bounding_box()["height"] for name in ("#view", "#plot")]
        assert heights[0] > 400 and heights[1] < 160
        p.click("#play")
        pictures = []
        for k in (0, 30, 60):
            p.evaluate(
                "k => { const e = document.getElementById('time'); e.value = k; e.oninput({ target: e }); }",
                k / 60 * 1000,
            )
            foot = np.array(p.evaluate("() => window.player.pose2"))
            assert_allclose(foot[4:], swing.poses()[k, 2].xyz, atol=1e-5)
            pictures.append(p.screenshot())
            shot(p, f"player-{k}")
        assert len(set(pictures)) == 3
        assert errors == [] and asked == [path.as_uri()]


def test_a_model_at_rest_has_a_page_too(tmp_path):
    """Oracle: no script can be ended by a name."""
    b = cd.ModelBuilder()
    b.add_body("</script>", inertia=cd.Inertia.box(1, (1, 1, 1)))
    text = export(b.build(), tmp_path / "still.html").read_text()
    assert text.count("</script>") == 1
