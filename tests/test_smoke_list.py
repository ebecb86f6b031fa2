"""The list behind `make smoke`."""

from pathlib import Path

TESTS = Path(__file__).parent
ENTRIES = [line for line in (TESTS / "smoke.txt").read_text().splitlines() if not line.startswith("#")]
NO_PACKAGES = {"bench", "oracles", "peers", "support", "twins"}  # judges, helpers and what other targets run


def test_every_package_has_a_quick_test_in_the_list():
    """Oracle: the folders of tests."""
    folders = {path.name for path in TESTS.iterdir() if path.is_dir() and any(path.glob("test_*.py"))} - NO_PACKAGES
    assert folders == {entry.split("/")[1] for entry in ENTRIES if entry.count("/") > 1}


def test_every_entry_is_a_test_that_is_not_slow():
    """Oracle: the source of the test: a test that is marked would be left out without a word."""
    for entry in ENTRIES:
        file, _, name = entry.partition("::")
        lines = (TESTS.parent / file).read_text()
        assert f"def {name}(" in lines if name else "def test_" in lines, entry
        above = lines.split(f"def {name}(")[0].rsplit("\n\n\n", 1)[-1] if name else ""
        assert "mark.slow" not in above, entry
