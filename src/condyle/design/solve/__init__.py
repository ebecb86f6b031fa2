"""How fits are minimised: damping, robust weights, cross-validation, banded systems."""
