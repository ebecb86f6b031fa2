"""Models written as .osim files."""
