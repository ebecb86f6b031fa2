"""Every example runs, and what it claims of itself holds."""

import importlib.util
from pathlib import Path

import pytest

from support.thinning import slow_but

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("[0-9]*.py"))


@pytest.mark.parametrize("path", slow_but(EXAMPLES[:2], EXAMPLES), ids=lambda path: path.stem)
def test_the_example_keeps_its_word(path, tmp_path, monkeypatch):
    """Oracle: the example's own check, written next to its claims."""
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.chdir(tmp_path)
    spec.loader.exec_module(module)
    assert getattr(module, "main", module).__doc__  # some are written step by step, and run when they are read
    module.check()
