"""The page's example does what it says."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "skeletons.md"


def test_the_pages_example_runs(tmp_path, monkeypatch):
    """Oracle: it runs, the joints hold, the picture is there; every figure the page shows exists."""
    text = PAGE.read_text()
    code, *_ = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(compile(code, str(PAGE), "exec"), names)
    assert names["motion"].report().drifts()["joint gap [m]"] < 1e-12
    assert (tmp_path / "arm.png").exists()
    for figure in re.findall(r"\]\((figures/.*?)\)", text):
        assert (PAGE.parent / figure).exists()
