"""Judges that share no code with condyle: joints, dynamics and constraints from their written definitions."""
