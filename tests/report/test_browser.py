"""The report as it lies on the disk, and as a real browser shows it."""

import base64
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from agewise.report.figures.catalogue import CATALOGUE, TRAINING
from agewise.report.inputs import ReportInputs
from agewise.report.page.page import write_page

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
# Drawing all figures takes seconds: once, for all tests of this file.
pytestmark = pytest.mark.xdist_group("browser")
browsing = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here")

HARNESS = """<!DOCTYPE html><iframe src="SHOWN" width="1100" height="800"></iframe><pre></pre>
<script>
window.onload = () => {
  const images = [...document.querySelector("iframe").contentDocument.images];
  const sizes = images.map(i => [i.naturalWidth, i.naturalHeight, i.offsetWidth, i.offsetHeight]);
  document.querySelector("pre").textContent = "SIZES" + JSON.stringify(sizes);
};
</script>"""
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--allow-file-access-from-files", "--enable-logging=stderr", "--dump-dom",
)  # fmt: skip
BROWSERS_OWN = "not an origin"
"""Initiator of what a browser asks for by itself, whatever it shows."""


@dataclass(frozen=True)
class Visit:
    """What happened while a page was shown."""

    sizes: list[list[int]]
    """of every image: natural width and height, shown width and height"""
    console: list[str]
    requested: list[str]
    """other than files and data"""


def visit(page: Path, work: Path) -> Visit:
    harness, log = work / "harness.html", work / "net.json"
    harness.write_text(HARNESS.replace("SHOWN", page.as_uri()))
    assert CHROMIUM is not None
    done = subprocess.run(
        [CHROMIUM, *OPTIONS, f"--user-data-dir={work / 'user'}", f"--log-net-log={log}",
         harness.as_uri()],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    found = re.search(r"SIZES(\[.*\])</pre>", done.stdout)
    assert found, done.stderr
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return Visit(json.loads(found[1]), console, requests(log))


def requests(log: Path) -> list[str]:
    events = json.loads(log.read_text())["events"]
    asked = [event["params"] for event in events if "url" in event.get("params", {})]
    return [
        each["url"]
        for each in asked
        if each.get("initiator", BROWSERS_OWN) != BROWSERS_OWN
        and not each["url"].startswith(("file:", "data:"))
    ]


@pytest.fixture(scope="module")
def report(ending: ReportInputs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_page(ending, folder)
    return folder


def test_the_page_holds_the_same_pictures_as_the_folder(report: Path):
    assert {path.name for path in report.iterdir()} == {"report.html", "figures"}
    names = [f"{figure.name}.png" for figure in (*CATALOGUE, TRAINING)]
    assert {path.name for path in (report / "figures").iterdir()} == set(names)
    source = (report / "report.html").read_text("utf-8")
    held = [base64.b64decode(each) for each in re.findall(r'png;base64,([^"]+)"', source)]
    assert held == [(report / "figures" / name).read_bytes() for name in names]


@browsing
def test_every_image_is_seen_and_nothing_is_asked_for(report: Path, tmp_path: Path):
    seen = visit(report / "report.html", tmp_path)
    assert seen.console == []
    assert seen.requested == []
    assert len(seen.sizes) == 10
    for natural_width, natural_height, width, height in seen.sizes:
        assert natural_width == 1300
        assert 900 <= width <= 1100
        assert height == pytest.approx(natural_height * width / natural_width, abs=1)


@browsing
def test_the_visit_would_see_a_request_and_an_error(tmp_path: Path):
    page = tmp_path / "bad.html"
    page.write_text('<img src="http://127.0.0.1:9/x.png"><script>console.error("no")</script>')
    seen = visit(page, tmp_path)
    assert seen.requested == ["http://127.0.0.1:9/x.png"]
    assert any("no" in line for line in seen.console)
    assert seen.sizes[0][0] == 0
