"""Judges of the arm that share no code with it."""

from math import factorial
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial.transform import Rotation

# R_a by hand: z towards (1, 1, −0.6), the middle of the reach; x level, to the side and back; y = z × x
REST = np.transpose([np.divide([1, -1, 0], 2**0.5), np.divide([-0.6, -0.6, -2], 4.72**0.5),
                     np.divide([1, 1, -0.6], 2.36**0.5)])  # fmt: skip


def chain(lengths, angles):
    """Shoulder, elbow, wrist, hand of the written skeleton, with scipy's rotations.

    R_z R_y, link along x, R_a R_x R_y R_z, link along z, R_y, link along z, R_x R_y R_z.
    """
    a = angles
    clavicle = Rotation.from_euler("ZY", a[:2]).as_matrix()
    upper = clavicle @ REST @ Rotation.from_euler("XYZ", a[2:5]).as_matrix()
    fore = upper @ Rotation.from_euler("Y", a[5]).as_matrix()
    s = clavicle @ [lengths[0], 0, 0]
    e = s + upper @ [0, 0, lengths[1]]
    return s, e, e + fore @ [0, 0, lengths[2]], fore @ Rotation.from_euler("XYZ", a[6:]).as_matrix()


def geodesic(A, B):
    """The angle [rad] between rotations."""
    return np.linalg.norm(Rotation.from_matrix(np.swapaxes(A, -2, -1) @ B).as_rotvec(), axis=-1)


def feasible_postures(arm, count, seed=0):
    """Random postures inside all limits, the elbow where samples were taken."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(-0.85, 0.85, (6 * count, 2))
    places = places[arm.surface.complex.locate(places)[1].min(axis=1) > 0.02]
    places = (places if arm.region is None else places[covered(arm.region, places)])[:count]
    low, high = arm.limits.rows.T
    wrist = rng.uniform(0.95 * low[1:], 0.95 * high[1:], (count, 3))
    flexion = rng.uniform(0.15, 0.95 * high[0], count)
    return postures(arm, places, rng.uniform(0.02, 0.98, count), flexion, wrist)


def covered(region, at):
    """Whether domain points (n, 2) are in a triangle between samples, by barycentrics."""
    corners = region.places[region.triangles]
    frames = np.linalg.inv(np.concatenate([corners, np.ones((len(corners), 3, 1))], axis=2).transpose(0, 2, 1))
    weights = np.einsum("tij,nj->tni", frames, np.column_stack([at, np.ones(len(at))]))
    return (weights.min(axis=-1) >= 0).any(axis=0)


class Made(NamedTuple):
    """Postures: nine angles, places of the joints [m], rotations of the hand, and what they were made of."""

    angles: np.ndarray
    shoulder: np.ndarray
    elbow: np.ndarray
    wrist: np.ndarray
    hand: np.ndarray
    place: np.ndarray
    twist: np.ndarray


def postures(arm, places, twist, flexion, wrist):
    """Postures at places (n, 2) of the surface, with shares of the range of twist.  [TolaniBadlerGallier2000, 4.1]

    x̂(α) turns about ẑ from the projection of the low wrist to that of the high one; the clavicle points at the shoulder
    (eq. 7), and the shoulder's angles are those of R_2 = (R_1 R_a)⁻¹ [x̂, ẑ × x̂, ẑ] (eq. 8).
    """
    n, patches = len(places), arm.surface.complex.locate(places)[0]
    bary = [barycentrics(arm, patch, at[None])[0] for patch, at in zip(patches, places, strict=True)]
    flexion, wrist = np.broadcast_to(flexion, n), np.broadcast_to(wrist, (n, 3))
    angles = [
        np.concatenate([shoulder_angles(arm, patch, b, share), [bend], hand])
        for patch, b, share, bend, hand in zip(patches, bary, twist, flexion, wrist, strict=True)
    ]
    parts = [np.array(x) for x in zip(*(chain(arm.lengths, a) for a in angles), strict=True)]
    return Made(np.array(angles), *parts, places, twist)


def shoulder_angles(arm, patch, bary, share):
    """θ₁ … θ₅ at one place of a patch."""
    s, e, low, high = channels(arm, patch, bary[None])[0].reshape(4, 3)
    rigid = arm.lengths.clavicle * s / np.linalg.norm(s)
    z = (e - rigid) / np.linalg.norm(e - rigid)
    first, last = ((x - e) - ((x - e) @ z) * z for x in (low, high))
    x = first / np.linalg.norm(first)
    span = np.arctan2(np.cross(x, last) @ z, x @ last) % (2 * np.pi)
    x = Rotation.from_rotvec(share * span * z).apply(x)
    clavicle = np.array([np.arctan2(s[1], s[0]), -np.arcsin(s[2] / np.linalg.norm(s))])
    before = Rotation.from_euler("ZY", clavicle).as_matrix() @ REST
    R2 = before.T @ np.column_stack([x, np.cross(z, x), z])
    return np.append(clavicle, Rotation.from_matrix(R2).as_euler("XYZ"))


def elbows_on_rays(arm, place, goal, rays=120):
    """Places (rays, 2) round `place`, which is nearer, where the elbow is a forearm from the goal; None at the rim."""
    angle = np.linspace(0, 2 * np.pi, rays, endpoint=False)
    ray = np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def beyond(reach):
        off = np.linalg.norm(arm.rigid_elbow(place + reach[:, None] * ray) - goal, axis=1)
        return off > arm.lengths.forearm

    low, high = np.zeros(rays), np.zeros(rays)
    for reach in np.linspace(0.0, 0.3, 61)[1:]:
        if (high > 0).all():
            break
        out = beyond(np.full(rays, reach))
        high[out & (high == 0)] = reach
        low[high == 0] = reach
    if (high == 0).any() or arm.surface.complex.locate(place + high[:, None] * ray)[1].min() < 0:
        return None
    for _ in range(30):
        middle = (low + high) / 2
        out = beyond(middle)
        low, high = np.where(out, low, middle), np.where(out, middle, high)
    return place + ((low + high) / 2)[:, None] * ray


def nearest_hand(arm, places, goal, axis, steps=41):
    """The least angle [rad] between an axis and the hand's z, at elbow places inside the range of twist, of a lattice
    of wrist angles inside their limits.
    """
    e, s, limits = arm.rigid_elbow(places), arm.rigid_shoulder(places), arm.limits.rows
    z, f = (e - s) / arm.lengths.upper_arm, (goal - e) / arm.lengths.forearm
    side = f - np.einsum("ni,ni->n", f, z)[:, None] * z
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    middle, low, high = (arm.surface.evaluate(places)[:, 3 * k : 3 * k + 3] for k in (1, 2, 3))
    turn = [_turn_about(z, low - middle, x) for x in (side, high - middle)]
    y = np.cross(z, side)
    frame = np.stack([np.cross(y, f), y, f], axis=-1)[turn[0] <= turn[1]]
    a, b = np.meshgrid(*(np.linspace(low, high, steps) for low, high in limits[1:3]))
    tips = np.stack([np.sin(b), -np.sin(a) * np.cos(b), np.cos(a) * np.cos(b)]).reshape(3, -1)
    return float(np.arccos(np.clip((axis @ frame @ tips).max(initial=-1.0), -1, 1)))


def nearest_hand_of_twists(arm, place, axis, twists=400):
    """The least angle [rad] between an axis and the z of a straight arm's hand: all twists in their range, a lattice of
    wrist angles inside their limits.
    """
    made = postures(arm, np.tile(place, (twists, 1)), np.linspace(0, 1, twists), 0.0, (0.0, 0.0, 0.0))
    a, b = np.meshgrid(*(np.linspace(low, high, 41) for low, high in arm.limits.rows[1:3]))
    tips = np.stack([np.sin(b), -np.sin(a) * np.cos(b), np.cos(a) * np.cos(b)]).reshape(3, -1)
    return float(np.arccos(np.clip((axis @ made.hand @ tips).max(), -1, 1)))


def _turn_about(axis, a, b):
    """The angle in [0, 2π) from a to b about unit axes (n, 3)."""
    across = np.einsum("ni,ni->n", a, axis)
    return np.arctan2(np.einsum("ni,ni->n", axis, np.cross(a, b)),
                      np.einsum("ni,ni->n", a, b) - across * np.einsum("ni,ni->n", b, axis)) % (2 * np.pi)  # fmt: skip


class Mesh(NamedTuple):
    """Triangles between elbows: domain places (V, 2), elbows (V, 3), corners (F, 3), edges (E, 2) and those of each."""

    at: np.ndarray
    elbow: np.ndarray
    corners: np.ndarray
    edges: np.ndarray
    sides: np.ndarray


def channels(arm, patch, bary):
    """Shoulder, elbow, low and high wrist (n, 12) at barycentrics (n, 3): Σ n!/(i!j!k!) u^i v^j w^k b_ijk."""
    n = arm.surface.complex.degree
    powers = [(i, j, n - i - j) for i in range(n, -1, -1) for j in range(n - i, -1, -1)]
    weights = [factorial(n) / (factorial(i) * factorial(j) * factorial(k)) * bary[:, 0]**i * bary[:, 1]**j
               * bary[:, 2]**k for i, j, k in powers]  # fmt: skip
    return np.array(weights).T @ arm.surface.net(patch)


def elbows(arm, patch, bary):
    """Rigid elbows (n, 3) at barycentrics (n, 3) of a patch."""
    value = channels(arm, patch, bary)[:, :6]
    s = arm.lengths.clavicle * value[:, :3] / np.linalg.norm(value[:, :3], axis=1, keepdims=True)
    z = value[:, 3:] - s
    return s + arm.lengths.upper_arm * z / np.linalg.norm(z, axis=1, keepdims=True)


def lattice(side):
    """Barycentrics of a triangle's lattice, and its small triangles."""
    rows = [(i, j) for i in range(side + 1) for j in range(side + 1 - i)]
    number = {pair: n for n, pair in enumerate(rows)}
    up = [(number[i, j], number[i + 1, j], number[i, j + 1]) for i, j in rows if i + j < side]
    down = [(number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]) for i, j in rows if i + j < side - 1]
    ij = np.array(rows) / side
    return np.column_stack([1 - ij.sum(axis=1), ij]), np.array(up + down)


def welded(at, elbow, corners):
    """A mesh with vertices at one place made one."""
    x, y = np.round(at / 1e-8).astype(np.int64).T
    _, first, inverse = np.unique(x * 4_000_000_000 + y, return_index=True, return_inverse=True)
    corners = inverse[corners]
    pairs = np.sort(np.stack([corners, np.roll(corners, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    edges, sides = np.unique(pairs[:, 0] * len(first) + pairs[:, 1], return_inverse=True)
    edges = np.stack([edges // len(first), edges % len(first)], axis=1)
    return Mesh(at[first], elbow[first], corners, edges, sides.reshape(-1, 3))


def brute_mesh(arm, side=64):
    """The elbow surface as a fine mesh."""
    places = arm.surface.complex.vertices[arm.surface.complex.triangles]
    bary, small = lattice(side)
    at = np.concatenate([bary @ corners for corners in places])
    elbow = np.concatenate([elbows(arm, p, bary) for p in range(len(places))])
    return welded(at, elbow, np.concatenate([small + p * len(bary) for p in range(len(places))]))


def refined_mesh(arm, mesh, goal, radius, side=12):
    """The part of a mesh that a sphere may cross, each triangle cut in side² more."""
    off = np.abs(np.linalg.norm(mesh.elbow - goal, axis=1) - radius)[mesh.corners]
    long = np.linalg.norm(mesh.elbow[mesh.corners] - mesh.elbow[np.roll(mesh.corners, 1, axis=1)], axis=2).max(axis=1)
    chosen = np.flatnonzero(off.min(axis=1) < long)
    bary, small = lattice(side)
    at = np.einsum("bc,fcx->fbx", bary, mesh.at[mesh.corners[chosen]])
    patches, elbow = arm.surface.complex.locate(at.mean(axis=1))[0], np.zeros((*at.shape[:2], 3))
    for p in np.unique(patches):
        here = at[patches == p]
        elbow[patches == p] = elbows(arm, p, barycentrics(arm, p, here.reshape(-1, 2))).reshape(*here.shape[:2], 3)
    corners = (small[None] + len(bary) * np.arange(len(chosen))[:, None, None]).reshape(-1, 3)
    return welded(at.reshape(-1, 2), elbow.reshape(-1, 3), corners)


def barycentrics(arm, patch, at):
    """Barycentrics of domain places in a patch, by a linear system."""
    corners = arm.surface.complex.vertices[arm.surface.complex.triangles[patch]]
    return np.linalg.solve(np.vstack([corners.T, np.ones(3)]), np.column_stack([at, np.ones(len(at))]).T).T


def pieces(mesh, goal, radius):
    """Places (n, 2) where a sphere crosses the edges of a mesh, and the connected piece that each is in."""
    F = ((mesh.elbow - goal) ** 2).sum(axis=1) - radius**2
    below = F < 0
    crossed = np.flatnonzero(below[mesh.edges[:, 0]] != below[mesh.edges[:, 1]])
    if not len(crossed):
        return np.zeros((0, 2)), np.zeros(0, int)
    number = np.full(len(mesh.edges), -1)
    number[crossed] = np.arange(len(crossed))
    a, b = mesh.edges[crossed].T
    share = (F[a] / (F[a] - F[b]))[:, None]
    sides = number[mesh.sides]
    both = np.sort(sides[(sides >= 0).sum(axis=1) == 2], axis=1)[:, 1:]
    links = coo_matrix((np.ones(len(both)), both.T), shape=(len(crossed),) * 2)
    return (1 - share) * mesh.at[a] + share * mesh.at[b], connected_components(links, directed=False)[1]
