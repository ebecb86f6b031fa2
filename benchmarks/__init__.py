"""condyle against other engines, measured side by side in one run: `python -m benchmarks`."""
