"""Compiled rows of joints of any kind in maximal coordinates."""
