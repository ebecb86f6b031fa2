"""An arm from measurements."""
