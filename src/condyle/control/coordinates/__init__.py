"""The kinds of coordinates of an animation space, and their derivatives."""
