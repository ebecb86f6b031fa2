"""Models of any joints in maximal coordinates."""
