"""`python -m benchmarks.design [scale walks smoothing recovery measured charts]`: what fitting claims, measured.

Each part prints a table, keeps it in benchmarks/results/design.json and writes its section of docs/fitting-results.md;
sections of parts that are not run stay as they are. `scale` draws benchmarks/results/design_scale.png.
"""

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # figures are per core; set before numpy is imported
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))  # the noisy knees and random walks of the tests

from . import charts, measured, recovery, scale, smoothing, store, walks

PARTS = {part.__name__.split(".")[-1]: part for part in (scale, walks, smoothing, recovery, measured, charts)}


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.design", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="default: all")
    for name in parser.parse_args().parts or PARTS:
        found = PARTS[name].run()
        if found is None:
            print(f"{name}: not run, its data are not here")
            continue
        store.show(found)
        store.keep(name, found)
        store.write_page({name: found})


if __name__ == "__main__":
    main()
