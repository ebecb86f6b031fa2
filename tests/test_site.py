"""The built documentation as a reader meets it: opened from disk in a browser without a network (after `make docs`)."""

from pathlib import Path

import pytest

from support.browser import page, shot

SITE = Path(__file__).parent.parent / "docs" / "_build" / "html"
SHOWN = [
    *("index", "theory/joints", "gallery/index", "gallery/joints/01_knee_leg", "reference/core", "comparison"),
    *("papers", "muscles", "getting-started"),
]
pytestmark = pytest.mark.site


@pytest.fixture(scope="module")
def tab():
    """A page whose requests are noted."""
    if not SITE.exists():
        pytest.skip("the documentation is not built: run `make docs` first")
    with page(offline=True) as tab:
        tab.asked = []
        tab.on("request", lambda request: tab.asked.append(request.url))
        yield tab


@pytest.mark.parametrize("name", SHOWN)
def test_a_page_asks_for_nothing_but_files(tab, name):
    """Oracle: the browser's own list of requests."""
    tab.asked.clear()
    tab.goto((SITE / f"{name}.html").as_uri(), wait_until="load")
    shot(tab, f"docs-{name.replace('/', '-')}")
    assert tab.asked and all(url.startswith(("file:", "data:")) for url in tab.asked)


def test_formulas_are_drawn(tab):
    """Oracle: the boxes that the browser gives to formulas, and MathJax's own error nodes."""
    tab.goto((SITE / "theory" / "joints.html").as_uri())
    tab.wait_for_function("() => document.querySelectorAll('div.math mjx-container svg').length > 10")
    boxes = [x.bounding_box() for x in tab.query_selector_all("div.math mjx-container")]
    assert all(box["width"] > 40 and box["height"] > 10 for box in boxes)
    assert not tab.query_selector_all("mjx-merror, [data-mjx-error]")


@pytest.mark.parametrize("width", [390, 740, 1320, 1400])
def test_pages_fit_the_screen(tab, width):
    """Oracle: the widths the browser lays out; wide tables and formulas scroll in themselves."""
    tab.set_viewport_size({"width": width, "height": 844})
    for name in SHOWN:
        tab.goto((SITE / f"{name}.html").as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0, name


def test_every_example_has_a_picture():
    """Oracle: the files of the site; an example that draws nothing has a placeholder for a tile."""
    examples = sorted((Path(__file__).parent.parent / "examples").glob("[0-9]*.py"))
    missing = [path.stem for path in examples if not (SITE / "_images" / f"sphx_glr_{path.stem}_001.png").exists()]
    assert not missing


@pytest.mark.parametrize("width", [390, 740, 1400])
def test_players_are_high_enough_to_see(tab, width):
    """Oracle: the box of the frame, and that the player in it has loaded."""
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto((SITE / "muscles.html").as_uri(), wait_until="load")
    frame = tab.query_selector("iframe.player")
    box = frame.bounding_box()
    assert box["height"] > 480
    assert box["width"] > min(0.85 * width, 600)
    frame.scroll_into_view_if_needed()
    frame.content_frame().wait_for_selector("#view")


def test_cards_lead_to_pages(tab):
    """Oracle: the files that the links of the front page name."""
    tab.goto((SITE / "index.html").as_uri(), wait_until="load")
    links = [a.get_attribute("href") for a in tab.query_selector_all("div.card a")]
    assert len(links) > 10
    assert all((SITE / link).exists() for link in links)
