"""The names of `import condyle as cd`."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from public import MODULES, module_at

import condyle as cd


def test_every_name_loads():
    """Oracle: getattr; names load on first use, so a wrong home would show only then."""
    assert all(getattr(cd, name) is not None for name in cd.__all__)


def test_the_gallery_needs_no_import_of_its_own():
    """Oracle: a process that has imported nothing else; docs and examples speak of `condyle.gallery`."""
    code = "import condyle as cd; print(cd.gallery.leg().nv)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "3\n"


def test_editors_see_the_names_that_load():
    """Oracle: the imports for type checkers, read from the source, against the tables that names load by."""
    tree = ast.parse(Path(str(cd.__file__)).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname or alias.name for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    seen |= {
        node.target.id for node in block.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert {name for name in seen if name[0] != "_"} == set(cd.__all__) == {*cd._HOME_OF, *cd._MODULES}


def test_tab_shows_public_names_only():
    """Oracle: the promise of `__all__`; what a module imports for itself is not shown."""
    assert set(dir(cd)) == {*cd.__all__, "__version__"}


@pytest.mark.parametrize("path", MODULES[1:])
def test_tab_shows_public_names_only_in_packages_too(path):
    """Oracle: the promise of `__all__` of each module that the reference has a page for."""
    assert dir(module_at(path)) == sorted(module_at(path).__all__)


def test_the_viewer_is_a_function_and_a_package():
    """Oracle: the function itself; importing the package makes it an attribute of condyle."""
    import condyle.view

    assert callable(cd.view) and cd.view is condyle.view
    assert cd.view.view.__doc__.startswith("Show a model")
    assert {name for name in vars(type(cd.view)) if name[0] != "_"} == set(cd.view.__all__)
