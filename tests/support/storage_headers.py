"""Headers of STO and MOT files, and whether OpenSim 4.6 takes their angles for degrees (`Storage.isInDegrees`)."""

BODY = "time\ta\tb\n0\t10\t20\n1\t30\t40\n"
COUNTS = "nRows=2\nnColumns=3\n"
SIMM = "name n\ndatacolumns 3\ndatarows 2\notherdata 1\nrange 0 1\n"

DEGREES = [
    ("x.mot", f"n\nversion=1\n{COUNTS}inDegrees=yes\n", True),
    ("x.mot", f"n\nversion=1\n{COUNTS}inDegrees=no\n", False),
    ("x.mot", f"n\nversion=1\n{COUNTS}inDegrees = Y\n", True),
    ("x.mot", f"n\n{COUNTS}inDegrees=yes\n", True),
    ("x.sto", f"n\n{COUNTS}inDegrees=yes\n", True),
    ("x.sto", f"n\n{COUNTS}inDegrees=no\n", False),
    ("x.sto", "n\nDataType=double\nversion=3\nOpenSimVersion=4.5\ninDegrees=yes\n", True),
]
# None: radians that the file does not state
SILENT = [
    ("x.mot", SIMM, True),
    ("x.mot", f"n\n{COUNTS}\n# SIMM Motion File Header:\n{SIMM}", True),
    ("x.MOT", f"n\n{COUNTS}", True),
    ("x.mot", f"n\nversion=0\n{COUNTS}", True),
    ("x.mot", f"n\n{COUNTS}inDegrees=no\n", True),
    ("x.mot", f"n\nversion=1\n{COUNTS}", None),
    ("x.mot", f"n\nversion=1\n{COUNTS}{SIMM}", None),
]
