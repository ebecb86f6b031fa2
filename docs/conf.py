"""How the pages are built: `make docs`. Nothing is fetched, neither now nor when the pages are opened."""

import sys
from importlib.metadata import distribution
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from examples import PLAYERS, SECTIONS, Pictures, staged

import condyle

DOCS = Path(__file__).parent
project = "condyle"
author = "the condyle developers"
project_copyright = "the condyle developers, Apache-2.0"
version = release = condyle.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",  # the sections of docstrings: Parameters, Returns, Raises
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "examples",
    "pictures",
    "reference",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "_ext", "gallery/sg_execution_times.rst", "sg_execution_times.rst"]
myst_enable_extensions = ["deflist", "dollarmath", "amsmath", "colon_fence"]
myst_heading_anchors = 3
numfig = math_numfig = True
numfig_secnum_depth = 1
math_eqref_format = "({number})"

default_role = "code"
add_module_names = False
toc_object_entries = False  # each page has a table of its names; the sidebar need not repeat them
python_use_unqualified_type_names = True
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
autodoc_type_aliases = {name: name for name in ("ArrayLike", "OnFailure", "PathLike", "Progress")}
autosummary_generate = False
napoleon_custom_sections = [("Attributes", "params_style")]  # shown as parameters are, not as objects of their own
napoleon_use_param = napoleon_use_rtype = False  # types are words of a sentence: "array_like, shape (..., nq)"
viewcode_line_numbers = True

MATHJAX = "sphinx-mathjax-offline/static/mathjax"  # the package's files; only the one that needs no others is copied
mathjax_path = "tex-svg-full.js"
html_static_path = ["_static", str(distribution("sphinx-mathjax-offline").locate_file(f"{MATHJAX}/{mathjax_path}"))]
mathjax3_config = {
    "tex": {"macros": {"Ad": "\\operatorname{Ad}", "ad": "\\operatorname{ad}"}},
    "svg": {"fontCache": "global"},
}

html_theme = "furo"
html_title = f"condyle {version}"
html_css_files = ["condyle.css"]
html_copy_source = False
html_extra_path = [str(PLAYERS)]
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True}
copybutton_exclude = ".linenos, .gp"

suppress_warnings = ["ref.python"]  # two classes are called Trajectory; a bare name in a signature links to the first

sphinx_gallery_conf = {
    "examples_dirs": [
        str(staged(Path(__file__).parents[1] / "examples", Path(__file__).parent / "_build" / "examples"))
    ],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"\.py$",
    "subsection_order": [f"_build/examples/{folder}" for folder, *_ in SECTIONS],
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": (Pictures(),),
    "reset_modules": (),
    "download_all_examples": False,
    "show_memory": False,
    "capture_repr": (),  # examples print what they have to say
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "nested_sections": False,
}
