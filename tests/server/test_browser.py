"""The pages in a real browser: from the list to an asset, an upload and its result."""

import shutil
from collections.abc import Iterator

import pytest
from fleets import MadeFleet
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright
from serving import Served, served

from agewise.server.pages.templates import NAVIGATION
from agewise.server.settings import ServerSettings

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = [
    pytest.mark.xdist_group("server"),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here"),
]
PHONE = 390
"""Width of a phone [pixels]."""
GRAVE = ("serious", "critical")
"""Violations that shut somebody out."""
PATIENCE_MS = 120_000
"""Time for an assessment on a busy machine [ms]."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def opened(browser: Browser, server: Served, complaints: list[str], **options) -> Page:
    """A page that notes errors, and whatever is asked of others than our server."""
    page = browser.new_context(base_url=server.address, **options).new_page()
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    ours = (server.address, "data:", "blob:")

    def said(text: ConsoleMessage) -> None:
        complaints.extend([text.text] if text.type == "error" else [])

    def asked(request: Request) -> None:
        complaints.extend([] if request.url.startswith(ours) else [request.url])

    page.on("console", said)
    page.on("request", asked)
    return page


def violations(page: Page) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html']}" for v in found if v["impact"] in GRAVE]


def test_from_the_list_to_an_asset_an_upload_and_its_result(browser: Browser, own: MadeFleet):
    # A fleet of its own, since it grows by an asset.
    with served(ServerSettings(own.directory)) as server:
        walk(browser, server, own)


def walk(browser: Browser, server: Served, fleet: MadeFleet) -> None:
    complaints: list[str] = []
    page = opened(browser, server, complaints)
    page.goto("/")
    page.get_by_label("Search").fill("transformer 0")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="Transformer 0", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Transformer 0")
    expect(page.locator("[data-drawn] .main-svg").first).to_be_visible()
    page.get_by_role("link", name="Upload", exact=True).click()
    page.get_by_label("Record").set_input_files(fleet.profile)
    page.get_by_label("Nameplate").set_input_files(fleet.nameplate)
    page.get_by_label("Name", exact=True).fill("From the browser")
    page.get_by_label("Method").select_option("line")
    page.get_by_role("button", name="Upload").click()
    page.get_by_role("link", name="See the result").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("From the browser")
    expect(page.locator(".decision .badge")).to_be_visible()
    assert complaints == []


@pytest.mark.parametrize(
    ("scheme", "width", "addresses"),
    [
        ("light", 1280, (*NAVIGATION, "/assets/T1", "/assets/T37", "/login")),
        ("dark", PHONE, ("/?q=1", "/upload")),
    ],
)
def test_no_page_shuts_anybody_out_or_is_too_wide(
    browser: Browser, server: Served, scheme: str, width: int, addresses: tuple[str, ...]
):
    complaints: list[str] = []
    view = {"width": width, "height": 800}
    page = opened(browser, server, complaints, color_scheme=scheme, viewport=view)
    for address in addresses:
        page.goto(address)
        for chart in page.locator("[data-chart]").all():
            expect(chart).to_have_attribute("data-drawn", "true")
        assert violations(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate(
            "innerWidth"
        ), address
    assert complaints == []


def test_the_visit_would_see_a_violation(browser: Browser, server: Served):
    page = opened(browser, server, [])
    page.goto("/login")
    page.evaluate("document.querySelector('label').remove()")
    assert violations(page)


def test_the_switch_changes_and_keeps_the_colours_and_a_table_is_reached_by_keyboard(
    browser: Browser, server: Served
):
    page = opened(browser, server, [], color_scheme="light")
    page.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Switch to dark colours").press("Enter")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
