"""Headless Chromium for tests; they skip visibly where there is none. Nothing waits for a time, only for conditions."""

import base64
import json
import re
import shutil
import time
import zlib
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

FLAGS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
ARTEFACTS = Path(__file__).parents[2] / "build" / "screenshots"
PATIENCE = 180.0  # [s]: a busy machine draws a picture in half a minute


def player_data(path):
    """What the page of a player holds, taken out of its text."""
    packed = re.search(r'const packed = "([^"]*)"', Path(path).read_text())[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))[0]


def player_curve(data, plot, name):
    """A curve of a player's data."""
    curve = data["plots"][plot][name]
    return curve["low"] + curve["size"] * np.frombuffer(base64.b64decode(curve["v"]), "<u2") / 65535


@contextmanager
def page(offline=False, size=(1000, 700), touch=False, motion="no-preference"):
    """A browser page; with `offline` the network is off and every request is an error.

    `motion="reduce"` is what people set who want less of it.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("there is no Chromium on this machine: browser tests did not run")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=chromium, args=FLAGS, timeout=1e3 * PATIENCE)
        try:
            viewport = {"width": size[0], "height": size[1]}
            context = browser.new_context(offline=offline, viewport=viewport, has_touch=touch, reduced_motion=motion)
            context.set_default_timeout(1e3 * PATIENCE)
            yield context.new_page()
        finally:
            browser.close()


@contextmanager
def viewer_page(viewer, sliders=0):
    """The page of a live viewer, once it is connected, has its panels and has drawn the scene."""
    with page() as p:
        p.goto(viewer.address)
        p.wait_for_selector("canvas[data-engine]")
        wait_until(lambda: viewer.server.get_clients() and p.get_by_role("slider").count() >= sliders)
        drawn(p)
        yield p


def plain(text):
    """A text without blanks around it and with single ones within: browsers differ in how many they keep."""
    return " ".join(text.split())


def drawn(p):
    """Wait until the page has drawn two pictures more."""
    p.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def shot(p, name):
    """Keep a picture of the page to look at."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    drawn(p)
    p.screenshot(path=ARTEFACTS / f"{name}.png")


def comes_true(condition, seconds=PATIENCE):
    """Whether a condition comes true within a time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def wait_until(condition):
    """Fail unless a condition comes true."""
    assert comes_true(condition), "the condition did not come true"


def drag(p, viewer, control, axis, by, until):
    """Take an arrow of a handle, as seen on the screen, and move it by steps (x, y) [pixel] until a condition holds.

    An arrow that the page has not yet drawn where Python put it is missed; so it is tried again.
    """
    phases = []
    control.on_update(lambda event: phases.append(event.phase))
    end = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < end, f"the handle did not get there: {control.position}, {phases}"
        start = pixel_of_arrow(viewer, control, axis)
        p.mouse.move(*start)
        p.mouse.down()
        if comes_true(lambda: "start" in phases, 5.0):
            for k in range(1, 60):
                p.mouse.move(start[0] + k * by[0], start[1] + k * by[1])
                if comes_true(until, 0.1):
                    break
        p.mouse.up()
        phases.clear()
        drawn(p)


def pixel_of_arrow(viewer, control, axis):
    """Where an arrow of a handle is on the screen, just before its tip, by the pinhole camera that the page reports."""
    (camera,) = [client.camera for client in viewer.server.get_clients().values()]
    turned = Rotation.from_quat(control.wxyz, scalar_first=True).as_matrix()
    point = np.asarray(control.position) + 0.85 * control.scale * turned[:, axis]
    eye = Rotation.from_quat(camera.wxyz, scalar_first=True).inv()  # x right, y down, z forward
    x, y, z = eye.apply(point - np.asarray(camera.position))
    focal = 0.5 * camera.image_height / np.tan(0.5 * camera.fov)
    return 0.5 * camera.image_width + focal * x / z, 0.5 * camera.image_height + focal * y / z
