"""One file for each law: its constants, force, energy and, if it has them in closed form, slopes."""
