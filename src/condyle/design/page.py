"""One self-contained HTML page about a fit: numbers a person can act on, figures, every pose."""

from __future__ import annotations

import base64
import html
from io import BytesIO
from pathlib import Path

import numpy as np

from ..errors import BadFile
from . import figures
from .compared import TradeOff
from .curve_result import CurveFit
from .surface_result import SurfaceFit

__all__ = ["report", "require_new"]

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222 }}
table {{ border-collapse: collapse }}
td, th {{ padding: .15rem .8rem; border-bottom: 1px solid #ddd; text-align: right }}
th:first-child, td:first-child {{ text-align: left }} img {{ max-width: 100% }}
</style></head><body><h1>{title}</h1>{body}</body></html>"""


def report(
    fit: CurveFit | SurfaceFit, path=None, *, title: str = "A fitted joint", curve: TradeOff | None = None, force=False
) -> str:
    """The page as text, written to `path` if one is given; `curve` adds the smoothing trade-off."""
    if path is not None:
        require_new(path, force)
    parts = [number_table(facts(fit)), *(picture(f) for f in drawings(fit, curve)), pose_table(fit)]
    page = PAGE.format(title=html.escape(title), body="\n".join(parts))
    if path is not None:
        Path(path).write_text(page, encoding="utf-8")
    return page


def require_new(path, force: bool = False) -> None:
    """A file that exists is not written over unasked."""
    if Path(path).exists() and not force:
        raise BadFile(f"{path} exists already; choose another name, or say force (--force) to replace it.")


def drawings(fit: CurveFit | SurfaceFit, curve: TradeOff | None):
    """The figures that belong to a fit."""
    if isinstance(fit, SurfaceFit):
        return [figures.surface_figure(fit), figures.residual_figure(fit)]
    drawn = [figures.motion_figure(fit), figures.residual_figure(fit), figures.bending_figure(fit)]
    drawn.append(figures.axode_figure(fit))
    return drawn + ([figures.trade_off_figure(curve)] if curve is not None else [])


def facts(fit: CurveFit | SurfaceFit) -> list[tuple[str, str]]:
    """What to know, with units."""
    a, d = fit.angle_errors, fit.distance_errors
    rows = [
        ("poses used, given", f"{len(fit.data)}, {fit.data.count}"),
        ("rotation left over: rms, largest", f"{root_mean_square(a):.3g}, {largest(a):.3g} deg"),
        ("position left over: rms, largest", f"{root_mean_square(d):.3g}, {largest(d):.3g} mm"),
        ("iterations", f"{fit.iterations}{'' if fit.converged else ', NOT converged'}"),
        (
            "rank margin (least singular value)",
            f"{fit.rank.smallest:.3g}{'' if fit.rank.ok else ': ' + fit.rank.cause}",
        ),
    ]
    return rows + (surface_facts(fit) if isinstance(fit, SurfaceFit) else curve_facts(fit))


def curve_facts(fit: CurveFit) -> list[tuple[str, str]]:
    """Only of curves."""
    return [
        ("control frames, order", f"{len(fit.frames)}, {fit.order}"),
        ("smoothing weight", f"{fit.smoothing:.3g}"),
        (f"bending ({fit.problem.penalty})", f"{fit.bending:.4g}"),
        ("cross-validated error (in the fit's metric)", f"{fit.cross_validated:.3g}"),
        ("poses taken for outliers", f"{int(np.nansum(fit.trust < 0.1))}"),
    ]


def surface_facts(fit: SurfaceFit) -> list[tuple[str, str]]:
    """Only of surfaces."""
    return [
        ("control points, order", f"{' × '.join(map(str, fit.controls.shape[:-1]))}, {fit.order}"),
        ("control points without data", f"{len(fit.thin)}"),
        ("least cosine of the second angle", f"{fit.singularity_margin:.3g}"),
    ]


def root_mean_square(x: np.ndarray) -> float:
    """Of what was measured."""
    return float(np.sqrt(np.nanmean(x**2))) if np.isfinite(x).any() else np.nan


def largest(x: np.ndarray) -> float:
    """Of what was measured."""
    return float(np.nanmax(x)) if np.isfinite(x).any() else np.nan


def number_table(rows: list[tuple[str, str]]) -> str:
    """Two columns."""
    return (
        "<table>"
        + "".join(f"<tr><td>{html.escape(a)}</td><td>{html.escape(b)}</td></tr>" for a, b in rows)
        + "</table>"
    )


def pose_table(fit: CurveFit | SurfaceFit) -> str:
    """Every row of the input, folded away."""
    rows = zip(fit.angle_errors, fit.distance_errors, strict=True)
    body = "".join(f"<tr><td>{k}</td><td>{a:.4g}</td><td>{d:.4g}</td></tr>" for k, (a, d) in enumerate(rows))
    head = "<tr><th>row</th><th>rotation [deg]</th><th>position [mm]</th></tr>"
    return f"<details><summary>every pose</summary><table>{head}{body}</table></details>"


def picture(figure) -> str:
    """A figure inside the page."""
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    return f'<p><img alt="figure" src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"></p>'
