"""The same mechanism twice: as a condyle model through the public names, and as an oracle tree from definitions."""
