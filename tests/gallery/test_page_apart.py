"""The page about the fitted knee from another process: taken as it is, or drawn here."""

import pytest

from condyle.gallery.bones import fitted_knee, page_apart


@pytest.mark.parametrize(
    ("draw", "page"),
    [
        ("print('<p>knee</p>' * 30000, end='')", "<p>knee</p>" * 30000),  # more than a pipe holds
        ("print('half of it'); raise SystemExit(1)", ""),
        ("import no_such_package", ""),
        ("import time; time.sleep(600)", ""),
    ],
)
def test_a_whole_page_is_taken_and_nothing_else(draw, page, monkeypatch):
    """Oracle: what the process wrote; nothing of one that failed, or that hangs."""
    monkeypatch.setattr(page_apart, "DRAW", draw)
    monkeypatch.setattr(page_apart, "LONGEST", 2.0 if "sleep" in draw else 60.0)
    page_apart.begin_page.__wrapped__()
    assert page_apart.page_apart() == page
    assert page_apart.page_apart() == ""


def test_a_page_that_is_not_handed_over_is_drawn_here(monkeypatch):
    """Oracle: the function that draws it, which says that it was called."""
    monkeypatch.setattr(page_apart, "DRAW", "raise SystemExit(1)")
    monkeypatch.setattr(fitted_knee, "fitted_knee", lambda: None)
    monkeypatch.setattr(fitted_knee, "report", lambda fit, title: f"drawn here: {title}")
    page_apart.begin_page.__wrapped__()
    assert fitted_knee.knee_report.__wrapped__().startswith("drawn here")


def test_it_is_begun_once_and_does_not_outlive_who_began_it(monkeypatch):
    """Oracle: the process itself."""
    monkeypatch.setattr(page_apart, "DRAW", "import time; time.sleep(600)")
    page_apart.begin_page.cache_clear()
    page_apart.begin_page()
    page_apart.begin_page()
    (process,) = page_apart._begun
    page_apart._end()
    assert process.poll() is not None and not page_apart._begun


@pytest.mark.slow
def test_both_processes_draw_the_same_page():
    """Oracle: the page drawn in this process."""
    page_apart.begin_page.__wrapped__()
    there = page_apart.page_apart()
    assert "<h2>Axode</h2>" in there
    assert there == fitted_knee.knee_report.__wrapped__()
