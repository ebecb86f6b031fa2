"""Directing what nothing holds: contacts that carry a character."""
