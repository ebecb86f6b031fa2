"""One self-contained HTML page about a fit: what to do, numbers, figures, every pose."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np

from ...errors import BadFile
from ...formats.safe_files import write_text
from ...plots.chart import write_figure
from ...typing import PathLike
from ..curve_result import CurveFit
from ..fit_result import Fit, TradeOff, spread_of
from ..residual_tests import ResidualTests
from ..surface_result import SurfaceFit
from . import figures

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title><style>
body {{ font: 15px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 2.2rem auto; padding: 0 1.2rem;
  color: #1f2933 }}
h1 {{ font-size: 1.7rem; margin: 0 0 .2rem }} h2 {{ font-size: 1.1rem; margin: 2.2rem 0 .2rem }}
p {{ margin: .2rem 0 .6rem; color: #52606d }} .lead {{ font-size: 1.05rem }}
.hints {{ border-left: 4px solid #d9822b; background: #fff8ec; padding: .5rem 1rem; margin: 1rem 0 }}
.fine {{ border-color: #2e8b57; background: #eefaf2 }} .hints ul {{ margin: 0; padding-left: 1.1rem }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
td, th {{ padding: .2rem .9rem .2rem 0; border-bottom: 1px solid #e4e7eb; text-align: right }}
th:first-child, td:first-child {{ text-align: left; color: #52606d }} img {{ max-width: 100%; height: auto }}
summary {{ cursor: pointer; margin-top: 2rem; font-weight: 600 }}
</style></head><body><h1>{title}</h1>{body}</body></html>"""


def page_of(title: str, body: str, script: str = "") -> str:
    """A page of a plain title and a body of HTML; of scripts it runs this very one, whatever gets into the page."""
    allowed = ""
    if script:
        allowed = f" script-src 'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}';"
    rest = "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    return PAGE.format(title=html.escape(title), body=body, policy=f"default-src 'none';{allowed} {rest}")


def report(
    fit: CurveFit | SurfaceFit,
    path: PathLike | None = None,
    *,
    title: str = "A fitted joint",
    curve: TradeOff | None = None,
    force: bool = False,
) -> str:
    """The page as text, written to `path` if one is given; `curve` adds a smoothing trade-off made elsewhere.

    Parameters
    ----------
    fit : CurveFit or SurfaceFit
    path : str or path, optional
        The file to write.
    title : str, optional
    curve : TradeOff, optional
        A smoothing trade-off to show.
    force : bool, optional
        Write over a file that exists.

    Returns
    -------
    str
        The page as HTML.
    """
    if path is not None:
        require_new(path, force)
    sections = [section(*part) for part in drawings(fit, curve or fit.tried)]
    body = [lead(fit), hints(fit.advice, fit.tests), number_table(facts(fit)), *sections, pose_table(fit)]
    page = page_of(title, "\n".join(body))
    if path is not None:
        write_text(path, page)
    return page


def require_new(path: PathLike, force: bool = False) -> None:
    """A file that exists is not written over unasked, and its folder must be there.

    Parameters
    ----------
    path : str or path
        The file.
    force : bool, optional
        Write over a file that exists.

    Raises
    ------
    BadFile
        The file exists and `force` is not set, or its folder does not.
    """
    if not Path(path).parent.is_dir():
        raise BadFile(f"{path}: there is no folder {Path(path).parent}; make it first.")
    if Path(path).exists() and not force:
        raise BadFile(f"{path} exists already; choose another name, or say force (--force) to replace it.")


def lead(fit: Fit) -> str:
    """The answer in one sentence."""
    a, d = spread_of(fit.angle_errors), spread_of(fit.distance_errors)
    return (
        f'<p class="lead">{fit.size} meet {len(fit.data)} poses within {a} deg and {d} mm (root mean square, '
        "largest).</p>"
    )


def hints(advice: list[str], tests: ResidualTests) -> str:
    """What to do."""
    if not advice:
        return f'<div class="hints fine">Nothing stands out: converged, full rank, and {noise(tests)}.</div>'
    return f'<div class="hints"><ul>{"".join(f"<li>{html.escape(x)}</li>" for x in advice)}</ul></div>'


def noise(tests: ResidualTests) -> str:
    """What the tests of the residuals said where nothing else is to be done."""
    if not tests.made:
        return "the residuals are too few or too small to be tested for noise"
    return "the residuals look like white noise, in time and from one visit to a coordinate to the next"


def drawings(fit: Fit, curve: TradeOff | None) -> Iterator[tuple]:
    """Headings, captions and figures that belong to a fit."""
    if isinstance(fit, SurfaceFit):
        yield "The motion", "White dots are where poses were measured.", figures.surface_figure(fit)
        yield "Residuals", "Each row of the input.", figures.residual_figure(fit)
        caption = "Where the margin falls to zero a freedom is lost; at ±90 deg the Euler angles are singular."
        yield "Rank and singularity", caption, figures.margin_figure(fit)
    elif isinstance(fit, CurveFit):
        yield "The motion", "Lines are the joint, dots the measured poses.", figures.motion_figure(fit)
        caption = "Open circles: leave-one-out, the distance of each pose from the fit without it."
        yield "Residuals", caption, figures.residual_figure(fit)
        caption = "The joint cannot be simulated where its speed is zero. A fixed screw axis has no curvature."
        yield "Speed and bending", caption, figures.bending_figure(fit)
        caption = "The instantaneous screw axis from the first coordinate (dark) to the last (light)."
        yield "Axode", caption, figures.axode_figure(fit)
    if curve is not None:
        caption = "Smoothing trades misfit for bending; the star has the least leave-one-out error."
        yield "How much smoothing", caption, figures.trade_off_figure(curve)


def facts(fit: Fit) -> list[tuple[str, str]]:
    """What to know, with units."""
    cause = "" if fit.rank.ok else ": " + fit.rank.cause
    angle, way = map(spread_of, fit.leave_one_out_errors)
    branches = fit.tests.branches
    rows = [
        ("poses used, given", f"{len(fit.data)}, {fit.data.count}"),
        ("rotation residual (rms, max)", f"{spread_of(fit.angle_errors)} deg"),
        ("position residual (rms, max)", f"{spread_of(fit.distance_errors)} mm"),
        ("leave-one-out error (rms, max)", f"{angle} deg; {way} mm"),
        ("leave-one-out error in the fit's metric (rms)", f"{fit.cross_validated:.3g}"),
        (
            "autocorrelation of the residuals in time (white noise)",
            f"{fit.tests.in_time:.2f} (< {fit.tests.limit:.2f})",
        ),
        (
            "branches at one coordinate",
            f"{branches.degrees:.3g} deg; {branches.millimeters:.3g} mm" if branches else "none",
        ),
        ("iterations", f"{fit.iterations}{'' if fit.converged else ', NOT converged'}"),
        ("size, order", f"{fit.size}, {fit.order}"),
        ("smoothing weight, bending", f"{fit.smoothing:.3g}, {fit.bending:.4g}"),
        ("outliers", f"{int(np.nansum(fit.trust < 0.1))}"),
        ("rank margin (least singular value)", f"{fit.rank.smallest:.3g}{cause}"),
    ]
    return rows + (surface_facts(fit) if isinstance(fit, SurfaceFit) else [])


def surface_facts(fit: SurfaceFit) -> list[tuple[str, str]]:
    """Only of surfaces."""
    return [
        ("control points without data", f"{len(fit.thin)}"),
        ("order of the turns", f"{fit.twists}: {fit.reason}"),
        ("least cosine of the second angle", f"{fit.singularity_margin:.3g}"),
    ]


def number_table(rows: list[tuple[str, str]]) -> str:
    """Two columns."""
    body = "".join(f"<tr><td>{html.escape(a)}</td><td>{html.escape(b)}</td></tr>" for a, b in rows)
    return f"<table>{body}</table>"


def pose_table(fit: Fit) -> str:
    """Every row of the input, folded away."""
    rows = zip(fit.angle_errors, fit.distance_errors, fit.trust, strict=True)
    body = "".join(
        f"<tr><td>{k}</td><td>{a:.4g}</td><td>{d:.4g}</td><td>{t:.2g}</td></tr>" for k, (a, d, t) in enumerate(rows)
    )
    head = "<tr><th>row</th><th>rotation [deg]</th><th>position [mm]</th><th>trust</th></tr>"
    return f"<details><summary>Every pose</summary><table>{head}{body}</table></details>"


def section(heading: str, caption: str, figure) -> str:
    """A heading, a figure inside the page and what it shows."""
    return picture_section(heading, caption, picture_of(figure))


def picture_of(figure) -> bytes:
    """A figure as the bytes of a PNG file."""
    buffer = BytesIO()
    write_figure(figure, buffer, 120)
    return buffer.getvalue()


def picture_section(heading: str, caption: str, picture: bytes) -> str:
    """A heading, a picture inside the page and what it shows."""
    image = base64.b64encode(picture).decode()
    return f'<h2>{heading}</h2><p>{caption}</p><img alt="{heading}" src="data:image/png;base64,{image}">'
