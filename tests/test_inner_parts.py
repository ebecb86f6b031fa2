"""The list of inner parts of Numba and viser is whole and true, and the installed versions have them all."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "condyle"
PAGE = ROOT / "docs" / "decisions" / "inner-parts.md"
DOCUMENTED = re.compile(
    r"numba\.(njit|typeof|types|config|extending\.\w+)$|llvmlite\.(ir|binding)(\.(?!ffi)\w+)?$|viser\.\w+$"
)
OTHERS = {"_asdict", "_exit", "_ARRAY_API", "_fields", "_replace"}  # of Python and NumPy, which document them
OPTIONAL = {"_reload_init"}  # of newer versions only


def listed():
    """(part, files, reason) of every row of the page."""
    rows = [line.split("|")[1:4] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return [(part.strip().strip("`"), re.findall(r"`([^`]+)`", files), why.strip()) for part, files, why in rows]


LISTED = listed()
TREES = {path.relative_to(SOURCES).as_posix(): ast.parse(path.read_text("utf-8")) for path in SOURCES.rglob("*.py")}


def imported():
    """(part, file) of every import from Numba, llvmlite or viser that is not documented."""
    for file, tree in TREES.items():
        for node in (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module and not n.level):
            for name in node.names:
                part = f"{node.module}.{name.name}"
                if part.split(".")[0] in ("numba", "llvmlite", "viser") and not DOCUMENTED.match(part):
                    yield part, file


def own_names():
    """What condyle itself defines: functions, classes, fields, and attributes of `self`."""
    for tree in TREES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield node.name
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif (
                isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Store)
                and ast.unparse(node.value) == "self"
            ):
                yield node.attr


def private_attributes():
    """(attribute, file) of private attributes, in files that use these packages, that condyle does not define."""
    own = {*own_names()} | OTHERS
    for file, tree in TREES.items():
        if file.startswith(("numeric/", "view/live/")):
            for node in (n for n in ast.walk(tree) if isinstance(n, ast.Attribute)):
                if re.match(r"_[a-zA-Z]", node.attr) and node.attr not in own:
                    yield node.attr, file


def test_every_import_of_an_inner_part_is_listed():
    """Oracle: the imports of the sources."""
    rows = {(part, file) for part, files, _ in LISTED for file in files}
    missing = sorted({*imported()} - rows)
    assert not missing, f"docs/decisions/inner-parts.md lacks (part, file): {missing}"


def test_every_private_attribute_is_listed():
    """Oracle: the attributes in the sources that begin with an underscore and that nothing of condyle defines."""
    rows = {(name, file) for part, files, _ in LISTED for file in files for name in part.split(".")}
    missing = sorted({*private_attributes()} - rows)
    assert not missing, f"docs/decisions/inner-parts.md lacks (attribute, file): {missing}"


@pytest.mark.parametrize(("part", "files", "why"), LISTED, ids=[part for part, _, _ in LISTED])
def test_what_is_listed_is_used_and_there(part, files, why):
    """Oracle: the text of the files, and the installed package."""
    name = part.rsplit(".", 1)[-1]
    unused = [file for file in files if not re.search(rf"\b{name}\b", (SOURCES / file).read_text(encoding="utf-8"))]
    assert not unused and why, f"{part} is not used in {unused}: take it off docs/decisions/inner-parts.md"
    if name not in OPTIONAL:
        package = pytest.importorskip(part.split(".")[0])
        assert there(part), (
            f"{package.__name__} {package.__version__} has no {part}: {', '.join(files)} need it for: {why}"
        )


def there(part):
    """Whether a part can be imported, is an attribute of what can, or is one that its class gives to its objects."""
    names = part.split(".")
    for k in range(len(names), 0, -1):
        try:
            here = importlib.import_module(".".join(names[:k]))
            break
        except ImportError:
            continue
    for name in names[k:]:
        if not hasattr(here, name):
            classes = inspect.getmro(here)[:-1] if inspect.isclass(here) else ()
            return any(f"self.{name} =" in text or f"self.{name}:" in text for text in map(inspect.getsource, classes))
        here = getattr(here, name)
    return True


def test_a_part_that_is_gone_is_found():
    """Oracle: names that no version has."""
    assert there("numba.core.codegen.JITCodeLibrary._final_module")
    assert not there("numba.core.codegen.JITCodeLibrary._no_such_part")
    assert not there("numba.core.no_such_module.part")
