"""The same polynomial on other triangles: parts of a patch, splits in three and in four, and a higher degree."""

from __future__ import annotations

import numpy as np

from .triangle import blossom, degree_of, index_rows, multi_indices, step

U, V, W = np.eye(3)


def restricted(net: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The net of the same polynomial over another triangle: its control points are b(r^i, s^j, t^k).

    Parameters
    ----------
    net : ndarray, shape (..., N, d)
        Control points in the order of `multi_indices`.
    corners : ndarray, shape (3, 3)
        Barycentric coordinates of the corners r, s, t, one a row.

    Returns
    -------
    ndarray, shape (..., N, d)
    """
    r, s, t = np.asarray(corners, float)
    degree = degree_of(np.shape(net)[-2])
    return np.stack([blossom(net, [r] * i + [s] * j + [t] * k) for i, j, k in multi_indices(degree).tolist()], axis=-2)


def split_in_three(net: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nets of (u, v, at), (u, at, w) and (at, v, w) from one run of de Casteljau's pyramid.

    Parameters
    ----------
    net : ndarray, shape (..., N, d)
        Control points in the order of `multi_indices`.
    at : ndarray, shape (3,)
        Barycentric coordinates.

    Returns
    -------
    three ndarrays, shape (..., N, d)
    """
    degree = degree_of(np.shape(net)[-2])
    levels = [np.asarray(net, float)]
    for _ in range(degree):
        levels.append(step(levels[-1], at))
    faces = [index_rows(degree - l) for l in range(degree + 1)]
    rows = multi_indices(degree).tolist()
    uva = np.stack([levels[k][..., faces[k][i, j, 0], :] for i, j, k in rows], axis=-2)
    uaw = np.stack([levels[j][..., faces[j][i, 0, k], :] for i, j, k in rows], axis=-2)
    avw = np.stack([levels[i][..., faces[i][0, j, k], :] for i, j, k in rows], axis=-2)
    return uva, uaw, avw


def split_in_four(net: np.ndarray) -> tuple[np.ndarray, ...]:
    """Nets of (u, r, t), (r, v, s), (t, s, w) and (s, t, r), with r, s, t the middles of uv, vw and uw; by blossoms.

    Parameters
    ----------
    net : ndarray, shape (..., N, d)
        Control points in the order of `multi_indices`.

    Returns
    -------
    four ndarrays, shape (..., N, d)
    """
    r, s, t = (U + V) / 2, (V + W) / 2, (U + W) / 2
    return tuple(restricted(net, np.array(c)) for c in ((U, r, t), (r, V, s), (t, s, W), (s, t, r)))


def split_in_four_by_steps(net: np.ndarray) -> tuple[np.ndarray, ...]:
    """The same four nets from four runs of de Casteljau. [TolaniBadlerGallier2000, appendix, "uvs" read as rvs]"""
    uvs, usw, _ = split_in_three(net, (V + W) / 2)
    _, urs, rvs = split_in_three(uvs, (U + V) / 2)
    _, _, tsw = split_in_three(usw, (U + W) / 2)
    urt, _, trs = split_in_three(urs, np.array([1.0, -1.0, 1.0]))  # t = u − r + s
    return urt, rvs, tsw, _turned(trs, (2, 0, 1))


def _turned(net: np.ndarray, order: tuple[int, int, int]) -> np.ndarray:
    """The same patch with its corners named in another order: new corner c is old corner order[c]."""
    degree = degree_of(np.shape(net)[-2])
    rows = multi_indices(degree)
    at = index_rows(degree)
    inverse = np.argsort(order)
    return np.asarray(net)[..., [at[tuple(m)] for m in rows[:, inverse].tolist()], :]


def elevated(net: np.ndarray) -> np.ndarray:
    """The same triangle written with one degree more.

    Parameters
    ----------
    net : ndarray, shape (..., N, d)
        Control points in the order of `multi_indices`.

    Returns
    -------
    ndarray, shape (..., N', d)
    """
    net = np.asarray(net, float)
    degree = degree_of(net.shape[-2])
    at = index_rows(degree)
    out = np.zeros((*net.shape[:-2], (degree + 2) * (degree + 3) // 2, net.shape[-1]))
    for row, m in enumerate(multi_indices(degree + 1).tolist()):
        for corner in range(3):
            lower = tuple(m[c] - (c == corner) for c in range(3))
            if m[corner]:
                out[..., row, :] += m[corner] / (degree + 1) * net[..., at[lower], :]
    return out
