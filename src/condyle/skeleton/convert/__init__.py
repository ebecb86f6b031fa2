"""Skeletons to and from models in minimal coordinates."""
