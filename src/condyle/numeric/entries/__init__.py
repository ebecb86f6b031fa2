"""How Python finds and calls machine code: just compiled, kept from an earlier run, or carried by the package."""
