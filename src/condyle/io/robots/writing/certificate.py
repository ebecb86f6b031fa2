"""What a written file has of a model: exact joints, approximated ones with their errors, and what it leaves out."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path

from ....formats.safe_files import write_text
from ...opensim.writing.approximation import Approximation
from .other_engine import Swing

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>body {{ font: 16px system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #223; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: .3rem .7rem; border-bottom: 1px solid #ccd; text-align: right; }}
th:first-child, td:first-child {{ text-align: left; }}</style></head><body><h1>{title}</h1>{body}</body></html>
"""
HEADS = ("joint", "written as", "of", "from", "to", "mm", "degrees", "mm per unit", "degrees per unit")


@dataclass(frozen=True)
class Certificate:
    """How a written file compares with the model.

    Attributes
    ----------
    file : str
    exact : tuple of str
        Joints that the format can express: the same to round-off.
    approximations : tuple of Approximation
        Joints that it cannot express, with the largest errors of poses and of their slopes.
    left_out : tuple of str
        What the file does not have.
    swing : Swing or None
        How the file moves in the engine that it is for, beside the model; None if it was not tried.
    missing : tuple of str
        What of `left_out` moves or holds the model.
    """

    file: str
    exact: tuple[str, ...]
    approximations: tuple[Approximation, ...]
    left_out: tuple[str, ...]
    swing: Swing | None = None
    missing: tuple[str, ...] = ()

    @property
    def same_mechanism(self) -> bool:
        """Whether the file moves as the model does: nothing is approximated, and nothing that acts is missing."""
        return not self.approximations and not self.missing

    @property
    def verdict(self) -> str:
        """In a sentence, whether the file is the same mechanism as the model, and if not, why."""
        if self.same_mechanism:
            return f"{self.file} is the same mechanism as the model."
        near = [f"{len(self.approximations)} approximated ({', '.join(a.joint for a in self.approximations)})"]
        why = (near if self.approximations else []) + [f"missing: {x}" for x in self.missing]
        return f"{self.file} is not the same mechanism as the model: {'; '.join(why)}."

    def __str__(self) -> str:
        lines = [self.verdict, f"exact: {', '.join(self.exact) or 'none'}", *map(str, self.approximations)]
        lines += [] if self.swing is None else [str(self.swing)]
        return "\n".join([*lines, f"not in the file: {', '.join(self.left_out) or 'nothing'}"])

    def as_json(self) -> str:
        """All of it as JSON.

        Returns
        -------
        str
        """
        told = {"verdict": self.verdict, "same_mechanism": self.same_mechanism} | asdict(self)
        return json.dumps(told, indent=1, ensure_ascii=False)

    def as_page(self) -> str:
        """All of it as an HTML page.

        Returns
        -------
        str
        """
        rows = "".join(_row(a) for a in self.approximations)
        head = "".join(f"<th>{h}</th>" for h in HEADS)
        table = f"<h2>Approximated</h2><table><tr>{head}</tr>{rows}</table>" if rows else ""
        left = "".join(f"<li>{escape(x)}</li>" for x in self.left_out)
        body = f"<p><strong>{escape(self.verdict)}</strong></p>"
        body += f"<p>{len(self.exact)} joints are exact: {escape(', '.join(self.exact)) or 'none'}.</p>{table}"
        body += _swing(self.swing)
        body += f"<h2>Not in the file</h2><ul>{left}</ul>" if left else "<p>Nothing is left out.</p>"
        return PAGE.format(title=f"Certificate of {escape(self.file)}", body=body)

    def save(self, path: Path) -> tuple[Path, Path]:
        """Write the JSON and the page beside a file.

        Parameters
        ----------
        path : Path
            The file that was written.

        Returns
        -------
        tuple of two Path
        """
        files = path.with_suffix(".certificate.json"), path.with_suffix(".certificate.html")
        for file, text in zip(files, (self.as_json(), self.as_page()), strict=True):
            write_text(file, text)
        return files


def _row(a: Approximation) -> str:
    low, high = a.range
    numbers = (low, high, a.millimeters, a.degrees, a.millimeter_slope, a.degree_slope)
    cells = (escape(a.joint), escape(a.form or "splines"), escape(a.coordinate), *(f"{x:.3g}" for x in numbers))
    return "<tr>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>"


def _swing(swing: Swing | None) -> str:
    """What the page says of a swing."""
    if swing is None:
        return ""
    head = "<tr><th>s</th><th>mm</th><th>degrees</th></tr>"
    lines = zip(swing.times, swing.millimeters, swing.degrees, strict=True)
    rows = "".join(f"<tr><td>{t:.3g}</td><td>{x:.3g}</td><td>{y:.3g}</td></tr>" for t, x, y in lines)
    table = f"<p>Largest distances of bodies:</p><table>{head}{rows}</table>" if rows else ""
    return f"<h2>In the other engine</h2><p>The file was {escape(str(swing))}.</p>{table}"
