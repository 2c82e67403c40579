"""Who may read and write, what a browser may do with a page, and what never leaves the server."""

import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fleets import MadeFleet
from serving import Served, served

from agewise.errors import InputError
from agewise.server.pages.templates import NAVIGATION
from agewise.server.security.tokens import forget_token, new_token
from agewise.server.settings import ServerSettings, refuse_open

pytestmark = pytest.mark.xdist_group("server")
FILES = {"profile": ("a.csv", b"time,load\n"), "nameplate": ("n.toml", b"name = 'x'\n")}


@pytest.fixture(scope="module")
def tokens() -> dict[str, str]:
    return {}


@pytest.fixture(scope="module")
def guarded(
    fleet: MadeFleet, tokens: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """A copy of the fleet behind tokens, for others look at the fleet itself."""
    settings = ServerSettings(tmp_path_factory.mktemp("guarded") / "fleet")
    shutil.copytree(fleet.directory, settings.directory)
    for role in ("read", "write"):
        tokens[role] = new_token(settings.tokens_file, f"a {role}er", role)
    with served(settings) as server:
        yield server


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def hidden(page: str) -> str:
    found = re.search(r'name="form_token" value="([^"]+)"', page)
    assert found
    return found[1]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_nobody_listens_beyond_this_machine_without_asking_who_is_there(tmp_path: Path, host: str):
    with pytest.raises(InputError, match="no token"):
        refuse_open(ServerSettings(tmp_path, host=host), tokens=0)
    refuse_open(ServerSettings(tmp_path, host=host), tokens=1)
    refuse_open(ServerSettings(tmp_path, host=host, user_header="X-User"), tokens=0)
    for own in ("127.0.0.1", "::1", "localhost"):
        refuse_open(ServerSettings(tmp_path, host=own), tokens=0)


def test_a_token_is_kept_as_a_hash_in_a_file_of_ones_own(tmp_path: Path):
    path = tmp_path / "tokens.json"
    token = new_token(path, "me", "read")
    assert token not in path.read_text() and len(token) > 40
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(InputError, match="already"):
        new_token(path, "me", "write")
    with pytest.raises(InputError, match="no token"):
        forget_token(path, "you")


def test_without_a_token_there_is_a_login_and_nothing_else(guarded: Served):
    with guarded.client() as stranger:
        for page in (*NAVIGATION, "/assets/T1", "/uploads/x"):
            answer = stranger.get(page)
            assert (answer.status_code, answer.headers["location"]) == (303, "/login"), page
        schema = httpx.get(f"{guarded.address}/api/v1/openapi.json")
        for path in guarded.app.openapi()["paths"]:
            asked = path.replace("{asset_id}", "T1").replace("{chart}", "life")
            assert stranger.get(asked).status_code in (401, 405), path
        assert schema.status_code == 401
        wrong = stranger.get("/api/v1/assets", headers=bearer("agw_guessed"))
        assert wrong.status_code == 401 and "agw_guessed" not in wrong.text


def test_a_reader_reads_and_a_writer_writes(guarded: Served, tokens: dict[str, str]):
    with guarded.client() as client:
        reads, writes = (bearer(tokens[role]) for role in ("read", "write"))
        assert client.get("/api/v1/assets", headers=reads).status_code == 200
        assert client.post("/api/v1/uploads", headers=reads, files=FILES).status_code == 403
        assert client.post("/api/v1/uploads", headers=writes).status_code == 422
        assert "may look at everything" in client.get("/upload", headers=reads).text


def test_a_session_is_a_cookie_that_scripts_do_not_see_and_ends_with_its_token(
    guarded: Served,
):
    path = guarded.app.state.settings.tokens_file
    token = new_token(path, "leaving", "read")
    with guarded.client() as browser:
        form = {"token": token, "form_token": hidden(browser.get("/login").text)}
        answer = browser.post("/login", data=form)
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=strict" in cookie and token not in cookie
        page = browser.get("/")
        assert page.status_code == 200 and "Log out leaving" in page.text
        assert token not in page.text
        forget_token(path, "leaving")
        assert browser.get("/").status_code == 303
        again = browser.post("/login", data=form)
        assert again.status_code == 401 and token not in again.text


def test_a_forged_session_opens_nothing(guarded: Served):
    with guarded.client() as client:
        for forged in ("x", "x.y", "eyJ.", "MToxOltd.0", "ü.ü"):
            headers = {b"Cookie": f"agewise_session={forged}".encode()}
            assert client.get("/", headers=headers).status_code == 303


def test_a_form_must_come_from_a_page_of_its_visitor(client: httpx.Client, server: Served):
    with server.client() as browser, server.client() as other:
        mine, theirs = (hidden(one.get("/upload").text) for one in (browser, other))
        for token in ("", "x.y", theirs):
            sent = browser.post("/upload", files=FILES, data={"form_token": token})
            assert sent.status_code == 403 and "not sent from a page of yours" in sent.text
        bad = {"profile": ("evil.exe", b"MZ"), "nameplate": FILES["nameplate"]}
        taken = browser.post("/upload", files=bad, data={"form_token": mine})
        assert taken.status_code == 400  # past the guard, where the file itself is refused


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "null"},
    ],
)
def test_what_a_browser_sends_from_another_site_is_refused(client: httpx.Client, headers):
    sent = client.post("/api/v1/uploads", files=FILES, headers=headers)
    assert sent.status_code == 403 and "another site" in sent.text


def test_a_foreign_name_for_this_machine_is_refused(client: httpx.Client):
    assert client.get("/", headers={"Host": "rebound.example:8765"}).status_code == 403


def test_a_proxy_is_believed_from_its_own_address_alone(fleet: MadeFleet):
    named = {"X-Remote-User": "ada", "X-Remote-Role": "write"}
    for proxies, status in ((("127.0.0.1", "::1"), 200), (("10.0.0.1",), 401)):
        settings = ServerSettings(fleet.directory, user_header="X-Remote-User", proxies=proxies)
        with served(settings) as server, server.client() as client:
            assert client.get("/api/v1/assets").status_code == 401
            assert client.get("/api/v1/assets", headers=named).status_code == status
            if status == 200:
                only = {"X-Remote-User": "ada"}
                assert client.post("/api/v1/uploads", files=FILES, headers=only).status_code == 403


def test_pages_run_scripts_of_ours_alone(client: httpx.Client):
    for page in (*NAVIGATION, "/assets/T1", "/assets/T3", "/compare?asset=T0&asset=T1", "/nowhere"):
        answer = client.get(page)
        policy = answer.headers["content-security-policy"]
        script = next(part for part in policy.split("; ") if part.startswith("script-src"))
        assert script == "script-src 'self'" and "default-src 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert not re.search(r"<script(?![^>]* src=)", answer.text), page
        assert not re.search(r"\son[a-z]+=", answer.text), page
        for address in re.findall(r'(?:src|href|action|data-chart)="([^"]*)"', answer.text):
            assert address.startswith(("/", "#")), address


def test_paths_lead_nowhere_else(client: httpx.Client):
    for path in (
        "/static/../settings.py", "/static/%2e%2e/settings.py", "/static/..%2fsettings.py",
        "/uploads/../../etc/passwd", "/uploads/..%2f..%2fetc%2fpasswd", "/assets/..%2f..%2fetc",
        "/api/v1/uploads/%2e%2e", "/api/v1/assets/../../../../etc/passwd/field.nc",
    ):  # fmt: skip
        assert client.get(path).status_code == 404, path


def test_a_refusal_repeats_nothing_that_was_sent(client: httpx.Client):
    answer = client.get("/api/v1/assets", params={"per_page": "secret-text"})
    assert answer.status_code == 422 and "secret-text" not in answer.text
    assert set(answer.json()) == {"error", "hint"}
