"""A pendulum on an elastic sheet
==============================

A whole model glides on a sheet that gives way: a cart that carries a pendulum, upside down and let go. The sheet's
control points have its mass, stiffness and damping; cart and pendulum push it, and it carries them. The cart takes its
orientation from the sheet. All energy, with what damping took, is kept. Nothing collides: the pendulum swings through
the sheet. Draws demo/sheet-model.png and demo/sheet-model-energy.png. Then the same sheet as a part of a model, by its
natural modes: `cd.simulate` and all that takes models knows it. Draws demo/sheet-modes.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery.scene import PALETTE, SHEET, Scene
from condyle.model.look.overlays import Line, Sheet
from condyle.model.look.shapes import box, limb, sphere
from condyle.plots import Curve, Panel, draw_chart

SIDE, RADIUS = 1.0, 0.04  # [m]
START = {"place": (0.4, 0.55), "rate": (0.5, 0.0), "q": [0.3], "radius": RADIUS, "weight": False}


def sheet(damping: float = 0.3, density: float = 0.5) -> cd.simulation.ElasticSheet:
    """A shallow bowl of 6 x 6 control points on a rim; its density in kg/m²."""
    x = np.linspace(-1.0, 1.0, 6)
    bowl = 0.06 * np.add.outer(x * x, x * x)
    return cd.simulation.ElasticSheet(
        (SIDE, SIDE), (6, 6), density=density, tension=25.0, bending=0.02, damping=damping, rest=bowl
    )


def cart(carrier: cd.joints.Joint | None = None) -> cd.Model:
    """A cart and a pendulum of 15 cm on it, upright at zero: the cart stands on the frame that glides."""
    on_frame, b = cd.joints.weld() if carrier is None else carrier, cd.ModelBuilder()
    look = (box((0.14, 0.08, 0.05), color=PALETTE[0]),)
    b.add_body("cart", joint=on_frame, inertia=cd.Inertia.box(0.2, (0.14, 0.08, 0.05)), shapes=look)
    up = cd.SE3.from_translation((0, 0, 0.15))
    rod = limb((0, 0, 0), (0, 0, 0.15), 0.008, PALETTE[1]), sphere(0.025, up, color=PALETTE[1])
    bob = cd.Inertia(0.1, (0, 0, 0.15), (1e-5, 1e-5, 1e-6))
    b.add_body("pendulum", parent="cart", joint=cd.joints.revolute("y"), inertia=bob, shapes=rod)
    return b.build()


def main(folder: str = "demo") -> None:
    """Let it go, say what was kept, and draw the sheet with cart and pendulum, and energies."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    run = sheet().simulate(cart(), duration=1.2, record=0.01, tolerance=1e-8, **START)
    energy, deep = run.energy(), (run.sheet.rest - run.controls)[..., 2].max()
    kept = np.ptp(energy.total + run.dissipated)
    print(f"{run.sheet}: it gave way by up to {100 * deep:.1f} cm")
    print(f"the pendulum turned to {np.degrees(np.abs(run.q).max()):.0f}°; damping took {run.dissipated[-1]:.4f} J")
    print(f"energy of sheet, cart and pendulum with that: kept to {kept:.1e} J")
    named = {"sheet, moving": energy.sheet, "bodies, moving": energy.body, "sheet, stretched": energy.elastic}
    named |= {"weight": energy.gravity, "taken by damping": run.dissipated, "all": energy.total + run.dissipated}
    panel = Panel("energy [J]", [Curve(run.t, x, name) for name, x in named.items()], "t [s]")
    scene = seen(run)
    print(f"Open {scene.draw(scene.run(), Path(folder) / 'sheet-model.png', player=True)}.")
    draw_chart([panel], Path(folder) / "sheet-model-energy.png", size=(9.0, 4.4))
    modal, model = in_a_model(modes=6)
    found = cd.simulate(model, *start_of(modal, model), duration=0.4, step=5e-4, record=0.01)
    apart = 1000.0 * np.linalg.norm(found.poses()[:, -2].xyz - run.poses()[: len(found.t)].xyz, axis=1).max()
    print(f"{modal}: in 0.4 s its cart is {apart:.1f} mm away from the one above")
    cd.view.export(found, Path(folder) / "sheet-modes.png", drawn=[modal.drawn(found, color=SHEET)])


def in_a_model(modes: int | None = None, damping: float = 0.3) -> tuple[cd.simulation.ModalSheet, cd.Model]:
    """The same sheet, cart and pendulum as one model: the sheet by its modes, all of them by default."""
    b, alone = cd.ModelBuilder(), cart()
    carrier, pendulum = alone.bodies
    modal = sheet(damping).add_to(b, modes=modes, weight=False)
    modal.add_body("cart", carrier.inertia, radius=RADIUS, shapes=carrier.shapes)
    b.add_body("pendulum", "cart", pendulum.joint, pendulum.inertia, shapes=pendulum.shapes)
    return modal, b.build()


def start_of(modal: cd.simulation.ModalSheet, model: cd.Model) -> tuple[np.ndarray, np.ndarray]:
    """Cart and pendulum as they start on the sheet alone."""
    q, v = modal.state(model, {"cart": START["place"]}, {"cart": START["rate"]})
    q[model.q_index("pendulum")] = START["q"][0]
    return q, v


def seen(run: cd.simulation.SheetMotion) -> Scene:
    """The sheet at its moments, with the cart as a free body that goes where it went."""
    model, poses, side = cart(cd.joints.free()), run.poses(), np.linspace(0.0, SIDE, 21)
    q, v = np.hstack([poses.wxyz, poses.xyz, run.q]), np.hstack([run.twists(), run.v])

    def at(t: float) -> np.ndarray:
        return run.sheet.points(side, side, run.controls[np.argmin(abs(run.t - t))])

    return Scene(
        "sheet-model", model, None, None, (Line(None, poses.xyz, PALETTE[4]),), duration=float(run.t[-1]),
        motion=lambda: cd.simulation.Trajectory(model, run.t, q, v), camera=(24, -62), chart=False,
        moving=lambda _: (Sheet(None, at, color=SHEET, opacity=0.92),), moments=(0.0, 0.15, 0.3, 0.4),
    )  # fmt: skip


def check() -> None:
    """Energy with what damping took is kept, in a model too; on a heavy sheet it swings as on a rigid surface."""
    run = sheet().simulate(cart(), duration=0.1, record=0.05, **START)
    assert np.ptp(run.energy().total + run.dissipated) < 1e-7
    light, heavy, heavier = (
        sheet(0.0, m).simulate(cart(), duration=0.1, record=0.1, tolerance=1e-11, **START).q[-1, 0]
        for m in (0.5, 1e4, 2e4)
    )
    rigid = 2 * heavier - heavy
    assert abs(heavy - rigid) < 1e-3 * abs(light - rigid)
    modal, model = in_a_model(modes=6, damping=0.0)
    found = cd.simulate(model, *start_of(modal, model), duration=0.1, step=1e-3)
    assert np.ptp(found.energy().total) < 1e-6


if __name__ == "__main__":
    main(*sys.argv[1:])
