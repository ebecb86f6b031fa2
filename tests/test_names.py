"""The names of `import condyle as cd`."""

import subprocess
import sys

import condyle as cd


def test_every_name_loads():
    """Oracle: getattr; names load on first use, so a wrong home would show only then."""
    assert all(getattr(cd, name) is not None for name in cd.__all__)


def test_the_gallery_needs_no_import_of_its_own():
    """Oracle: a process that has imported nothing else; docs and examples speak of `condyle.gallery`."""
    code = "import condyle as cd; print(cd.gallery.leg().nv)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "3\n"
