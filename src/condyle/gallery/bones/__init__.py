"""Knees, a shoulder and a hand: measured or plausible joints of people."""
