"""Solvers of sparse nonlinear programs: IPOPT of CasADi, or SciPy's trust region where CasADi is not installed."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_matrix, triu

from ...errors import NotSupported, require, unknown_name
from ...progress import Report, silent
from .sparse_program import Program

STAGE = "iterations"  # of progress
SOLVERS = ("ipopt", "trust-constr")


class Answer(NamedTuple):
    """A point, multipliers of rows and of bounds, iterations, and what the solver says of it."""

    z: np.ndarray
    rows: np.ndarray
    bounds: np.ndarray
    iterations: int
    converged: bool
    words: str


class Pattern:
    """Where the numbers of a sparse matrix stand, column by column."""

    def __init__(self, matrix: Any) -> None:
        self.matrix: Any = csc_matrix(matrix)
        self.matrix.sort_indices()
        self.places = self._places(self.matrix)

    def sparsity(self, ca: Any) -> Any:
        """CasADi's form of it."""
        return ca.Sparsity(*self.matrix.shape, self.matrix.indptr.tolist(), self.matrix.indices.tolist())

    def numbers(self, matrix: Any) -> np.ndarray:
        """The numbers of a matrix that has none elsewhere, with zeros where it has none."""
        given = csc_matrix(matrix)
        out = np.zeros(len(self.places))
        out[np.searchsorted(self.places, self._places(given))] = given.data
        return out

    @staticmethod
    def _places(matrix: Any) -> np.ndarray:
        columns = np.repeat(np.arange(matrix.shape[1]), np.diff(matrix.indptr))
        return columns * matrix.shape[0] + matrix.indices


def solve(
    program: Program, z: np.ndarray, solver: str | None, tolerance: float, most: int, report: Report = silent
) -> Answer:
    """The least cost from a first guess z, by the solver of a name; by default the best that is installed."""
    has_ipopt = find_spec("casadi") is not None
    name = solver if solver is not None else "ipopt" if has_ipopt else "trust-constr"
    if name not in SOLVERS:
        raise unknown_name("solver", name, SOLVERS, "optimize")
    if name == "trust-constr":
        return _by_trust_region(program, z, tolerance, most, report)
    require(has_ipopt, "solver 'ipopt' needs CasADi: pip install 'condyle[optimal]'", NotSupported)
    return _by_ipopt(program, z, tolerance, most, report)


def _by_trust_region(program: Program, z: np.ndarray, tolerance: float, most: int, report: Report) -> Answer:
    from scipy.optimize import Bounds, NonlinearConstraint, minimize

    none = np.zeros(len(program.row_bounds[0]))

    def moved(z: np.ndarray, state: Any) -> bool:
        report(STAGE, int(state.nit), most)
        return False  # go on

    slopes: Any = {"jac": program.row_slopes, "hess": lambda z, y: program.curvature(z, 0.0, y)}
    rows, ends = NonlinearConstraint(program.rows, *program.row_bounds, **slopes), (program.low, program.high)
    found: Any = minimize(
        program.cost,
        z,
        jac=program.cost_slope,
        hess=lambda z: program.curvature(z, 1.0, none),
        bounds=Bounds(*ends),  # pyright: ignore[reportArgumentType]  # arrays are taken
        constraints=[rows],
        method="trust-constr",
        callback=moved,
        options={"gtol": tolerance, "xtol": 1e-14, "barrier_tol": tolerance, "maxiter": most},
    )
    bounds = found.v[1] if len(found.v) > 1 else np.zeros_like(z)
    return Answer(found.x, found.v[0], bounds, found.nit, found.status == 1, found.message)


def _by_ipopt(program: Program, z: np.ndarray, tolerance: float, most: int, report: Report) -> Answer:
    import casadi as ca  # pyright: ignore[reportMissingImports]

    x, p, f, g = (ca.Sparsity.dense(k, 1) for k in (len(z), 0, 1, len(program.row_bounds[0])))
    J, H = Pattern(program.row_pattern), Pattern(triu(program.curvature_pattern))
    done = count(1)

    def curvature(z: np.ndarray, cost: np.ndarray, y: np.ndarray) -> tuple[np.ndarray]:
        report(STAGE, min(next(done), most), most)  # once in an iteration
        return (H.numbers(triu(program.curvature(z, float(cost[0]), y))),)

    calls = {
        "nlp": (("x", "p"), (x, p), ("f", "g"), (f, g), lambda z: (program.cost(z), program.rows(z))),
        "grad_f": (("x", "p"), (x, p), ("f", "grad_f_x"), (f, x), lambda z: (program.cost(z), program.cost_slope(z))),
        "jac_g": (("x", "p"), (x, p), ("g", "jac_g_x"), (g, J.sparsity(ca)),
                  lambda z: (program.rows(z), J.numbers(program.row_slopes(z)))),
        "hess_lag": (("x", "p", "lam_f", "lam_g"), (x, p, f, g), ("triu_hess_gamma_x_x",), (H.sparsity(ca),),
                     curvature),
    }  # fmt: skip
    functions = {name: _callback(ca, name, *call) for name, call in calls.items()}
    options = {"tol": tolerance, "max_iter": most, "print_level": 0, "sb": "yes", "mu_strategy": "adaptive"}
    options |= {"constr_viol_tol": tolerance, "fixed_variable_treatment": "make_parameter"}
    nlp = functions.pop("nlp")
    run = ca.nlpsol("optimal", "ipopt", nlp, {**functions, "no_nlp_grad": True, "print_time": False, "ipopt": options})
    low, high = program.row_bounds
    found = run(x0=z, lbx=program.low, ubx=program.high, lbg=low, ubg=high)
    stats = run.stats()
    z, rows, bounds = (np.array(found[name]).ravel() for name in ("x", "lam_g", "lam_x"))
    return Answer(z, rows, bounds, int(stats["iter_count"]), bool(stats["success"]), str(stats["return_status"]))


def _callback(ca: Any, name: str, names_in, kinds_in, names_out, kinds_out, call) -> Any:
    """A function that CasADi calls; of its inputs the parameters, which are none, are left out."""

    class Called(ca.Callback):
        def __init__(self) -> None:
            ca.Callback.__init__(self)
            self.construct(name, {})

        def get_n_in(self) -> int:
            return len(names_in)

        def get_n_out(self) -> int:
            return len(names_out)

        def get_name_in(self, i: int) -> str:
            return names_in[i]

        def get_name_out(self, i: int) -> str:
            return names_out[i]

        def get_sparsity_in(self, i: int) -> Any:
            return kinds_in[i]

        def get_sparsity_out(self, i: int) -> Any:
            return kinds_out[i]

        def eval(self, arg: Any) -> Any:
            given = [np.array(x).ravel() for k, x in enumerate(arg) if names_in[k] != "p"]
            return [ca.DM(kind, x) for kind, x in zip(kinds_out, call(*given), strict=True)]

    return Called()
