"""Native calls for one state and for a few, which the functions of `dynamics` try first."""
