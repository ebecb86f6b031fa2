"""One page about a trial: what was found, how well it fits, pictures, and what was assumed."""

from __future__ import annotations

import html

import numpy as np

from ...design.report.html_report import number_table, page_of, picture_section
from ..inverse_dynamics import Dynamics
from ..inverse_kinematics import Kinematics
from .trial_figures import TrialFigure

LARGE_ERROR, LARGE_RMS = 0.04, 0.02  # [m]: what is commonly asked of markers
LARGE_FORCE, LARGE_MOMENT = 0.05, 0.01  # of the peak external force, and of that times the height of the centre of mass


def report_page(
    title: str,
    kinematics: Kinematics | None,
    dynamics: Dynamics | None,
    notes: tuple[str, ...],
    figures: list[TrialFigure],
) -> str:
    """The page as HTML, with its figures inside."""
    body = [
        _lead(kinematics, dynamics),
        _hints(advice(kinematics, dynamics)),
        number_table(facts(kinematics, dynamics)),
    ]
    body += [picture_section(f.heading, html.escape(f.caption), f.picture) for f in figures]
    body += [_marker_table(kinematics), _residual_table(dynamics), _assumptions(notes)]
    return page_of(title, "\n".join(filter(None, body)))


def _lead(kinematics: Kinematics | None, dynamics: Dynamics | None) -> str:
    sentences = [html.escape(str(x)) for x in (kinematics, dynamics) if x is not None]
    return f'<p class="lead">{". ".join(sentences)}.</p>'


def advice(kinematics: Kinematics | None, dynamics: Dynamics | None) -> list[str]:
    """What to look at before the results are used."""
    said = []
    if kinematics is not None:
        said += _marker_advice(kinematics)
    if dynamics is not None:
        said += _residual_advice(dynamics)
    return said


def _marker_advice(found: Kinematics) -> list[str]:
    said, errors = [], found.errors
    mean, most = float(np.sqrt(np.nanmean(errors**2))), float(np.nanmax(errors))
    if mean > LARGE_RMS or most > LARGE_ERROR:
        worst = found.markers[int(np.nanargmax(np.nanmax(np.nan_to_num(errors), axis=0)))]
        said.append(
            f"Markers are off by {1e3 * mean:.3g} mm (root mean square) and {1e3 * most:.3g} mm at most ({worst}); 20 "
            "and 40 mm are commonly asked. Look at how the model was scaled and its markers placed."
        )
    if not found.stationary.all():
        said.append(f"{int((~found.stationary).sum())} frames did not converge.")
    missing = ~np.isfinite(errors)
    if missing.any():
        names = [found.markers[k] for k in np.flatnonzero(missing.any(axis=0))[:8]]
        said.append(f"Some markers were not seen in {int(missing.any(axis=1).sum())} frames: {', '.join(names)}.")
    return said


def _residual_advice(found: Dynamics) -> list[str]:
    if not found.residuals:
        return []
    if not found.external_forces:
        return ["There are no external forces: the residuals carry the body."]
    peak = max(float(np.linalg.norm(f, axis=1).max()) for f in found.external_forces.values())
    up = int(np.argmax(np.abs(found.model.gravity)))
    height = float(np.abs(found.center_of_mass[:, up]).mean())
    bounds = {"N": LARGE_FORCE * peak, "N m": LARGE_MOMENT * peak * height}
    large = [f"{r.name} {r.largest:.3g} {r.unit}" for r in found.residuals if r.largest > bounds[r.unit]]
    if not large:
        return []
    return [
        f"Residuals above what is commonly asked ({bounds['N']:.3g} N, {bounds['N m']:.3g} N m): {', '.join(large)}. "
        "They come from noise in the motion, ends of the recording, masses, or forces on the wrong foot."
    ]


def _hints(said: list[str]) -> str:
    if not said:
        return '<div class="hints fine">Errors of markers and residuals are within what is commonly asked.</div>'
    return f'<div class="hints"><ul>{"".join(f"<li>{html.escape(x)}</li>" for x in said)}</ul></div>'


def facts(kinematics: Kinematics | None, dynamics: Dynamics | None) -> list[tuple[str, str]]:
    """What to know, with units."""
    rows: list[tuple[str, str]] = []
    if kinematics is not None:
        t, errors = kinematics.times, 1e3 * kinematics.errors
        rows += [
            ("frames, time", f"{len(t)}, {t[0]:.4g} to {t[-1]:.4g} s"),
            ("markers followed", f"{len(kinematics.markers)}"),
            ("marker error (rms, largest)", f"{np.sqrt(np.nanmean(errors**2)):.3g}, {np.nanmax(errors):.3g} mm"),
            ("frames that converged", f"{int(kinematics.stationary.sum())} of {len(t)}"),
        ]  # fmt: skip
    if dynamics is not None:
        rows += [
            ("mass", f"{dynamics.mass:.4g} kg"),
            ("cutoff of the low-pass filter", "none" if dynamics.cutoff is None else f"{dynamics.cutoff:g} Hz"),
            ("external forces", ", ".join(dynamics.external_forces) or "none"),
        ]
    return rows


def _marker_table(found: Kinematics | None) -> str:
    """Every marker, folded away."""
    if found is None:
        return ""
    rows = []
    for k, name in enumerate(found.markers):
        errors = 1e3 * found.errors[:, k]
        seen = np.isfinite(errors)
        numbers = (np.sqrt(np.mean(errors[seen] ** 2)), errors[seen].max()) if seen.any() else (np.nan, np.nan)
        cells = (f"{found.weights[k]:g}", f"{numbers[0]:.3g}", f"{numbers[1]:.3g}", f"{int(seen.sum())}")
        rows.append(f"<tr><td>{html.escape(name)}</td>{''.join(f'<td>{c}</td>' for c in cells)}</tr>")
    head = "<tr><th>marker</th><th>weight</th><th>rms [mm]</th><th>largest [mm]</th><th>frames</th></tr>"
    return f"<details><summary>Every marker</summary><table>{head}{''.join(rows)}</table></details>"


def _residual_table(found: Dynamics | None) -> str:
    if found is None or not found.residuals:
        return ""
    rows = "".join(
        f"<tr><td>{html.escape(r.name)}</td><td>{r.rms:.3g}</td><td>{r.largest:.3g}</td><td>{r.unit}</td></tr>"
        for r in found.residuals
    )
    head = "<tr><th>residual</th><th>rms</th><th>largest</th><th>unit</th></tr>"
    return f"<details><summary>Every residual</summary><table>{head}{rows}</table></details>"


def _assumptions(notes: tuple[str, ...]) -> str:
    items = "".join(f"<li>{html.escape(note)}</li>" for note in dict.fromkeys(notes))
    return f"<h2>What was assumed</h2><ul>{items}</ul>" if items else ""
