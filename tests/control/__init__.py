"""Tests of directing motion."""
