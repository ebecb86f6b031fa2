"""Elements with attributes, and shapes as both formats know them."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

import numpy as np

from ....model.look.shapes import Shape


def numbers(values) -> str:
    """Numbers as text, without loss."""
    return " ".join(repr(float(x) + 0.0) for x in np.ravel(np.asarray(values, dtype=float)))


def element(tag: str, *inside: str, **attributes: object) -> str:
    """An element; attributes that are None are left out, and a last underscore of their names."""
    told = "".join(f" {k.rstrip('_')}={quoteattr(str(v))}" for k, v in attributes.items() if v is not None)
    return f"<{tag}{told}>{''.join(inside)}</{tag}>\n" if inside else f"<{tag}{told}/>\n"


def solid(shape: Shape) -> tuple[str, tuple[float, ...]] | None:
    """A shape's kind and sizes; bones are capsules of half their thickness, and meshes none."""
    if shape.kind == "bone":
        return "capsule", (0.5 * shape.size[0], shape.size[1])
    return None if shape.kind == "mesh" else (shape.kind, shape.size)
