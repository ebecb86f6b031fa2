"""Paths over the bodies of a model, and the constants of what runs along them."""
