"""The report's worked examples, corrected: every number here is a closed form written by hand."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery import planar_chain, rod

C = cd.control
PHI = np.array([0.4, 0.7, 0.5])


@pytest.fixture(scope="module")
def space():
    square = C.function(lambda x: x["link3"] ** 2, name="square")
    return C.AnimationSpace(planar_chain(), [C.point("link3", (1, 0, 0), axes="xy"), square], powers="keep")


def sums(phi):
    a = np.cumsum(phi)
    return np.sin(a), np.cos(a)


def test_gradient_is_the_closed_form(space):
    """Oracle: section 4.3, [G]."""
    (s1, s12, s123), (c1, c12, c123) = sums(PHI)
    expected = [[-s1 - s12 - s123, -s12 - s123, -s123], [c1 + c12 + c123, c12 + c123, c123], [0, 0, 2 * PHI[2]]]
    assert space.gradient(PHI) == pytest.approx(np.array(expected), abs=1e-12)


def test_hessian_is_the_closed_form(space):
    """Oracle: section 4.3, [H]."""
    s, c = sums(PHI)
    last = np.maximum.outer(range(3), range(3))
    x, y = (-np.array([f[k:].sum() for k in range(3)])[last] for f in (c, s))
    square = np.diag([0.0, 0.0, 2.0])
    assert space.hessian(PHI) == pytest.approx(np.array([x, y, square]), abs=1e-12)


def test_inverse_of_the_gradient_is_M_over_D(space):
    """Oracle: section 4.3 with D = 2 φ3 (s2 + s23)."""
    (s1, s12, s123), (c1, c12, c123) = sums(PHI)
    p, s2, s3, s23 = PHI[2], np.sin(PHI[1]), np.sin(PHI[2]), np.sin(PHI[1] + PHI[2])
    M = [
        [2 * p * (c12 + c123), 2 * p * (s12 + s123), s3],
        [-2 * p * (c1 + c12 + c123), -2 * p * (s1 + s12 + s123), -s23 - s3],
        [0, 0, s2 + s23],
    ]
    D = 2 * p * (s2 + s23)
    assert abs(D - 1.5763) < 5e-5
    assert np.linalg.inv(space.gradient(PHI)) == pytest.approx(np.array(M) / D, abs=1e-12)
    v = C.resolve_velocity(space, PHI, [1, 1, 0]).motion
    assert v == pytest.approx(np.array(M) @ [1, 1, 0] / D, abs=1e-12)


def test_accelerations_are_the_corrected_closed_forms(space):
    """Oracle: φ1'', φ2'' worked out for φ' = (1, 10, 0), u'' = (1, 1, 0): (290.446, -378.440, 0)."""
    _, p2, p3 = PHI
    (s1, s12, s123), (c1, c12, c123) = sums(PHI)
    c3, half, far = np.cos(p3), np.cos(p3 / 2), np.cos(p2 + p3 / 2)
    below = half * np.sin(p2 + p3 / 2)
    first = (121 + 121 * c3 + half * far + (c12 + c123 + s12 + s123) / 2) / below
    second = -(243 + 242 * c3 + 244 * half * far + c1 + c12 + c123 + s1 + s12 + s123) / (2 * below)
    got = C.resolve_acceleration(space, PHI, [1, 10, 0], [1, 1, 0])
    assert got.motion == pytest.approx([first, second, 0], rel=1e-12, abs=1e-12)
    assert got.motion == pytest.approx([290.446, -378.440, 0], abs=1e-3)
    assert got.error == pytest.approx(0, abs=1e-11)


def test_the_screw_table_gives_the_reports_chain():
    """Oracle: r_4 and a_3 of section 4.1, corrected."""
    l0, l1, l2, phi = 1.5, 2.0, 1.7, np.array([0.3, 0.5, 0.4])
    links = [C.Link(rod(1.0, 1.0), offset=l0), C.Link(rod(1.0, l1), twist=np.pi / 2), C.Link(rod(1.0, l2), length=l1)]
    model = C.screw_chain(links)
    (c1, c2, c23), (s1, s2, s23) = ([f(phi[0]), f(phi[1]), f(phi[1] + phi[2])] for f in (np.cos, np.sin))
    pose = cd.forward_kinematics(model, phi)[2]
    tip = [l2 * c1 * c23 + l1 * c1 * c2, l2 * s1 * c23 + l1 * s1 * c2, l2 * s23 + l1 * s2 + l0]
    assert pose.apply(np.array([l2, 0, 0])) == pytest.approx(tip, abs=1e-14)
    assert pose.as_matrix()[:3, 0] == pytest.approx([c1 * c23, s1 * c23, s23], abs=1e-14)
    slide = C.screw_chain([C.Link(rod(1.0, 1.0), offset=0.2, angle=0.3, slides=True)])
    assert cd.forward_kinematics(slide, [0.5])[0].xyz == pytest.approx([0, 0, 0.7])


def test_sliding_along_the_square_at_its_own_zero_is_refused_by_name():
    """Oracle: at φ3 = 0 the row of φ3² is zero; its base is not."""
    square = C.function(lambda x: x["link3"] ** 2, name="square")
    point = C.point("link3", (1, 0, 0), axes="xy")
    at_zero = np.array([0.4, 0.7, 0.0])
    kept = C.AnimationSpace(planar_chain(), [point, square], powers="keep")
    with pytest.raises(cd.CondyleError, match=r"the gradient of 'square' vanishes here.* a power such as h²"):
        C.resolve_velocity(kept, at_zero, [1, 1, 0])
    base = C.AnimationSpace(planar_chain(), [point, square])
    assert C.resolve_velocity(base, at_zero, [1, 1, 0]).motion[2] == pytest.approx(0, abs=1e-14)
