"""No module imports, by whatever way, a module that imports it."""

import pytest

from support.import_graph import circles, import_graph


def test_no_modules_import_each_other():
    """Oracle: the import statements of all sources, those within functions too."""
    assert circles(import_graph()) == []


@pytest.mark.parametrize("last", ["from . import first", "def f():\n    from .first import f", "import probe.first"])
def test_a_circle_is_found(tmp_path, last):
    """Oracle: three modules in a circle, made here, and one that is outside of it."""
    package = tmp_path / "probe"
    package.mkdir()
    texts = {"__init__": "", "first": "from .second import x", "second": "from . import third as x", "third": last}
    for name, text in {**texts, "user": "from .first import x"}.items():
        (package / f"{name}.py").write_text(text)
    assert circles(import_graph(package)) == [["probe.first", "probe.second", "probe.third"]]
