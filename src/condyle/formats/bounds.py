"""Bounds of what condyle reads. A file beyond one of them is refused before it is read, and the error names the bound.

They are far above what people keep in files, and low enough that no file takes hours or all memory.
"""

from __future__ import annotations

FILE = 2**29  # [bytes] of a file that is read as a whole
KEYS = 500_000  # of a TOML file, about 20,000 bodies
VALUES = 5_000_000  # that a TOML file lists; arrays of over 200 numbers count as one
DEPTH = 100  # tables and lists within each other
INCLUDED = 8  # joint files that include joint files
JOINTS = 1_024  # joint files that one joint file includes in all
MEMBERS = 10_000  # arrays of an .npz file
DIRECTORY = 2**22  # [bytes] of an .npz file's table of contents
UNPACKED = 2**29  # [bytes] that the compressed arrays of an .npz file unpack to
MESH = 2**28  # [bytes] of a mesh file
TRIANGLES = 5_000_000  # of a mesh
PARTS = 5_000  # of a mesh, counted as often as they are shown
