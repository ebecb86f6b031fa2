"""What an ensemble gives back: outputs of all members, who failed, and what is computed from that."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import BadShape, BadValue, NotSupported, amount, require, unknown_name
from ..plots import draw_chart
from ..typing import ArrayLike, PathLike
from .designs import Design
from .member_work import Done

if TYPE_CHECKING:
    import xarray


class Summary(NamedTuple):
    """Statistics of an output over the members that went well.

    Attributes
    ----------
    members : int
        How many went well.
    mean, std, low, median, high : ndarray
        Shape of the output; `std` of the sample, `low` and `high` the quantiles 0.05 and 0.95.
    """

    members: int
    mean: np.ndarray
    std: np.ndarray
    low: np.ndarray
    median: np.ndarray
    high: np.ndarray


class Effect(NamedTuple):
    """What a parameter does to an output: its mean where the parameter is low, and where it is high.

    Attributes
    ----------
    name : str
        Of the parameter.
    low, high : float
        Means of the output over the members with the lowest and the highest fifth of the parameter.
    """

    name: str
    low: float
    high: float


class Sensitivity(NamedTuple):
    """Sobol indices of an output: which share of its variance a parameter explains.

    Attributes
    ----------
    names : tuple of str
        Parameters.
    first_order : ndarray, shape (parameters,)
        By itself.
    total_order : ndarray, shape (parameters,)
        With all that it does together with others.
    """

    names: tuple[str, ...]
    first_order: np.ndarray
    total_order: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """Outputs of all members; NaN where a member failed or has not run.

    Attributes
    ----------
    design : Design
    outputs : dict of str to ndarray
        Name → (members, shape of the output).
    failed : dict of int to str
        Members that failed twice, and why.
    missing : tuple of int
        Members that have not run.
    folder : Path or None
        Where it is recorded.
    t : ndarray, shape (T,), or None
        Times of the records of a model [s]; None for a function.
    """

    design: Design
    outputs: dict[str, np.ndarray]
    failed: dict[int, str]
    missing: tuple[int, ...] = ()
    folder: Path | None = None
    t: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.design)

    def __getitem__(self, output: str) -> np.ndarray:
        """An output of all members (members, …), by name."""
        if output not in self.outputs:
            raise unknown_name("output", output, self.outputs, "this ensemble")
        return self.outputs[output]

    @property
    def good(self) -> np.ndarray:
        """Which members went well (members,)."""
        well = np.ones(len(self), bool)
        well[[*self.failed, *self.missing]] = False
        return well

    def summary(self, output: str) -> Summary:
        """Statistics of an output over the members that went well.

        Parameters
        ----------
        output : str

        Returns
        -------
        Summary

        Raises
        ------
        BadValue
            If no member went well.
        """
        x = self._well(output)
        low, median, high = np.quantile(x, [0.05, 0.5, 0.95], axis=0)
        std = x.std(axis=0, ddof=1) if len(x) > 1 else np.zeros(x.shape[1:])
        return Summary(len(x), x.mean(axis=0), std, low, median, high)

    def quantiles(self, output: str, levels: ArrayLike = (0.05, 0.25, 0.5, 0.75, 0.95)) -> np.ndarray:
        """Quantiles of an output over the members that went well.

        Parameters
        ----------
        output : str
        levels : sequence of float, optional
            From 0 to 1.

        Returns
        -------
        ndarray, shape (levels, shape of the output)

        Raises
        ------
        BadValue
            If no member went well.
        """
        return np.quantile(self._well(output), np.asarray(levels, float), axis=0)

    def _well(self, output: str) -> np.ndarray:
        x = self[output][self.good]
        require(len(x) > 0, f"no member of the ensemble went well, so {output!r} has no statistics", BadValue)
        return x

    def sobol_indices(self, output: str) -> Sensitivity:
        """Which share of an output's variance each parameter explains, for a design made by `sensitivity`.

        Parameters
        ----------
        output : str
            One number per member.

        Returns
        -------
        Sensitivity

        Raises
        ------
        NotSupported
            If the design is another, or members failed.
        BadShape
            If the output is not one number per member.
        """
        from scipy.stats import sobol_indices

        words = "Sobol indices need a design made by cd.ensembles.sensitivity"
        require(self.design.kind == "sensitivity", words, NotSupported, kind=self.design.kind)
        require(self.good.all(), "Sobol indices need all members", NotSupported, without=int((~self.good).sum()))
        x, d = self[output], len(self.design.names)
        require(
            x.ndim == 1, f"Sobol indices are of one number per member; {output!r} has more", BadShape, shape=x.shape
        )
        require(np.ptp(x) > 0.0, f"{output!r} is the same in all members: no parameter explains anything", BadValue)
        rows = (x - x.mean()).reshape(d + 2, -1)
        parts = {"f_A": rows[:1], "f_B": rows[1:2], "f_AB": rows[2:, None]}
        found = sobol_indices(func=parts, n=rows.shape[1])
        return Sensitivity(self.design.names, np.ravel(found.first_order), np.ravel(found.total_order))

    def tornado(self, output: str) -> list[Effect]:
        """What an output is on average where a parameter is low (its lowest fifth) and high; the largest effect first.

        Parameters
        ----------
        output : str
            One number per member.

        Returns
        -------
        list of Effect
            Of the parameters that are one number per member and vary.

        Raises
        ------
        BadShape
            If the output is not one number per member.
        """
        x = self._well(output)
        words = f"a tornado is of one number per member; {output!r} has more"
        require(x.ndim == 1, words, BadShape, shape=self[output].shape)
        effects = []
        for name, values in self.design.values.items():
            if values.ndim == 1 and np.ptp(values[self.good]) > 0.0:
                p = values[self.good]
                low, high = np.quantile(p, [0.2, 0.8])
                effects.append(Effect(name, float(x[p <= low].mean()), float(x[p >= high].mean())))
        return sorted(effects, key=lambda e: -abs(e.high - e.low))

    def plot(self, output: str, path: PathLike | None = None, *, t: ArrayLike | None = None, y: str = "") -> Any:
        """A figure of an output: for curves the median with bands of quantiles, for numbers their spread and a tornado.

        Parameters
        ----------
        output : str
        path : str or Path, optional
            The file to write.
        t : array_like, shape (T,), optional
            Times [s] of a curve; by default those of the records of a model, else their numbers.
        y : str, optional
            What the output is, with its unit.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        BadShape
            If the output is neither a number nor a curve per member.
        """
        from .ensemble_figures import panels_of

        return draw_chart(panels_of(self, output, t, y), path)

    def to_xarray(self) -> xarray.Dataset:
        """Outputs and parameters by name, over members.

        Returns
        -------
        xarray.Dataset

        Raises
        ------
        NotSupported
            If xarray is not installed (the extra `records`).
        """
        try:
            import xarray
        except ImportError:
            raise NotSupported("to_xarray needs xarray: pip install 'condyle[records]'") from None
        tables = [("parameter ", self.design.values), ("", self.outputs)]
        named = {head + name: x for head, table in tables for name, x in table.items()}
        return xarray.Dataset({n: (["member", *(f"{n} {k}" for k in range(1, x.ndim))], x) for n, x in named.items()})

    def report(self, path: PathLike | None = None, *, title: str = "An ensemble", t: ArrayLike | None = None) -> str:
        """One page about the ensemble: what varied, statistics, bands and sensitivities, who failed.

        Parameters
        ----------
        path : str or Path, optional
            The file to write.
        title : str, optional
        t : array_like, shape (T,), optional
            Times [s] of outputs that are curves, as `plot` takes them.

        Returns
        -------
        str
            The page as HTML.
        """
        from .ensemble_report import report

        return report(self, path, title, t)

    def __repr__(self) -> str:
        lost = f", {len(self.failed)} failed" if self.failed else ""
        lost += f", {len(self.missing)} not run" if self.missing else ""
        return f"<Ensemble: {amount(len(self), 'member')}{lost}, outputs {', '.join(self.outputs)}, {self.design!r}>"


def assembled(design: Design, done: Done, folder: Path | None = None, t: np.ndarray | None = None) -> Ensemble:
    """Arrays over all members. The first member that went well says which outputs there are and their shapes."""
    failed, outputs = dict(done.failed), {}
    first = min(done.outputs, default=None)
    if first is not None:
        outputs = {name: np.full((len(design), *x.shape), np.nan) for name, x in done.outputs[first].items()}
    for i, found in done.outputs.items():
        expected = {name: x.shape[1:] for name, x in outputs.items()}
        got = {name: x.shape for name, x in found.items()}
        if got != expected:
            failed[i] = f"its outputs {got} are not like those of member {first}, {expected}"
            continue
        for name, x in found.items():
            outputs[name][i] = x
    missing = tuple(i for i in range(len(design)) if i not in done.outputs and i not in failed)
    return Ensemble(design, outputs, dict(sorted(failed.items())), missing, folder, t)
