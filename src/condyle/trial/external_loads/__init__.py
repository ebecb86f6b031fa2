"""Forces on bodies from outside: force plates, ground reactions, and forces of a model that are left out."""
