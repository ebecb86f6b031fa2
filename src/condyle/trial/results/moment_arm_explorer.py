"""A part of a page in which moment arms are looked at over each coordinate, muscle by muscle."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np

from ...model import Model
from ...muscles import moment_arms, names
from .column_names import Column, columns

STEPS = 81  # of a coordinate over its range
WIDEST = np.pi  # of a coordinate that has no range, or a wider one [rad or m]
PART = """<h2>Moment arms over coordinates</h2>
<p>Each coordinate over its range, all others at the middle of the motion. Positive pulls towards larger values.</p>
<style>#arms {{ display: grid; grid-template-columns: 3fr 1fr; gap: .5rem 1rem }} #arms svg {{ width: 100% }}
#arms ul {{ list-style: none; margin: 0; padding: 0; max-height: 24rem; overflow: auto; font-size: .85rem }}
#arms text {{ font-size: 12px; fill: #52606d }} #arms output {{ color: #1f2933 }}</style>
<div id="arms"><div><label>coordinate <select></select></label> <output></output>
<svg viewBox="0 0 640 360" role="img" aria-label="moment arms"></svg></div><ul></ul></div>
<script type="application/json" id="arms-data">{data}</script><script>{code}</script>"""


def moment_arm_explorer(model: Model, q: np.ndarray, least: float) -> str:
    """The part as HTML, for coordinates about which an arm exceeds `least` [m], others as in the middle of q."""
    middle = q[len(q) // 2]
    each = zip(model.coordinates, columns(model), strict=True)
    found = [entry for entry in (_swept(model, middle, *one, least) for one in each) if entry["muscles"]]
    if not found:
        return ""
    data = json.dumps({"coordinates": found}).replace("<", "\\u003c")  # no name can end the script
    return PART.format(data=data, code=explorer_code())


def explorer_code() -> str:
    """The script of the part."""
    return files("condyle.trial").joinpath("moment_arm_explorer.js").read_text(encoding="utf-8")


def _swept(model: Model, middle: np.ndarray, coordinate: str, column: Column, least: float) -> dict:
    """Values of one coordinate and arms [mm] of the muscles that turn it."""
    low, high = np.clip(model.ranges.get(coordinate, (-WIDEST, WIDEST)), -WIDEST, WIDEST)
    x = np.linspace(low, high, STEPS)
    q = np.tile(middle, (STEPS, 1))
    q[:, column.q] = x
    arms = moment_arms(model, q, on_failure="nan")[:, :, column.v]
    used = [k for k in range(arms.shape[1]) if np.nanmax(np.abs(arms[:, k]), initial=0.0) > least]
    return {
        "name": column.name,
        "unit": column.unit,
        "x": np.round(np.degrees(x) if column.rotational else x, 4).tolist(),
        "muscles": [names(model)[k] for k in used],
        "arms": [np.round(1e3 * np.nan_to_num(arms[:, k]), 3).tolist() for k in used],
    }
