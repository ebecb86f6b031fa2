"""Dry friction of sliding joints: how large it is, and the phases of sliding and sticking."""
