"""Rows of animation spaces in compiled code."""
