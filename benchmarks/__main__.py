"""`python -m benchmarks [a b …]`: all rows, or only those named; results in benchmarks/results/bench.json."""

import argparse
import os

os.environ["CONDYLE_THREADS"] = "1"  # figures are per core; set before condyle is imported
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from rich.progress import track

from . import rows, table


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("keys", nargs="*", choices=[*rows.ALL, []], help="rows to measure (default: all)")
    keys = parser.parse_args().keys or list(rows.ALL)
    about = table.machine()
    results = [row for key in track(keys, "measuring") for row in rows.measure(key)]
    table.show(results, about)
    table.store(results, about)


main()
