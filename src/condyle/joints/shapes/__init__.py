"""Shapes that joints glide on: curves and surfaces, whatever they were given as."""
