"""Energies of one law at many readings."""

from ...forces.kernels.dispatch import coordinate_energy, gap_energy, line_energy, turns_energy
from ...numeric import entry, kernel


@kernel
def law_energy(z, reading, law, n, x, i):
    """The energy at row i of the readings: 0 a coordinate, 1 a line, 2 turns and shifts, 3 a gap."""
    if reading == 0:
        return coordinate_energy(z, law, n, 0, z + x[i, 0])
    if reading == 1:
        return line_energy(z, law, n, 0, z + x[i, 0])
    if reading == 2:
        return turns_energy(z, law, n, 0, (x[i, 0], x[i, 1], x[i, 2]), (x[i, 3], x[i, 4], x[i, 5]))
    return gap_energy(z, law, n, 0, z + x[i, 0], z + x[i, 1])


@entry
def law_energies(z, reading, law, n, x, out):
    """OUT (count) of readings X (count, …) by the constants n of a law."""
    for i in range(len(out)):
        out[i] = law_energy(z, reading, law, n, x, i)
