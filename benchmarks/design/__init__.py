"""What fitting claims, measured."""
