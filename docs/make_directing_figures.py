"""The figures of directing.md: `python docs/make_directing_figures.py [name …]` from the root of the repository.

Each is the chart that `condyle demo NAME` leaves; the cost is drawn by `python -m benchmarks.control`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.demos.charts import written
from condyle.demos.directing import SHOWN

FIGURES = Path(__file__).parent / "figures"

if __name__ == "__main__":
    for name in sys.argv[1:] or SHOWN:
        print(written(SHOWN[name]().chart, FIGURES / f"directing_{name.replace('-', '_')}.png"))
