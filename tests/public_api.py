"""The public interface as text, one line for each name: `python tests/public_api.py --write` renews public_api.txt."""

import inspect
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
STORED = ROOT / "tests" / "public_api.txt"
COMMAND = "python tests/public_api.py --write"


def _arguments(parameters: list[inspect.Parameter]) -> str:
    """Names and defaults of what a caller gives; types are left out, since they may become more exact."""
    words = "(" + ", ".join(str(p.replace(annotation=p.empty)) for p in parameters) + ")"
    return re.sub(
        r"\s+", " ", re.sub(r" at 0x[0-9a-f]+", "", words)
    )  # a function prints where it lies, an array its rows


def _made(cls: type) -> str:
    """What the constructor takes, where condyle says it."""
    if issubclass(cls, BaseException):
        return ""
    return _arguments(list(inspect.signature(cls).parameters.values()))


def api_lines() -> list[str]:
    """Every public function, class, method, property and field with its arguments, in the order of the alphabet."""
    from public_names import parameters, properties, public_classes, public_functions

    lines = {f"{found}{_arguments(parameters(found))}" for found in public_functions()}
    for found in public_classes():
        fields = getattr(found.thing, "__dataclass_fields__", None) or getattr(found.thing, "_fields", ())
        lines |= {f"{found} class{_made(found.thing)}", *map(str, properties(found))}
        lines |= {f"{found}.{name}" for name in fields if name[0] != "_"}
    return sorted(lines)


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "docs" / "_ext")]
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    STORED.write_text("\n".join(api_lines()) + "\n")
