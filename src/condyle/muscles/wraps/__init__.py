"""Surfaces that paths wrap over."""
