"""A triangle mesh of a bone or another shape: read, cut into parts, and checked before a joint is made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ....errors import BadFile, BadShape, BadValue, NotFinite, require, warn
from ....formats.meshes.triangles import read_triangles, write_stl
from ....spatial.arrays import finite_vector, real_numbers
from ....typing import ArrayLike, PathLike
from .mesh_checks import flat_triangles, hanging_triangles, require_sound

LARGE = 20.0  # [m] beyond this a shape may be in millimetres
MOST_PAIRS = 200  # by vertex: more that are near each other are no mistake of a file
SAME = 1e-9  # of the size: vertices nearer than this are one


@dataclass(frozen=True, eq=False, repr=False)
class Mesh:
    """Triangles in space [m]; `Surface.from_mesh` and `Curve.from_mesh` make smooth shapes of a part of one.

    Vertices at one place become one, as files of mere triangles (.stl) need it.

    Attributes
    ----------
    vertices : ndarray, shape (n, 3)
        [m]
    triangles : ndarray of int, shape (m, 3)
        Counterclockwise seen from outside.
    title : str
        For messages.

    Examples
    --------
    >>> import condyle as cd
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> cd.joints.Mesh(corners, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
    <mesh: 4 vertices, 4 triangles, 1 x 1 x 1 m>
    """

    vertices: np.ndarray
    triangles: np.ndarray
    title: str = "mesh"

    def __post_init__(self) -> None:
        vertices = real_numbers(self.vertices, f"{self.title}: the vertices")
        triangles = np.asarray(self.triangles)
        good = vertices.ndim == triangles.ndim == 2 and vertices.shape[1] == triangles.shape[1] == 3
        require(good, f"{self.title}: vertices need shape (n, 3), triangles (m, 3)", BadShape)
        require(len(triangles) > 0, f"{self.title}: it has no triangles", BadShape)
        bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
        require(len(bad) == 0, f"{self.title}: vertices must be finite", NotFinite, rows=bad[:5].tolist())
        whole = np.issubdtype(triangles.dtype, np.integer)
        inside = whole and triangles.min() >= 0 and triangles.max() < len(vertices)
        require(bool(inside), f"{self.title}: triangles are of vertices 0 … {len(vertices) - 1}", BadValue)
        vertices, triangles = merged(vertices, triangles, SAME * max(float(np.ptp(vertices, axis=0).max()), 1e-300))
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "triangles", triangles)
        if self.size > LARGE:
            warn(f"{self.title}: it is {self.size:.3g} m large. Are these millimetres? Give scale=0.001.")

    @classmethod
    def from_file(cls, path: PathLike, *, scale: float = 1.0) -> Mesh:
        """The triangles of a .stl, .obj, .ply, .vtp or .msh file.

        Parameters
        ----------
        path : path
        scale : float
            Metres per unit of the file: 0.001 for millimetres.

        Returns
        -------
        Mesh

        Raises
        ------
        BadFile
            If it cannot be read, or is of another kind.
        """
        scale = _above_zero(scale, "mesh: scale is metres per unit")
        vertices, triangles = read_triangles(Path(path))
        return cls(scale * vertices, triangles, Path(path).name)

    def save(self, path: PathLike, *, scale: float = 1.0) -> Path:
        """Write the triangles as a binary .stl file, with 7 digits.

        Parameters
        ----------
        path : path
            A .stl file.
        scale : float
            Metres per unit of the file: 0.001 for millimetres.

        Returns
        -------
        Path

        Raises
        ------
        BadFile, BadValue
            If it cannot be written, or has another suffix; for a scale that is no length.
        """
        path = Path(path)
        require(path.suffix.lower() == ".stl", f"{path}: a mesh is saved as a .stl file", BadFile)
        write_stl(self.vertices / _above_zero(scale, "mesh: scale is metres per unit"), self.triangles, path)
        return path

    @classmethod
    def from_grid(cls, points: ArrayLike, *, closed: tuple[bool, bool] = (False, False), title: str = "mesh") -> Mesh:
        """Two triangles for each cell of a grid of points; they face along ∂p/∂u × ∂p/∂v.

        Parameters
        ----------
        points : array_like, shape (n, m, 3)
            [m]
        closed : tuple of two bools
            Which way the last row is joined to the first.
        title : str
            For messages.

        Returns
        -------
        Mesh

        Raises
        ------
        BadShape
            For other shapes.
        """
        points = real_numbers(points, f"{title}: the points")
        good = points.ndim == 3 and points.shape[2] == 3 and min(points.shape[:2]) >= 2
        require(good, f"{title}: a grid of points needs shape (n, m, 3)", BadShape, shape=points.shape)
        expected = f"{title}: closed is two of True and False, one for each way of the grid"
        require(np.shape(closed) == (2,), expected, BadValue, closed=closed)
        n, m = points.shape[:2]
        i, j = np.meshgrid(np.arange(n - (not closed[0])), np.arange(m - (not closed[1])), indexing="ij")
        a, b, c, d = ((x % n * m + y % m).ravel() for x, y in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
        triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
        return cls(points.reshape(-1, 3), triangles, title)

    @property
    def size(self) -> float:
        """The largest extent along x, y or z [m]."""
        return float(np.ptp(self.vertices, axis=0).max())

    @property
    def corners(self) -> np.ndarray:
        """(m, 3, 3): the three points of each triangle [m]."""
        return self.vertices[self.triangles]

    @property
    def area_vectors(self) -> np.ndarray:
        """(m, 3): outward normals of the triangles times their areas [m²]."""
        p = self.corners
        return 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])

    @property
    def edge_length(self) -> float:
        """The mean length of the triangles' sides [m]."""
        p = self.corners
        return float(np.linalg.norm(p - np.roll(p, 1, axis=1), axis=2).mean())

    def part(self, triangles: ArrayLike) -> Mesh:
        """Some of the triangles as a mesh.

        Parameters
        ----------
        triangles : array_like
            Their numbers, or True and False for each.

        Returns
        -------
        Mesh

        Raises
        ------
        BadShape
            If none is left.
        BadValue
            For numbers of no triangle.
        """
        chosen, count = np.asarray(triangles), len(self.triangles)
        require(chosen.size > 0, f"{self.title}: no triangle is left in this part", BadShape)
        whole = chosen.ndim == 1 and np.issubdtype(chosen.dtype, np.integer)
        good = chosen.shape == (count,) if chosen.dtype == bool else whole and 0 <= chosen.min() <= chosen.max() < count
        expected = f"{self.title}: a part is numbers of triangles, 0 … {count - 1}, or True or False for each"
        require(bool(good), expected, BadValue, shape=chosen.shape, dtype=str(chosen.dtype))
        kept = self.triangles[chosen]
        require(len(kept) > 0, f"{self.title}: no triangle is left in this part", BadShape)
        used, numbers = np.unique(kept, return_inverse=True)
        return replace(self, vertices=self.vertices[used], triangles=numbers.reshape(-1, 3))

    def near(self, point: ArrayLike, radius: float) -> Mesh:
        """The triangles whose corners are all within a radius of a point, but those that then hang on a vertex only.

        Parameters
        ----------
        point : array_like, shape (3,)
            [m]
        radius : float
            [m]

        Returns
        -------
        Mesh

        Raises
        ------
        BadShape
            If there is none.
        """
        point, radius = finite_vector(point, 3, "mesh: the point"), _above_zero(radius, "mesh: the radius is a length")
        return self.part((np.linalg.norm(self.corners - point, axis=2) < radius).all(axis=1)).without_hanging()

    def facing(self, direction: ArrayLike, within: float = np.radians(60.0)) -> Mesh:
        """The triangles whose normals are within an angle [rad] of a direction, but those that hang on a vertex only.

        Parameters
        ----------
        direction : array_like, shape (3,)
        within : float
            [rad]

        Returns
        -------
        Mesh

        Raises
        ------
        BadShape
            If there is none.
        """
        d = finite_vector(direction, 3, "mesh: the direction")
        require(bool(np.linalg.norm(d) > 0), "mesh: the direction must not vanish", BadValue)
        n = self.area_vectors
        chosen = n @ (d / np.linalg.norm(d)) > np.cos(float(within)) * np.linalg.norm(n, axis=1)
        return self.part(chosen).without_hanging()

    def distances(self, point: ArrayLike, normal: ArrayLike) -> np.ndarray:
        """How far the vertices are above a plane, for `Curve.from_mesh`.

        Parameters
        ----------
        point : array_like, shape (3,)
            Of the plane [m].
        normal : array_like, shape (3,)

        Returns
        -------
        ndarray, shape (n,)
            [m]

        Raises
        ------
        BadValue
            If the normal vanishes.
        """
        point, n = (finite_vector(x, 3, f"mesh: the {what}") for x, what in ((point, "point"), (normal, "normal")))
        require(bool(np.linalg.norm(n) > 0), "mesh: the normal of a plane must not vanish", BadValue)
        return (self.vertices - point) @ (n / np.linalg.norm(n))

    def cleaned(self, nearest: float = 1e-6) -> Mesh:
        """The mesh with vertices nearer than that made one, without triangles that have no area or occur again.

        Parameters
        ----------
        nearest : float
            [m]

        Returns
        -------
        Mesh
        """
        nearest = _above_zero(nearest, "mesh: nearest is a length") if nearest != 0.0 else 0.0
        vertices, triangles = merged(self.vertices, self.triangles, nearest)
        mesh = replace(self, vertices=vertices, triangles=triangles)
        first = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)[1]
        return mesh.part(first[~flat_triangles(mesh)[first]])

    def without_hanging(self) -> Mesh:
        """The mesh without pieces that touch a larger piece at vertices only, as damage and cuts leave them."""
        return self.part(~hanging_triangles(self))

    def require_surface(self, around: ArrayLike | None = None) -> None:
        """Raise for the first place where the triangles are no surface.

        That is a triangle without area, an edge of three triangles, neighbours that face opposite sides, or a piece
        that hangs on another by a vertex only.

        Parameters
        ----------
        around : array_like of int, optional
            Numbers of vertices: only triangles with a corner there are looked at. All by default.

        Raises
        ------
        BadValue
            With the triangle and its place.
        """
        if around is None:
            return require_sound(self, np.ones(len(self.triangles), bool))
        chosen = np.asarray(around)
        return require_sound(self, np.asarray(np.isin(self.triangles, chosen).any(axis=1)), chosen)

    def __repr__(self) -> str:
        extent = " x ".join(f"{x:.3g}" for x in np.ptp(self.vertices, axis=0))
        return f"<{self.title}: {len(self.vertices)} vertices, {len(self.triangles)} triangles, {extent} m>"


def _above_zero(x: float, expected: str) -> float:
    """A finite number above zero, or BadValue."""
    try:
        number = float(x)
    except (TypeError, ValueError):
        raise BadValue(f"{expected}, a number above zero; got {x!r}") from None
    require(0.0 < number < np.inf, f"{expected}, a number above zero", BadValue, number=number)
    return number


def merged(vertices: np.ndarray, triangles: np.ndarray, nearest: float) -> tuple[np.ndarray, np.ndarray]:
    """Vertices nearer than that as one, which stays where the first was; those of no triangle are left out."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import KDTree  # slow to load

    at, place = places(vertices)
    tree, n = KDTree(vertices[at]), len(at)
    count = (int(tree.count_neighbors(tree, nearest)) - n) // 2
    words = "mesh: far too many vertices are that near to each other; a length well below that of edges is meant"
    require(count <= MOST_PAIRS * n, words, BadValue, nearest=nearest, pairs=count, vertices=n)
    pairs = tree.query_pairs(nearest, output_type="ndarray")
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    group = connected_components(links, directed=False)[1]
    first = at[np.unique(group, return_index=True)[1]]
    used, numbers = np.unique(group[place][triangles], return_inverse=True)
    return vertices[first[used]], numbers.reshape(-1, 3)


def places(vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first vertex at each place, rising, and which of these each vertex is at exactly."""
    _, first, same = np.unique(vertices, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[same.ravel()]
