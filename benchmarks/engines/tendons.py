"""A chain of links with ropes over balls and drums, in condyle and in MuJoCo."""

import numpy as np

import condyle as cd

__all__ = ["LINK", "chain", "mjcf", "poses", "tendon_matrix"]

LINK, RADIUS = 0.3, 0.04
HEIGHT = 0.05  # of the points of a rope beside the line of its links


def ropes(links):
    """(name, link of the first point, whether over a ball) of all ropes: each goes over the joint after a link."""
    return [(f"{kind}{k}", k, kind == "ball") for k in range(links) for kind in ("ball", "drum")]


def chain(links):
    """Links that turn about z and y in turn, with two ropes over each joint."""
    rod = cd.Inertia.cylinder(1.0, 0.02, LINK, axis=0)
    b, parent = cd.ModelBuilder(), None
    for k in range(links):
        place = cd.SE3.from_translation([LINK if k else 0.0, 0, 0])
        b.add_body(f"link{k}", parent, cd.joints.revolute("z" if k % 2 == 0 else "y"), rod, placement=place)
        b.add_wrap(f"ball{k}", "sphere", parent, place, radius=RADIUS)
        b.add_wrap(f"drum{k}", "cylinder", parent, place, radius=RADIUS, length=10.0)
        parent = f"link{k}"
    for name, k, ball in ropes(links):
        before, z = None if k == 0 else f"link{k - 1}", 0.01 if ball else -0.02
        start = (-0.5 * LINK if k == 0 else 0.5 * LINK, HEIGHT, z)
        b.add_path(name, [(before, start), (f"link{k}", (0.5 * LINK, HEIGHT, -z))], wraps=[f"{name[:4]}{k}"])
    return b.build()


def mjcf(links):
    """The same as a text for MuJoCo."""
    text = ""
    for k in reversed(range(links)):
        site = f'<site name="a{k}{{}}" pos="{{}} {HEIGHT} {{}}"/>'
        first = -0.5 * LINK if k == 0 else 0.5 * LINK
        mine = "".join(site.format(kind, first, z) for kind, z in (("ball", 0.01), ("drum", -0.02)))
        far = "".join(f'<site name="b{k}{kind}" pos="{0.5 * LINK} {HEIGHT} {-z}"/>'
                      for kind, z in (("ball", 0.01), ("drum", -0.02)))  # fmt: skip
        place = f"{LINK if k else 0.0} 0 0"
        wraps = (
            f'<geom name="ball{k}" type="sphere" size="{RADIUS}" pos="{place}" mass="0"/>'
            f'<geom name="drum{k}" type="cylinder" size="{RADIUS} 5" pos="{place}" mass="0"/>'
        )
        axis = "0 0 1" if k % 2 == 0 else "0 1 0"
        inertia = '<inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>'
        text = f'{mine}{wraps}<body pos="{place}">{inertia}<joint axis="{axis}"/>{far}{text}</body>'
    spatial = "".join(
        f'<spatial name="{name}"><site site="a{k}{name[:4]}"/><geom geom="{name[:4]}{k}"/>'
        f'<site site="b{k}{name[:4]}"/></spatial>'
        for name, k, _ in ropes(links)
    )
    option = '<option jacobian="dense"><flag contact="disable"/></option><compiler angle="radian"/>'
    return f"<mujoco>{option}<worldbody>{text}</worldbody><tendon>{spatial}</tendon></mujoco>"


def poses(links, count):
    """Random coordinates."""
    return np.random.default_rng(0).uniform(-0.9, 0.9, (count, links))


def tendon_matrix(model, data):
    """MuJoCo's derivatives of tendon lengths (tendons, nv), out of its sparse rows."""
    J = np.zeros((model.ntendon, model.nv))
    for k in range(model.ntendon):
        start = model.ten_J_rowadr[k] if hasattr(model, "ten_J_rowadr") else data.ten_J_rowadr[k]
        count = model.ten_J_rownnz[k] if hasattr(model, "ten_J_rownnz") else data.ten_J_rownnz[k]
        columns = (model if hasattr(model, "ten_J_colind") else data).ten_J_colind.ravel()[start : start + count]
        J[k, columns] = data.ten_J.ravel()[start : start + count]
    return J
