"""Points at a distance, points on lines, bushings and soft limits: gaps, slopes, energy, files."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.dynamics.constraints.constraint_gaps import constraint_gaps
from condyle.errors import BadValue, NotSupported
from oracles import loads
from support.constraint_models import BUSHING, DISTANCE, LIMIT, LINE, tied


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Three bodies with a rod, a rail, a bushing and a soft limit, from a file of our own."""
    path = tmp_path_factory.mktemp("tied") / "tied.osim"
    path.write_text(tied(DISTANCE, LINE, forces=[BUSHING, LIMIT]))
    return cd.load(path)


def random_state(model, scale=0.4):
    rng = np.random.default_rng(3)
    return cd.project(model, rng.normal(size=model.nq) * scale, rng.normal(size=model.nv))


def places(model, q):
    """The gaps by their definition: |x − y| − 0.6, and the cross product of a rail with the way to its point."""
    poses = cd.forward_kinematics(model, q)
    two, three = (poses[..., model.body_index(name)] for name in ("two", "three"))
    rod = two.apply((0.1, 0.2, -0.1)) - three.apply((-0.2, 0.1, 0.3))
    seen = two.inverse().apply(three.apply((0.2, -0.1, 0.05))) - (0.1, 0.3, 0.1)
    along = np.array([1, 2, -0.5]) / np.linalg.norm([1, 2, -0.5])
    return np.linalg.norm(rod) - 0.6, np.linalg.norm(np.cross(along, seen))


def test_gaps_are_distances_and_their_jacobian_is_exact_open_too(model):
    """Oracle: places of the points by forward kinematics, and central differences of the gaps."""
    q = np.random.default_rng(1).normal(size=model.nq) * 0.5
    gap, J = constraint_gaps(model, q[None])
    rod, rail = places(model, q)
    assert_allclose([gap[0, 0], np.linalg.norm(gap[0, 1:])], [rod, rail], atol=1e-14)
    h = 1e-6 * np.eye(model.nq)
    differences = (constraint_gaps(model, q + h)[0] - constraint_gaps(model, q - h)[0]).T / 2e-6
    assert_allclose(J[0], differences, atol=1e-8)


def test_accelerations_keep_gaps_closed(model):
    """Oracle: the second difference of the gaps along the motion vanishes."""
    q, v = random_state(model)
    a, h = cd.forward_dynamics(model, q, v), 1e-4
    ahead, here, behind = (constraint_gaps(model, (q + s * v + s * s / 2 * a)[None])[0][0] for s in (h, 0.0, -h))
    assert np.abs(here).max() < 1e-9 and np.abs(ahead - 2 * here + behind).max() / h**2 < 1e-3 * np.abs(a).max()


def test_a_reaction_pulls_both_ends_along_the_rod():
    """Oracle: a bob that circles on a rod without gravity: m v²/l towards the pivot."""
    slides = cd.joints.compose(cd.joints.prismatic("x"), cd.joints.prismatic("y"))
    b = cd.ModelBuilder(gravity=(0, 0, 0)).add_body("bob", joint=slides, inertia=cd.Inertia.point(3.0))
    bob = b.add_constraint(cd.constraints.distance("bob", (0, 0, 0), None, (1, 0, 0), 2.0)).build()
    (found,) = cd.constraint_forces(bob, [3.0, 0.0], [0.0, 4.0]).forces
    assert_allclose(found.multipliers, [-3.0 * 16 / 2.0], atol=1e-9)
    assert_allclose(found.wrenches[0], [0, 0, 0, -24.0, 0, 0], atol=1e-9)


def test_inverse_kinematics_holds_them(model):
    """Oracle: the gaps by their definition at what was found."""
    q, _ = random_state(model)
    goal = cd.forward_kinematics(model, q)[model.body_index("two")].apply((0.1, 0.0, 0.2))
    found = cd.ik.solve(model, cd.ik.position("two", goal + 0.02, at=(0.1, 0.0, 0.2)), q, limits=False)
    assert max(map(abs, places(model, found.q))) < 1e-9


def test_forces_at_rest_are_slopes_of_the_energy(model):
    """Oracle: central differences of the potential energy of a bushing, a soft limit and gravity."""
    free = replace(model, constraints=())
    q = np.random.default_rng(2).normal(size=model.nq) * 0.5
    h = 1e-6 * np.eye(model.nq)
    slopes = (cd.energy(free, q + h, 0 * q).potential - cd.energy(free, q - h, 0 * q).potential) / 2e-6
    assert_allclose(cd.inverse_dynamics(free, q, 0 * q, 0 * q), slopes, rtol=1e-7, atol=1e-7)


@pytest.mark.slow  # the compiler needs long for derivatives
def test_a_soft_limit_stores_what_it_takes_and_has_exact_slopes():
    """Oracle: the law written out, its integral by quadrature, and differences of the force."""
    bob = cd.Inertia.point(2.0, (1, 0, 0))
    b = cd.ModelBuilder(gravity=(0, 0, 0)).add_body("arm", joint=cd.joints.revolute("z"), inertia=bob)
    arm = b.add_soft_limit("arm", -0.3, 0.2, stiffness=(40.0, 60.0), transition=0.25, damping=3.0).build()

    oracle = loads.SoftLimit(0, 0, -0.3, 0.2, 40.0, 60.0, 3.0, 0.25)
    law = np.vectorize(lambda x, rate: -oracle.law(x, rate))
    q, v = np.array([-0.7, -0.4, 0.0, 0.3, 0.5])[:, None], np.array([1.0, -2.0, 1.0, 1.5, -1.0])[:, None]
    assert_allclose(cd.inverse_dynamics(arm, q, v, 0 * q)[:, 0], law(q, v)[:, 0], atol=1e-12)
    assert_allclose(cd.energy(arm, q, 0 * v).potential, [oracle.stored(x) for x in q[:, 0]], atol=1e-9)
    slopes, h = cd.inverse_dynamics_derivatives(arm, q, v, 0 * q), 1e-6
    assert_allclose(slopes.dq[:, 0, 0], (law(q + h, v) - law(q - h, v))[:, 0] / (2 * h), atol=1e-6)
    assert_allclose(slopes.dv[:, 0, 0], (law(q, v + h) - law(q, v - h))[:, 0] / (2 * h), atol=1e-6)


@pytest.mark.filterwarnings("ignore::condyle.errors.NotInModel")
@pytest.mark.parametrize("suffix", [".toml", ".osim"])
def test_files_keep_them(model, suffix, tmp_path):
    """Oracle: accelerations and energies of the model that was written."""
    cd.save(model, tmp_path / f"again{suffix}")
    again = cd.load(tmp_path / f"again{suffix}")
    q, v = random_state(model)
    order = [again.q_index(name) for name in model.coordinates]
    back = np.argsort(order)
    assert_allclose(cd.forward_dynamics(again, q[back], v[back])[order], cd.forward_dynamics(model, q, v), rtol=1e-8)
    assert_allclose(cd.energy(again, q[back], v[back]).total, cd.energy(model, q, v).total, rtol=1e-10)


def test_what_has_no_counterpart_is_refused(model):
    """Oracle: the class and the word."""
    with pytest.raises(NotSupported, match="constraints"):
        cd.skeleton.from_model(replace(model, forces=()))
    with pytest.raises(BadValue, match="length"):
        cd.constraints.distance("one", (0, 0, 0), None, (0, 0, 0), 0.0)
    with pytest.raises(BadValue, match="direction"):
        cd.constraints.line("one", (0, 0, 0), None, (0, 0, 0), (0, 0, 0))


@pytest.mark.slow
def test_slopes_of_accelerations_with_a_bushing(model):
    """Oracle: central differences of accelerations."""
    free = replace(model, constraints=())
    q, v = np.random.default_rng(6).normal(size=(2, model.nq)) * 0.4
    slopes, h = cd.linearize(free, q, v), 1e-6 * np.eye(model.nq)
    by_q = (cd.forward_dynamics(free, q + h, v) - cd.forward_dynamics(free, q - h, v)).T / 2e-6
    assert_allclose(slopes.q, by_q, rtol=1e-6, atol=1e-5 * np.abs(by_q).max())


@pytest.mark.slow
def test_slopes_of_inverse_dynamics_with_a_bushing_and_a_follower(model):
    """Oracle: central differences of inverse dynamics; the mass matrix."""
    coupled = cd.constraints.couple("c.c0", "b.b0", cd.functions.polynomial([0.1, 0.5, 0.2]))
    free = replace(model, constraints=())
    for m in (free, replace(free, constraints=(coupled.bound(free),)).folded()):
        q, v, a = np.random.default_rng(5).normal(size=(3, 2, m.nv)) * 0.4
        found, h = cd.inverse_dynamics_derivatives(m, q, v, a), 1e-6
        for k, slopes in enumerate((found.dq, found.dv)):
            for j, e in enumerate(h * np.eye(m.nv)):
                up, down = ([x + sign * e * (k == i) for i, x in enumerate((q, v, a))] for sign in (1, -1))
                differences = (cd.inverse_dynamics(m, *up) - cd.inverse_dynamics(m, *down)) / (2 * h)
                assert_allclose(slopes[..., j], differences, rtol=1e-6, atol=1e-6)
        assert_allclose(found.da, cd.mass_matrix(m, q), rtol=1e-12, atol=1e-13)


@pytest.mark.slow
def test_cotangents_of_forces_with_a_bushing(model):
    """Oracle: central differences of the forces, times the cotangent."""
    free = replace(model, constraints=())
    q, v, a, c = np.random.default_rng(7).normal(size=(4, model.nq)) * 0.4
    found, h = cd.inverse_dynamics_vjp(free, q, v, a, cotangent=c), 1e-6 * np.eye(model.nq)
    by_q = (cd.inverse_dynamics(free, q + h, v, a) - cd.inverse_dynamics(free, q - h, v, a)) @ c / 2e-6
    by_v = (cd.inverse_dynamics(free, q, v + h, a) - cd.inverse_dynamics(free, q, v - h, a)) @ c / 2e-6
    assert_allclose(found.q, by_q, rtol=1e-6, atol=1e-5 * np.abs(by_q).max())
    assert_allclose(found.v, by_v, rtol=1e-6, atol=1e-5 * np.abs(by_v).max())
