"""Runs that are recorded to a folder while they run, and read from there."""
