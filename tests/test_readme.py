"""What the README shows is true of the code now."""

import re
from pathlib import Path

import numpy as np

from condyle.gallery import knee_poses

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_lines_of_python_run():
    """Oracle: the code block itself, with a person's data; only the browser is left out."""
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    angles, poses = knee_poses(40)
    scope = {"poses": poses, "angles": angles, "q": np.array([0.3, -0.8]), "v": np.zeros(2)}
    exec(code.replace("cd.view(trajectory)", "# cd.view(trajectory)"), scope)
    assert np.isfinite(scope["a"]).all() and len(scope["trajectory"].t) == 2001


def test_every_page_and_picture_is_there():
    """Links of the README and of the docs lead to files."""
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
