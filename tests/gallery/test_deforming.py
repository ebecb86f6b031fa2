"""A ball on a surface that deforms."""

import numpy as np
import pytest
from scipy.interpolate import NdBSpline

import condyle as cd
from condyle.gallery import deforming_surface
from condyle.gallery.surfaces.deforming import wave_heights, wave_knots

G = 9.81


@pytest.fixture(scope="module")
def height():
    """The surface and its derivatives by scipy: height(x, y, t, nu)."""
    side, phases = wave_knots(4)
    step = phases[1]
    closed = np.concatenate([phases[0] - step * np.arange(3, 0, -1), phases, phases[-1] + step * np.arange(1, 4)])
    c = wave_heights()
    spline = NdBSpline((side, side, closed), np.concatenate([c, c[..., :3]], axis=2), 3)
    return lambda x, y, t, *nu: float(spline((x, y, t), nu=nu or (0, 0, 0)))


def acceleration_by_hand(height, x, y, t, u, w):
    """(ẍ, ÿ, z̈) of a point on z = h(x, y, t): ẍ = −h_x (z̈ + g), z̈ = ∇h · (ẍ, ÿ) + what is left of d²h/dt²."""

    def d(*nu):
        return height(x, y, t, *nu)

    rest = d(2, 0, 0) * u * u + 2 * d(1, 1, 0) * u * w + d(0, 2, 0) * w * w
    rest += 2 * (d(1, 0, 1) * u + d(0, 1, 1) * w) + d(0, 0, 2)
    slope = np.array([d(1, 0, 0), d(0, 1, 0)])
    up = (rest - slope @ slope * G) / (1 + slope @ slope)
    return np.array([*(-slope * (up + G)), up])


STATES = [(0.3, -0.2, 0.13, 0.5, 1.1), (-0.61, 0.44, 0.97, -1.3, 0.2), (0.05, 0.7, 1.77, 2.0, -0.8)]


@pytest.mark.parametrize(("x", "y", "t", "u", "w"), STATES)
def test_the_acceleration_holds_the_motion_of_the_surface(height, x, y, t, u, w):
    """Oracle: Newton's law for a point on a moving graph, with scipy's derivatives of the spline."""
    model = deforming_surface().model
    a = cd.forward_dynamics(model, [x, y, t], [u, w, 1.0], t=t)
    assert a[:2] == pytest.approx(acceleration_by_hand(height, x, y, t, u, w)[:2], abs=1e-10)


@pytest.mark.parametrize(("x", "y", "t", "u", "w"), STATES)
def test_the_force_on_the_phase_is_the_power_of_the_surface(height, x, y, t, u, w):
    """Oracle: the vertical part m (z̈ + g) of the contact force times the surface's own speed ∂h/∂t."""
    model = deforming_surface(mass=0.3).model
    a = cd.forward_dynamics(model, [x, y, t], [u, w, 1.0], t=t)
    power = 0.3 * (acceleration_by_hand(height, x, y, t, u, w)[2] + G) * height(x, y, t, 0, 0, 1)
    assert cd.inverse_dynamics(model, [x, y, t], [u, w, 1.0], a)[2] == pytest.approx(power, abs=1e-10)


def test_energy_gained_is_the_work_of_the_surface():
    """Oracle: Simpson's rule on the power along the motion (order 6, so that it is smooth)."""
    scene = deforming_surface(order=6)
    path = scene.run(0.5, step=1e-3)
    a = np.array([cd.forward_dynamics(scene.model, q, v, t=t) for q, v, t in zip(path.q, path.v, path.t, strict=True)])
    power = cd.inverse_dynamics(scene.model, path.q, path.v, a)[:, 2]
    work = (power[0] + power[-1] + 4 * power[1:-1:2].sum() + 2 * power[2:-1:2].sum()) * path.t[1] / 3
    energy = path.energy().total
    assert work == pytest.approx(energy[-1] - energy[0], abs=1e-9)
    assert abs(work) > 1e-3
