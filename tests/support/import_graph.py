"""Which modules of the package import which, read from their sources: those that are run, also within functions."""

import ast
from pathlib import Path

import condyle

PACKAGE = Path(condyle.__file__).parent


def module_files(package=PACKAGE):
    """The files of a package by the dotted names of their modules."""
    names = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return names


def import_graph(package=PACKAGE):
    """The modules that each module imports, wherever in its text it does."""
    files = module_files(package)
    return {name: imported(name, path, files) - {name} for name, path in files.items()}


def imported(name, path, files):
    """The modules that one module names in its import statements."""
    here = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = set()
    for node in executed(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = here[: len(here) + 1 - node.level] if node.level else []
            base = ".".join([*above, *(node.module or "").split(".")]).strip(".")
            inner = {alias.name: f"{base}.{alias.name}" for alias in node.names}
            found |= {inner[each] if inner[each] in files else base for each in inner}
    return found & files.keys()


def executed(tree):
    """The nodes of a syntax tree without what only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield node
            yield from executed(node)


def circles(graph):
    """The sets of modules that reach each other (Tarjan's strongly connected components of two and more)."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in graph[node]:
            if other not in order:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == order[node]:
            at = stack.index(node)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for node in graph:
        if node not in order:
            visit(node)
    return [each for each in found if len(each) > 1]
