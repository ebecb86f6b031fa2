"""The pages of the documentation, checked without building them (`make docs` builds them)."""

import ast
import re
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from equations import linked_functions
from examples import SECTIONS
from public import GROUPS, MODULES, module_at, public

import condyle
from condyle.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if not {"_build", "gallery"} & set(path.relative_to(DOCS).parts))
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))


def text_of(folder):
    """All pages of a folder."""
    return "\n".join(path.read_text() for path in sorted((DOCS / folder).glob("*.md")))


def found(name):
    """The object that a name of the reference means; public names hide modules of the same name."""
    home = max((path for path in MODULES if name.startswith(f"{path}.")), key=len)
    try:
        return attrgetter(name.removeprefix(f"{home}."))(module_at(home))
    except AttributeError:
        return resolve_name(name)


def test_every_public_module_has_a_reference_page():
    """Oracle: the names that condyle offers; the pages list all names of the modules they name."""
    pages = re.findall(r"^\.\. names:: (\S+)$", text_of("reference"), re.MULTILINE)
    assert sorted(pages) == sorted(MODULES)
    offered = {id(module_at(f"condyle.{name}")) for name in [*condyle._MODULES, *condyle._HOMES]}
    assert offered <= {id(module_at(path)) for path in MODULES}


def test_the_first_page_of_the_reference_has_every_name_once():
    """Oracle: the names of `import condyle as cd` but for modules; the page has them in groups."""
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(set(condyle.__all__) - set(condyle._MODULES))


@pytest.mark.parametrize("path", MODULES)
def test_every_public_name_has_words(path):
    """A class or function without a docstring would be missing from the reference."""
    silent = [name for name, thing in public(path).items() if callable(thing) and not (thing.__doc__ or "").strip()]
    assert not silent


def test_every_page_is_in_a_table_of_contents():
    """Oracle: the entries of all toctrees, followed from the first page."""
    listed = {"index", "gallery/index"}
    for page in PAGES:
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(), re.DOTALL):
            entries = [line for line in block.splitlines() if line and not line.startswith(":")]
            listed |= {(page.parent / entry).resolve().relative_to(DOCS).as_posix() for entry in entries}
    assert listed - {"gallery/index"} == {path.relative_to(DOCS).with_suffix("").as_posix() for path in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_links_and_pictures_lead_somewhere(page):
    """Relative links of a page lead to files, {doc} links to pages."""
    words = page.read_text()
    for target in re.findall(r"\]\(([^)#:]+)\)", words):
        assert (page.parent / target).exists(), target
    for target in re.findall(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`", words):
        base = DOCS if target.startswith("/") else page.parent
        assert target.strip("/") == "gallery/index" or (base / f"{target.strip('/')}.md").exists(), target


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda path: path.stem)
def test_modules_that_a_page_names_exist(page):
    """Oracle: the files of the project; names in capitals and CONTRIBUTING's worked example are those to be made."""
    known = [
        str(path) for top in ("src", "tests", "docs", "examples", "benchmarks") for path in (ROOT / top).rglob("*.py")
    ]
    words = page.read_text()
    named = set(re.findall(r"`([\w./]+\.py)`", words)) - {"src/condyle/joints/kinds/rolling.py"}
    missing = [name for name in named if "NAME" not in name and not any(path.endswith(f"/{name}") for path in known)]
    assert not missing
    for name, module in re.findall(r"`(\w+)` (?:of|in) `([\w./]+\.py)`", words):
        homes = [path for path in known if path.endswith(f"/{module}")]
        assert any(re.search(rf"\b{name}\b", Path(path).read_text()) for path in homes), (name, module)


def test_every_command_is_on_its_page():
    """Oracle: the commands themselves."""
    page = (DOCS / "command-line.md").read_text()
    block = re.sub(r"\n +", " ", page.split("```")[1])  # an entry may go on below, indented
    assert {line.split()[1] for line in block.split("\n") if line} == set(COMMANDS)
    for line in filter(None, block.split("\n")):
        name, second = line.split()[1:3]
        command: Any = import_module(f"condyle.cli.commands.{name}").command
        command = getattr(command, "commands", {}).get(second, command)
        known = {option for parameter in command.params for option in parameter.opts}
        assert set(re.findall(r"(?<![\w-])--[a-z-]+", line)) <= known, line


@pytest.mark.parametrize("page", sorted((DOCS / "theory").glob("*.md")), ids=lambda path: path.stem)
def test_every_equation_names_a_function_that_exists(page):
    """Oracle: the functions themselves; an equation without one is not tied to the code."""
    for label, names in linked_functions(page.read_text()).items():
        assert names, f"equation {label} links no function"
        for name in names:
            assert callable(found(name)), name


def test_equation_labels_occur_once():
    """A label that occurs twice would number the wrong equation."""
    labels = re.findall(r"^\$\$ \(([\w-]+)\)$", text_of("theory"), re.MULTILINE)
    assert len(labels) == len(set(labels)) and len(labels) > 50


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_begin_with_a_title(path):
    """The gallery takes the first line of the docstring, underlined by as many `=`, for the title of its page."""
    title, line, blank, *words = (ast.get_docstring(ast.parse(path.read_text())) or "").splitlines()
    assert set(line) == {"="} and len(line) >= len(title) > 0 and blank == "" and words


# pages whose kernels need the compiler for long
LONG = (
    *("characters", "derivatives", "directing", "ensembles", "getting-started", "identification", "muscles"),
    *("optimal-motion", "reach", "shapes", "skeletons", "trials"),
)


def marked(page):
    """As a parameter of a test, marked if it needs long."""
    return pytest.param(page, marks=[pytest.mark.slow] if page.stem in LONG else [])


PAGES_WITH_CODE = [marked(page) for page in PAGES if "```python" in page.read_text()]


@pytest.mark.parametrize("page", PAGES_WITH_CODE, ids=lambda path: path.stem)
def test_the_code_of_a_page_runs_as_it_stands(page, tmp_path, monkeypatch):
    """Oracle: the blocks of the page, one after the other, in an empty folder and an empty namespace."""
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
    scope = {}
    exec(code, scope)
    if page.stem == "getting-started":
        assert scope["found"].reached and not scope["kick"].outside and (tmp_path / "swing.html").exists()


SHOWN = re.findall(r"```\{shown\} (\S+)|^:example: (\S+)", "\n".join(p.read_text() for p in PAGES), re.MULTILINE)


def test_examples_that_pages_show_exist():
    """Oracle: the files; that an example draws what is shown of it is seen when the pages are built."""
    assert len(SHOWN) > 30
    assert {first or second for first, second in SHOWN} <= {path.stem for path in EXAMPLES}


# guides of files, commands and tables, which have nothing to show
WITHOUT_PICTURE = {
    *("fitting-results", "derivatives", "files", "opensim-parity", "gymnasium", "tables", "command-line"),
}


def guides():
    """The pages of the toctree of guides."""
    block = (DOCS / "index.md").read_text().split(":caption: Guides")[1].split("```")[0]
    return block.split()


@pytest.mark.parametrize("guide", guides())
def test_a_guide_opens_with_what_it_makes(guide):
    """Oracle: the page above its first section."""
    opening = (DOCS / f"{guide}.md").read_text().split("\n## ")[0]
    assert ("```{shown}" in opening or "![" in opening) == (guide not in WITHOUT_PICTURE)


def test_every_example_is_in_one_section_of_the_gallery():
    """Oracle: the files."""
    numbers = " ".join(numbers for *_, numbers in SECTIONS).split()
    assert sorted(numbers) == [path.name[:2] for path in EXAMPLES]
