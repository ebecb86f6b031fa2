"""A run that was recorded to a folder, or is being recorded: read from there as it is needed.

Each chunk is one .npy file (coordinates and velocities, members, records), mapped into memory and not read: the numbers
of one coordinate stand together in it, so that reading one touches no page of the others. Plain .npy files need no
library beyond numpy, can be mapped, and are whole or absent.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import BadFile, NotSupported, amount, require
from ...formats.record_folder import RecordFolder, is_whole_number, naming
from ...model import Model
from ...model.model_batch import ModelBatch
from ...typing import PathLike
from ..events import Outside, Stopped, by_member, described_stops
from ..schedule import require_memory
from ..trajectory import Trajectory
from .on_disk import FINISHED, OnDisk

if TYPE_CHECKING:
    import xarray

PARAMETERS = "parameters.npz"
EXTRA = "needs xarray, dask and zarr: pip install 'condyle[records]'"


class RecordedRun(OnDisk, Trajectory):  # pyright: ignore[reportIncompatibleVariableOverride]  # t is read
    """A trajectory on disk: what is asked for is read when it is asked for.

    It shows the records that were there when it was opened; open it again to see those that came since. `run["knee"]`
    reads one coordinate and nothing else; `run.part(start, stop)` some records of all; `q` and `v` everything, if there
    is memory for it. Records end where all members have stopped.

    Attributes
    ----------
    model : Model
    folder : Path
    finished : bool
        Whether the run reached its end; `stopped` and `outside` are known from then on.
    batch : tuple of int
        () for a single member.
    records : int
        How many there are.
    t : ndarray, shape (T,)
        [s]
    q : ndarray, shape (..., T, nq)
        Coordinates [rad, m].
    v : ndarray, shape (..., T, nv)
        Velocities [rad/s, m/s].
    stopped : Stopped, None or ndarray of them
    outside : tuple of Outside
    beyond_range : tuple of Outside
    members : ModelBatch or None
    """

    def __init__(self, model: Model, records: RecordFolder) -> None:
        object.__setattr__(self, "model", model)
        nq, nv = (records.value(name, is_whole_number, "a whole number") for name in ("nq", "nv"))
        own, words = (model.nq, model.nv), f"{records.path}: its records are not of the model"
        require((nq, nv) == own, words, BadFile, folder=(nq, nv), model=own)
        self._open(records, nq + nv)

    def __getitem__(self, coordinate: str) -> np.ndarray:
        """A coordinate over time (..., T), by name; no other is read."""
        if not isinstance(coordinate, str):
            self._refuse(coordinate)
        return self._chunks.row(self.model.q_index(coordinate))

    @cached_property
    def members(self) -> ModelBatch | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Models of the members, where parameters were given for them."""
        path = self.folder / PARAMETERS
        if not path.is_file():
            return None
        with naming(path, "its parameters cannot be read"):
            return ModelBatch(self.model, self._folder.read_arrays(PARAMETERS))

    def velocity(self, coordinate: str) -> np.ndarray:
        """The velocity of a coordinate over time, by name; no other is read.

        Parameters
        ----------
        coordinate : str

        Returns
        -------
        ndarray, shape (..., T)
            [rad/s or m/s]
        """
        return self._chunks.row(self.model.nq + self.model.v_index(coordinate))

    def part(self, start: int = 0, stop: int | None = None) -> Trajectory:
        """Some records of all coordinates, in memory.

        Parameters
        ----------
        start, stop : int, optional
            The first record and the one after the last.

        Returns
        -------
        Trajectory

        Raises
        ------
        BadValue
            If there is not enough memory for them.
        """
        start, stop, _ = slice(start, stop).indices(self.records)
        count = int(np.prod(self.batch, dtype=int))
        require_memory(count, max(0, stop - start), self.model.nq + self.model.nv)
        x, times = self._chunks.part(start, stop), self._plan.record_times(start, max(start, stop))
        return Trajectory(
            self.model,
            times,
            x[..., : self.model.nq],
            x[..., self.model.nq :],
            self.stopped,
            self.outside,
            self.members,
        )

    @cached_property
    def _whole(self) -> Trajectory:
        return self.part()

    @property
    def q(self) -> np.ndarray:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Coordinates (..., T, nq) of all records."""
        return self._whole.q

    @property
    def v(self) -> np.ndarray:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Velocities (..., T, nv) of all records."""
        return self._whole.v

    @cached_property
    def _end(self) -> dict[str, Any]:
        return {"stopped": [], "outside": [], "beyond_range": [], **read_end(self._folder)}

    @cached_property
    def stopped(self) -> Stopped | np.ndarray | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Why a run ended before its time; an object array of shape (...) for a batch."""
        stops: list[Stopped | None] = [None] * int(np.prod(self.batch, dtype=int))
        with naming(self.folder / FINISHED, "its stops cannot be read"):
            for s in self._end["stopped"]:
                stops[s["member"]] = Stopped(s["time"], s["reason"], np.array(s["q"]), np.array(s["v"]))
        return by_member(stops, self.batch)  # type: ignore[return-value]

    @property
    def outside(self) -> tuple[Outside, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Coordinates that left the domains of their joints."""
        with naming(self.folder / FINISHED, "its exits cannot be read"):
            return tuple(read_exit(x) for x in self._end["outside"])

    @property
    def beyond_range(self) -> tuple[Outside, ...]:
        """Coordinates that left the ranges set for them."""
        with naming(self.folder / FINISHED, "its exits cannot be read"):
            return tuple(read_exit(x) for x in self._end["beyond_range"])

    def to_xarray(self) -> xarray.Dataset:
        """All coordinates and velocities by name, over members and time, read when they are computed with.

        Returns
        -------
        xarray.Dataset
            Variables are the coordinates, and `velocity of …` for each; those of a quaternion have its number after
            them, `hip[0]` … Dimensions are `member` (`member_0` … for a batch of several axes) and `t` [s].

        Raises
        ------
        NotSupported
            If xarray or dask is not installed (the extra `records`).
        """
        try:
            import dask.array
            import xarray
        except ImportError as error:
            raise NotSupported(f"to_xarray {EXTRA} ({error.name} is missing)") from None
        parts = [self._chunks.mapped(c) for c in self._chunks.numbers]
        require(parts, f"{self.folder}: there are no records yet", BadFile)
        shape: Any = (1, -1, -1)  # one coordinate at a time
        x = dask.array.concatenate([dask.array.from_array(part, chunks=shape) for part in parts], axis=2)
        x = x.reshape(len(x), *self.batch, x.shape[2])
        axes = [f"member_{i}" if len(self.batch) > 1 else "member" for i in range(len(self.batch))]
        rows = zip(_labels(self.model), x, strict=True)
        return xarray.Dataset({name: ([*axes, "t"], row) for name, row in rows}, {"t": ("t", self.t)})

    def to_zarr(self, path: PathLike) -> Path:
        """Write all records to a zarr store that other programs read, chunk by chunk.

        Parameters
        ----------
        path : str or Path
            A folder that does not exist yet.

        Returns
        -------
        Path

        Raises
        ------
        BadFile
            If there is something at that place.
        NotSupported
            If xarray, dask or zarr is not installed (the extra `records`).
        """
        path = Path(path)
        require(not path.exists(), f"{path}: there is something already; choose another name", BadFile)
        try:
            import zarr as _  # noqa: F401
        except ImportError:
            raise NotSupported(f"to_zarr {EXTRA} (zarr is missing)") from None
        data = self.to_xarray()
        data.chunk({"t": max(self._chunks.lengths)}).to_zarr(path, zarr_format=2, consolidated=True)
        return path

    def __repr__(self) -> str:
        batch = f"{'x'.join(map(str, self.batch))} members, " if self.batch else ""
        state = "finished" if self.finished else "not finished"
        stopped = f", {described_stops(self.stopped)}" if described_stops(self.stopped) else ""
        return (
            f"<RecordedRun in {self.folder}: {state}{stopped}, {batch}{amount(self.records, 'record')}, {self.model!r}>"
        )


def read_end(records: RecordFolder) -> dict[str, Any]:
    """What a run says of its end; nothing while it goes on."""
    return records.read_json(FINISHED) if (records.path / FINISHED).is_file() else {}


def _labels(model: Model) -> list[str]:
    """Names of all numbers of a state, coordinates first."""
    named = list(zip(model.coordinates, model.coordinate_places, strict=True))
    widths = [(name, *place.widths) for name, place in named]
    of_q = [name if n == 1 else f"{name}[{k}]" for name, n, _ in widths for k in range(n)]
    of_v = [name if n == 1 else f"{name}[{k}]" for name, _, n in widths for k in range(n)]
    return [*of_q, *(f"velocity of {name}" for name in of_v)]


def written_exit(x: Outside) -> dict[str, Any]:
    """An exit as JSON has it."""
    return {"coordinate": x.coordinate, "time": x.time, "reached": x.reached, "domain": list(x.domain)}


def read_exit(x: dict[str, Any]) -> Outside:
    """An exit from JSON."""
    return Outside(x["coordinate"], x["time"], x["reached"], (x["domain"][0], x["domain"][1]))
