"""This checkout beside another one, for what an edit did to speed: `python -m benchmarks.beside OTHER_PYTHON`."""
