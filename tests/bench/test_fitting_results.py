"""The page of results of fitting, and the script that writes it."""

from pathlib import Path

from benchmarks.design import store

PAGE = Path(__file__).parents[2] / "docs" / "fitting-results.md"
PARTS = ("scale", "walks", "smoothing", "recovery", "measured", "charts")


def test_a_part_that_is_run_alone_leaves_the_others(tmp_path):
    """Oracle: the sections by hand."""
    page = tmp_path / "page.md"
    first = store.Result("First", ["a"], [["1"]], "A note.")
    store.write_page({"one": first, "two": store.Result("Second", ["b"], [["2"]], "Another.")}, page)
    before = page.read_text()
    store.write_page({"two": store.Result("Second", ["b"], [["3"]], "Another.")}, page)
    assert page.read_text() == before.replace("| 2 |", "| 3 |")
    store.write_page({"three": first}, page)
    assert [line for line in page.read_text().splitlines() if line.startswith("## ")] == [
        "## First",
        "## Second",
        "## First",
    ]


def test_the_page_has_the_table_of_every_part():
    """Oracle: the names of the parts in the page's own marks, each with a table of at least three rows."""
    sections = store.kept_sections(PAGE.read_text(encoding="utf-8"))
    assert set(sections) == set(PARTS)
    assert all(text.count("\n|") > 3 for text in sections.values())
