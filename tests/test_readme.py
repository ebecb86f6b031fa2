"""What the README shows is true of the code now."""

import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_lines_of_python_run_as_they_stand(tmp_path, monkeypatch):
    """Oracle: the code block itself; the leg hangs down: both centres of mass lie below their joints."""
    monkeypatch.chdir(tmp_path)
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    scope = {}
    exec(code, scope)
    assert np.isfinite(scope["a"]).all() and len(scope["trajectory"].t) == 2001
    assert scope["trajectory"].stopped is None and (tmp_path / "leg.html").exists()
    assert all(body.inertia.com[1] < -0.1 for body in scope["model"].bodies)


def test_every_page_and_picture_is_there():
    """Links of the README and of the contributor's page lead to files."""
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
