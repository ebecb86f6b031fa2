"""Energies and forces of one law at many readings."""

from ...forces.kernels.dispatch import (
    coordinate_energy,
    coordinate_force,
    gap_energy,
    line_energy,
    line_force,
    turns_energy,
)
from ...model.kernels.records import pair_at
from ...numeric import entry, inlined, kernel, tables
from .pair_forces import Frame, pair_wrench


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


@entry
def law_forces(z, reading, law, n, x, out):
    """OUT (count) of readings X (count, 2) of a coordinate (0) or a line (1), and their rates."""
    for i in range(len(out)):
        if reading == 0:
            out[i] = coordinate_force(z, law, n, 0, z + x[i, 0], z + x[i, 1])
        else:
            out[i] = line_force(z, law, n, 0, z + x[i, 0], z + x[i, 1])


@inlined
def frame_of(x, i, k):
    """The frame in a row of numbers: rotation, origin, the body's origin and its velocities there."""
    R = (
        x[i, k],
        x[i, k + 1],
        x[i, k + 2],
        x[i, k + 3],
        x[i, k + 4],
        x[i, k + 5],
        x[i, k + 6],
        x[i, k + 7],
        x[i, k + 8],
    )
    place, home = (x[i, k + 9], x[i, k + 10], x[i, k + 11]), (x[i, k + 12], x[i, k + 13], x[i, k + 14])
    return Frame(R, place, home, (x[i, k + 15], x[i, k + 16], x[i, k + 17]), (x[i, k + 18], x[i, k + 19], x[i, k + 20]))


@entry
def pair_forces(z, pair, number, x, out):
    """OUT (count, 9): place, force and moment on body b, by rows of both frames (count, 42) of one force."""
    t = tables(pair)
    element = pair_at(t, number)
    for i in range(len(out)):
        w = pair_wrench(z, t, element, frame_of(x, i, 0), frame_of(x, i, 21))
        for k in range(3):
            out[i, k], out[i, k + 3], out[i, k + 6] = w.place[k], w.force[k], w.moment[k]
