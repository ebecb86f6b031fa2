"""The figure of a conservation report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..report import Report

__all__ = ["report_figure"]


def report_figure(report: Report, path=None, title: str | None = None):
    """Four panels: momenta, energy and work, gaps, the changes on a logarithmic scale."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    momenta, energies, gaps, changes = figure.subplots(2, 2).ravel()
    t = report.t
    for k, axis in enumerate("xyz"):
        momenta.plot(t, report.linear_momentum[..., k], label=f"linear {axis}")
        momenta.plot(t, report.angular_momentum[..., k], "--", label=f"angular {axis}")
    energies.plot(t, report.energy, label="energy")
    energies.plot(t, report.work, label="work put in")
    _logarithmic(gaps, t, {"joint gap [m]": report.gap, "axis error [rad]": report.axis_error})
    balance = report.energy - report.work
    _logarithmic(
        changes,
        t,
        {
            "linear momentum": np.linalg.norm(report.linear_momentum - report.linear_momentum[:1], axis=-1),
            "angular momentum": np.linalg.norm(report.angular_momentum - report.angular_momentum[:1], axis=-1),
            "energy less work": np.abs(balance - balance[:1]),
        },
    )
    titles = "momentum [N s, N m s]", "energy [J]", "joints", "changes since the start"
    for panel, words in zip((momenta, energies, gaps, changes), titles, strict=True):
        panel.set(title=words, xlabel="time [s]")
        panel.legend(fontsize="x-small")
    if title:
        figure.suptitle(title)
    if path is not None:
        figure.savefig(path, dpi=120)
    return figure


def _logarithmic(panel, t, lines) -> None:
    """Histories of small numbers; zeros are drawn at the round-off of 1."""
    for label, values in lines.items():
        panel.semilogy(t, np.maximum(values, 1e-17), label=label)
