"""One page about an ensemble."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

from ..design.report.html_report import number_table, page_of, section
from ..errors import amount
from ..formats.safe_files import write_text
from ..plots import draw_chart
from ..typing import ArrayLike, PathLike
from .ensemble_figures import panels_of

if TYPE_CHECKING:
    from .ensemble_result import Ensemble

SHOWN = 50  # failed members in the table
WIDTHS = (6.0, 9.6, 13.0)  # [inches] of one, two and three panels


def report(found: Ensemble, path: PathLike | None, title: str, t: ArrayLike | None) -> str:
    """The page as text, written to `path` if one is given."""
    body = [_lead(found), _hints(found), _parameters(found)]
    if found.good.any():
        body += [_numbers(found), *_pictures(found, t)]
    page = page_of(title, "\n".join([*body, _failures(found)]))
    if path is not None:
        write_text(path, page)
    return page


def _lead(found: Ensemble) -> str:
    d = found.design
    well, varied = amount(int(found.good.sum()), "member"), amount(len(d.names), "parameter")
    words = f"{well} of {len(found)} went well; {d.kind} design of {varied}."
    return f'<p class="lead">{html.escape(words)}</p>'


def _hints(found: Ensemble) -> str:
    if found.good.all():
        return '<div class="hints fine">All members went well.</div>'
    said = f"{len(found.failed)} members failed and {len(found.missing)} have not run: statistics are of the others."
    return f'<div class="hints">{said}</div>'


def _parameters(found: Ensemble) -> str:
    rows = [(name, f"{x.min():.4g} … {x.max():.4g}" if x.size else "") for name, x in found.design.values.items()]
    return "<h2>What varied</h2>" + number_table(rows)


def _numbers(found: Ensemble) -> str:
    """Statistics of the outputs that are one number."""
    rows = []
    for name in (name for name, x in found.outputs.items() if x.ndim == 1):
        s = found.summary(name)
        told = (_rounded(float(x), float(s.std)) for x in (s.mean, s.std, s.median, s.low, s.high))
        mean, std, median, low, high = told
        rows.append((name, f"{mean} ± {std} (median {median}; 5 % {low}, 95 % {high})"))
    return "<h2>Outputs</h2>" + number_table(rows) if rows else ""


def _rounded(x: float, spread: float) -> str:
    """A number with three digits of the spread that it has."""
    if not np.isfinite([x, spread]).all() or spread == 0.0:
        return f"{x:.4g}"
    digits = 2 - int(np.floor(np.log10(spread)))
    return f"{round(x, digits) + 0.0:.{digits}f}" if 0 <= digits < 8 else f"{x:.4g}"


def _pictures(found: Ensemble, t: ArrayLike | None) -> list[str]:
    drawn = [name for name, x in found.outputs.items() if x.ndim in (1, 2) and np.size(x)]
    out = []
    for name in drawn:
        curve = found[name].ndim == 2
        caption = (
            "Median and quantiles over the members." if curve else "Spread of the members, and what parameters do."
        )
        fits = t is not None and curve and len(np.asarray(t, float)) == found[name].shape[1]
        panels = panels_of(found, name, t if fits else None, "")
        out.append(
            section(
                html.escape(name),
                caption,
                draw_chart(panels, size=((5.0, 9.6, 13.0)[len(panels) - 1], 3.6), light=True),
            )
        )
    return out


def _failures(found: Ensemble) -> str:
    if not found.failed:
        return ""
    shown = list(found.failed.items())[:SHOWN]
    rows = "".join(f"<tr><td>{i}</td><td>{html.escape(words)}</td></tr>" for i, words in shown)
    more = f"<p>… and {len(found.failed) - SHOWN} more.</p>" if len(found.failed) > SHOWN else ""
    return f"<details><summary>Members that failed</summary><table>{rows}</table>{more}</details>"
