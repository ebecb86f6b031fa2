"""Compiled functions of one state that look at their arguments themselves."""
