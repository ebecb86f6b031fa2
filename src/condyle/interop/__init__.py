"""condyle's functions inside other packages, each module with an extra of its own."""
