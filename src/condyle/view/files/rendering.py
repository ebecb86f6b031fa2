"""Pictures of a stage without a screen: triangles filled by a kernel, then lit, with shadows and a ground."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates

from ...numeric import COMPILED
from ..kernels.triangle_fill import fill_triangles
from ..render_scene import Stage
from ..setting import ANGLE, Camera, Setting
from .lighting import background, displayed, ground_color, lit
from .rounded_triangles import rounded
from .scene_triangles import BodyTriangles, Triangles, as_it_is, joined, lines_at, rectangles, sheets_at

SAMPLES = 2 if COMPILED else 1  # of a pixel along each edge: plain Python fills slowly
MAP = 1024 if COMPILED else 192  # pixels along a shadow's edge
CELL = 12 * SAMPLES  # pixels of a sheet's cell from which on its edges are drawn
LAYERS = 4  # of surfaces that one sees through
SOFT, CONTACT = 0.012, 0.03  # blur of shadows on the ground, as a part of the radius
THIN = 0.008  # width of a line's shadow, as a part of the radius
BIAS = 0.012  # a surface is no shadow on itself, as a part of the radius
STRIP = 40  # rows of sky and ground that are drawn at a time: what is known of them stays near the processor


class Layer(NamedTuple):
    """What is seen in each pixel: nearness, number of the triangle (−1: none), weights of its corners 1 and 2."""

    near: np.ndarray
    owner: np.ndarray
    weights: np.ndarray

    def mixed(self, values: np.ndarray, corners: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """Values (n, 3, c) of corners in the pixels that are `seen`, true in perspective."""
        owner, (b, c) = self.owner[seen], self.weights[seen].T
        shares = np.stack([1.0 - b - c, b, c], axis=1) * corners[owner, :, 2]
        return np.einsum("pk,pkc->pc", shares / shares.sum(axis=1, keepdims=True), values[owner])


def filled(corners: np.ndarray, shape: tuple[int, int], under: Any = 0.0, limit: Any = np.inf) -> Layer:
    """The nearest triangles, nearer than `under` and farther than `limit`."""
    near, limits = (np.broadcast_to(np.asarray(x, dtype=float), shape).copy() for x in (under, limit))
    layer = Layer(near, np.full(shape, -1, dtype=np.int64), np.zeros((*shape, 2)))
    fill_triangles(np.ascontiguousarray(corners, dtype=float), limits, *layer)
    return layer


class Renderer:
    """Draws a stage in its setting at any record, in pictures (width, height); if `fine`, large solids are rounder."""

    def __init__(
        self, stage: Stage, setting: Setting, size: tuple[int, int], labels: bool = False, fine: bool = False
    ) -> None:
        self.stage, self.setting, self.size, self.labels = stage, setting, size, labels
        self._finished = partial(rounded, radius=setting.radius) if fine else as_it_is
        self._bodies = BodyTriangles(stage, self._finished)

    def picture(self, k: int) -> np.ndarray:
        """Red, green, blue (height, width, 3) from 0 to 255."""
        view = Screen(self.setting.camera(k, self.size[0] / self.size[1]), self.size, SAMPLES)
        sheets = [self._finished(s) for s in sheets_at(self.stage, k)]
        solid = joined([*self._bodies.at(k), *(s for s in sheets if s.opacity[0] == 1.0)])
        clear = joined([s for s in sheets if s.opacity[0] < 1.0])
        lines = list(lines_at(self.stage, k))
        shadows = Shadows(self.setting, solid.points, clear.points, [segments for segments, *_ in lines])
        picture = self._empty(view, shadows)
        part = view.around([solid.points, clear.points, *(segments for segments, *_ in lines)], _widest(lines))
        color = np.repeat(np.repeat(picture[part.place], SAMPLES, axis=0), SAMPLES, axis=1)
        near = self._draw_solid(part, solid, shadows, color)
        near = self._draw_lines(part, lines, near, color)
        self._draw_clear(part, clear, shadows, near, color)
        picture[part.place] = part.averaged(color)
        return self._with_names(view, k, np.round(255.0 * displayed(picture)).astype(np.uint8))

    def _with_names(self, view: Screen, k: int, picture: np.ndarray) -> np.ndarray:
        """With the names of bodies beside their origins, if they are wanted."""
        if not self.labels:
            return picture
        from PIL import Image, ImageDraw, ImageFont

        image = Image.fromarray(picture)
        pen, halo = ImageDraw.Draw(image), {"stroke_width": 2, "stroke_fill": (250, 250, 250)}
        font = ImageFont.load_default(max(11.0, 17.0 * view.scale))
        for name, (x, y, _) in zip(self.stage.names, view.placed(self.stage.xyz[k]), strict=True):
            place = (x / SAMPLES + 8.0, y / SAMPLES)
            pen.text(place, name, fill=(24, 32, 42), font=font, anchor="lm", **halo)
        return np.asarray(image)

    def _empty(self, view: Screen, shadows: Shadows) -> np.ndarray:
        """Sky and ground (height, width, 3)."""
        height = view.size[1]
        strips = [slice(row, min(row + STRIP, height)) for row in range(0, height, STRIP)]
        return np.concatenate([self._empty_rows(view, shadows, rows) for rows in strips])

    def _empty_rows(self, view: Screen, shadows: Shadows, rows: slice) -> np.ndarray:
        """Some rows of sky and ground."""
        rays = view.rays(rows)
        sky = background(rays @ self.setting.up)
        if self.setting.ground is None:
            return sky
        places, seen, footprint = view.on_ground(rays, self.setting)
        sky[seen] = ground_color(self.setting, places, footprint, shadows.on_ground(places), sky[seen])
        return sky

    def _draw_solid(self, view: Screen, solid: Triangles, shadows: Shadows, color: np.ndarray) -> np.ndarray:
        corners = view.placed(solid.points)
        layer = filled(corners, view.shape)
        seen = layer.owner >= 0
        color[seen] = self._shade(view, solid, layer, corners, shadows, seen)
        return layer.near

    def _shade(self, view, tri: Triangles, layer: Layer, corners, shadows: Shadows, seen) -> np.ndarray:
        points, normals = (layer.mixed(x, corners, seen) for x in (tri.points, tri.normals))
        towards = view.camera.eye - points
        towards /= np.linalg.norm(towards, axis=1, keepdims=True)
        normals = normals * np.sign(np.einsum("pi,pi->p", normals, towards) + 1e-12)[:, None]
        color = tri.color[layer.owner[seen]] * _grid_lines(layer, tri.grid, corners, seen)[:, None]
        return lit(self.setting, color, normals, towards, shadows.on_bodies(points))

    def _draw_lines(self, view: Screen, lines, near: np.ndarray, color: np.ndarray) -> np.ndarray:
        if not lines:
            return near
        flat = [rectangles(view.placed(segments), width * SAMPLES * view.scale) for segments, _, width in lines]
        layer, hues = filled(np.concatenate(flat), view.shape, near), np.concatenate([hues for _, hues, _ in lines])
        seen = layer.owner >= 0
        color[seen] = hues[layer.owner[seen] // 2]  # a line is two triangles
        return layer.near

    def _draw_clear(self, view: Screen, clear: Triangles, shadows: Shadows, near, color) -> None:
        """Layers of what one sees through, the nearest first."""
        if not len(clear.points):
            return
        corners, limit, through = view.placed(clear.points), np.inf, np.ones((*view.shape, 1))
        total = np.zeros_like(color)
        for _ in range(LAYERS):
            layer = filled(corners, view.shape, near, limit)
            seen = layer.owner >= 0
            shade = self._shade(view, clear, layer, corners, shadows, seen)
            share = through[seen] * clear.opacity[layer.owner[seen]][:, None]
            total[seen] += share * shade
            through[seen] -= share
            limit = np.where(seen, layer.near * (1.0 - 1e-7), 0.0)
        color[:] = total + through * color


def _widest(lines) -> float:
    """The width of the widest line, at a picture's usual height [pixel]."""
    return max((width for *_, width in lines), default=0.0)


def _grid_lines(layer: Layer, grid: np.ndarray, corners: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """How bright a sheet is in each pixel: darker where its row or column is a whole number."""
    places = np.full((*layer.near.shape, 2), np.nan)
    places[seen] = layer.mixed(grid, corners, seen)
    if np.isnan(places[seen]).all():
        return np.ones(seen.sum())
    steps = [np.abs(np.diff(places, axis=i, append=np.nan)) for i in (0, 1)]
    width = np.nan_to_num(np.fmax(*steps)[seen], nan=1.0)
    apart = np.abs((places[seen] - 0.5) % 1.0 - 0.5) / np.maximum(width, 1e-6)
    line = np.clip(1.6 - np.nan_to_num(apart, nan=9.0).min(axis=1), 0.0, 1.0)
    return 1.0 - 0.35 * line * np.clip(2.0 - CELL * width.max(axis=1), 0.0, 1.0)


class Screen:
    """Where points of the world are in a picture, each pixel taken `samples` times along each edge."""

    def __init__(self, camera: Camera, size: tuple[int, int], samples: int) -> None:
        self.camera, self.size, self.samples = camera, size, samples
        self.shape = (size[1] * samples, size[0] * samples)
        self.middle = 0.5 * np.array(self.shape)
        self.focal = 0.5 * self.shape[0] / np.tan(0.5 * ANGLE)
        self.place = slice(0, size[1]), slice(0, size[0])  # rows and columns of the whole picture
        self.scale = size[1] / 800.0  # widths of lines are those of a picture this high

    def placed(self, points: np.ndarray) -> np.ndarray:
        """Columns and rows [pixel] and nearness of points (..., 3)."""
        x, y, z = np.moveaxis((points - self.camera.eye) @ self.camera.axes.T, -1, 0)
        near = 1.0 / np.maximum(-z, 1e-9)
        middle = self.middle
        return np.stack([middle[1] + self.focal * x * near, middle[0] - self.focal * y * near, near], axis=-1)

    def around(self, things: Sequence[np.ndarray], width: float) -> Screen:
        """The part of the picture in which points (..., 3) are seen, and lines of a width between them."""
        points = np.concatenate([self.placed(x).reshape(-1, 3)[:, :2] for x in things])
        points = points[np.isfinite(points).all(axis=1)] / self.samples
        room = 2.0 + width * self.scale
        low, high = (
            np.clip(end, 0, self.size).astype(int)
            for end in ((points.min(axis=0) - room, points.max(axis=0) + room) if len(points) else (0.0, 0.0))
        )
        part = copy(self)
        part.size = int(high[0] - low[0]), int(high[1] - low[1])
        part.shape = (part.size[1] * self.samples, part.size[0] * self.samples)
        part.middle = self.middle - self.samples * low[::-1]
        part.place = slice(low[1], high[1]), slice(low[0], high[0])
        return part

    def rays(self, rows: slice) -> np.ndarray:
        """Unit directions (rows, width, 3) through the middles of whole pixels of some rows."""
        width, height = self.size
        x = (np.arange(width) + 0.5 - 0.5 * width) * self.samples / self.focal
        y = (0.5 * height - np.arange(height)[rows] - 0.5) * self.samples / self.focal
        local = np.stack([*np.meshgrid(x, y), -np.ones((len(y), width))], axis=-1)
        return (local / np.linalg.norm(local, axis=-1, keepdims=True)) @ self.camera.axes

    def on_ground(self, rays: np.ndarray, setting: Setting) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where rays meet the ground (n, 3), which (height, width) do, and the ground in a pixel there [m]."""
        fall = rays @ setting.up
        height = float(self.camera.eye @ setting.up) - (setting.ground or 0.0)
        away = np.where(fall * height < -1e-9, -height / np.where(fall == 0.0, 1.0, fall), np.inf)
        seen = away < 60.0 * setting.radius
        footprint = away[seen] * self.samples / self.focal / np.abs(fall[seen])
        return self.camera.eye + away[seen][:, None] * rays[seen], seen, footprint

    def averaged(self, color: np.ndarray) -> np.ndarray:
        """Colours (height, width, 3) of whole pixels."""
        s, shown = self.samples, displayed(color)
        return sum((shown[i::s, j::s] for i in range(s) for j in range(s)), start=np.zeros(())) / s**2


class Shadows:
    """Shadows of triangles (n, 3, 3), of those one sees through, and of lines, on themselves and on the ground."""

    def __init__(self, setting: Setting, points: np.ndarray, clear: np.ndarray, lines: Sequence[np.ndarray]) -> None:
        self.setting, self.reach = setting, 2.6 * setting.radius
        side = np.cross(setting.up, setting.front) / np.linalg.norm(np.cross(setting.up, setting.front))
        self._level = np.stack([side, np.cross(setting.up, side)])
        across = np.cross(setting.sun, self._level[1])
        across /= np.linalg.norm(across)
        self._sun = np.stack([across, np.cross(setting.sun, across), setting.sun])
        self._map = filled(self._seen_by_sun(points), (MAP, MAP)).near
        self._ground = None if setting.ground is None else self._ground_map(points, clear, lines)

    def _seen_by_sun(self, points: np.ndarray) -> np.ndarray:
        places = (points - self.setting.center) @ self._sun.T / self.setting.radius
        return (places + (1.1, 1.1, 8.0)) * (MAP / 2.2, MAP / 2.2, 1.0)

    def on_bodies(self, points: np.ndarray) -> np.ndarray:
        """How much of the sun reaches points (n, 3), from 0 to 1."""
        x, y, near = self._seen_by_sun(points).T
        open_sky = np.zeros(len(points))
        for dx in (-1.5, -0.5, 0.5, 1.5):
            for dy in (-1.5, -0.5, 0.5, 1.5):
                column, row = (np.clip(np.nan_to_num(c + d), 0, MAP - 1).astype(int) for c, d in ((x, dx), (y, dy)))
                open_sky += self._map[row, column] < near + BIAS
        return open_sky / 16.0

    def _ground_map(self, points: np.ndarray, clear: np.ndarray, lines: Sequence[np.ndarray]) -> np.ndarray:
        """How dark the ground is (MAP, MAP) by the sun's shadow and by what touches it."""
        setting, size = self.setting, MAP // 2
        pixel = size / (2.0 * self.reach)
        height = points @ setting.up - setting.ground
        wires = [rectangles(self._cast(x, size), THIN * setting.radius * pixel) for x in lines]
        dark = filled(np.concatenate([self._cast(points, size), *wires]), (size, size)).owner >= 0
        faint = filled(self._cast(clear, size), (size, size)).owner >= 0
        below = np.concatenate([self._on_map(points, size)[..., :2], 9.0 - height[..., None] / setting.radius], axis=-1)
        layer = filled(below, (size, size))
        touch = np.where(layer.owner >= 0, np.exp(-5.0 * (9.0 - layer.near)), 0.0)
        soft = gaussian_filter(np.maximum(dark, 0.45 * faint), SOFT * setting.radius * pixel)
        near = gaussian_filter(touch, CONTACT * setting.radius * pixel)
        return 1.0 - (1.0 - 0.50 * soft) * (1.0 - 0.55 * near)

    def _cast(self, points: np.ndarray, size: int) -> np.ndarray:
        """Where the sun casts points on the map of the ground."""
        sun, up = self.setting.sun, self.setting.up
        height = points @ up - self.setting.ground
        return self._on_map(points - height[..., None] * sun / (sun @ up), size)

    def _on_map(self, points: np.ndarray, size: int) -> np.ndarray:
        places = ((points - self.setting.center) @ self._level.T / self.reach + 1.0) * 0.5 * size
        return np.concatenate([places, np.ones((*places.shape[:-1], 1))], axis=-1)

    def on_ground(self, places: np.ndarray) -> np.ndarray:
        """How dark places (n, 3) of the ground are, from 0 to 1."""
        assert self._ground is not None
        x, y, _ = self._on_map(places, len(self._ground)).T
        return map_coordinates(self._ground, [y - 0.5, x - 0.5], order=1, mode="constant")
