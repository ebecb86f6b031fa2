"""Headless Chromium for tests; they skip visibly where there is none."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

FLAGS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
ARTEFACTS = Path(__file__).parents[2] / "build" / "screenshots"


@contextmanager
def page(offline=False):
    """A browser page; with `offline` the network is off and every request is an error."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("there is no Chromium on this machine: browser tests did not run")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            context = browser.new_context(offline=offline, viewport={"width": 1000, "height": 700})
            yield context.new_page()
        finally:
            browser.close()


def shot(page, name):
    """Keep a picture of the page to look at."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{name}.png")
