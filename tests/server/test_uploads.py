"""An upload ends as an asset or in a sentence; its size, time and memory are bounded."""

import io
import json
import shutil
import zipfile
from pathlib import Path

import httpx
import pytest
from fleets import MadeFleet
from serving import Served

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.server.answers import ProblemError
from agewise.server.settings import UploadLimits
from agewise.server.views.asset import asset_view
from agewise.server.views.shelf import Shelf
from agewise.server.work import child
from agewise.server.work.accepted import Registrar
from agewise.server.work.bounded import Bounds, ending_of
from agewise.server.work.desk import Desk
from agewise.server.work.upload import Upload, kept_name, read_upload, write_upload

pytestmark = pytest.mark.xdist_group("server")
UPLOAD = {
    "id": "20261101-020000-0123456789abcdef", "asset": "a", "name": "a",
    "files": ["a.csv", "nameplate.toml"], "sent": "2026-11-01T02:00:00Z", "sent_by": "me",
}  # fmt: skip


def sent(client: httpx.Client, profile: tuple[str, bytes], nameplate: bytes, **form: str):
    files = {"profile": profile, "nameplate": ("n.toml", nameplate)}
    return client.post("/api/v1/uploads", files=files, data=form)


def ended(server: Served, client: httpx.Client, answer: httpx.Response) -> dict:
    assert answer.status_code == 202, answer.text
    server.app.state.desk.wait(answer.json()["id"], 110)
    return client.get(f"/api/v1/uploads/{answer.json()['id']}").json()


def test_an_upload_becomes_an_asset_with_the_answer_of_the_command(
    own: MadeFleet, monkeypatch: pytest.MonkeyPatch
):
    """In this process, where all is compiled; the browser's test has it in one of its own."""
    upload = Upload.model_validate(
        UPLOAD | {"name": "North <1>", "criticality": 7.0, "method": "line"}
    )
    folder = own.directory / "uploads" / upload.id
    folder.mkdir(parents=True)
    shutil.copy(own.profile, folder / "a.csv")
    shutil.copy(own.nameplate, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(child, "bound_memory", lambda megabytes: None)
    order = {"file": "a.csv", "method": "line", "quick": True, "rows": 5000, "megabytes": 1}
    child.main([json.dumps(order)])
    assert json.loads((folder / "progress.json").read_text()) == {"stage": "done"}
    with Catalogue(own.directory) as catalogue:
        Registrar(catalogue, own.directory)(upload, folder, 1.0)
        shelf = Shelf(own.directory)
        view = asset_view(catalogue, shelf, upload.asset)
        first = asset_view(catalogue, shelf, "T0")
    assert (view.asset.name, view.asset.criticality) == ("North <1>", 7.0)
    # The same files and settings as those of the fleet's own runs.
    assert view.sections and first.sections
    assert view.sections.answer.headlines == first.sections.answer.headlines


def test_an_upload_is_done_when_its_asset_is_there_not_before(tmp_path: Path):
    upload = Upload.model_validate(UPLOAD)
    write_upload(tmp_path, upload)
    (tmp_path / "progress.json").write_text('{"stage": "done"}')
    assert read_upload(tmp_path).stage == "assessing"


def bomb() -> bytes:
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(30):
            member.write(bytes(5_000_000))
    return packed.getvalue()


def test_a_bad_file_ends_in_a_sentence_and_leaves_no_asset(
    server: Served, client: httpx.Client, fleet: MadeFleet
):
    before = client.get("/api/v1/assets").json()["total"]
    record = ("rec.xlsx", bomb())
    refused = ended(server, client, sent(client, record, fleet.nameplate.read_bytes()))
    assert refused["stage"] == "refused", refused
    assert refused["sentence"].endswith(".") and refused["hint"]
    assert str(fleet.directory) not in json.dumps(refused)
    folder = fleet.directory / "uploads" / refused["id"]
    assert not (folder / record[0]).exists()
    assert client.get("/api/v1/assets").json()["total"] == before


def test_what_is_too_large_is_refused_whatever_its_header_says(client: httpx.Client):
    large = bytes(2_100_000)
    answer = sent(client, ("a.csv", large), b"")
    assert answer.status_code == 413 and "larger than 2 MB" in answer.json()["error"]

    def pieces():
        yield b'--x\r\nContent-Disposition: form-data; name="profile"; filename="a.csv"\r\n\r\n'
        for _ in range(50):
            yield bytes(100_000)

    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    chunked = client.post("/api/v1/uploads", content=pieces(), headers=kind)
    assert chunked.status_code == 413 and "larger than 2 MB" in chunked.json()["error"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\data\\rec.CSV", "rec.CSV"),
        ("a\x00b;c$(rm).csv", "a_b_c__rm_.csv"),
        (".csv", None),
        ("evil.exe", None),
        ("", None),
        ("x" * 300 + ".parquet", "x" * 72 + ".parquet"),
    ],
)
def test_a_file_keeps_nothing_of_its_path(given: str, kept: str | None):
    assert kept_name(given) == kept


def test_a_process_is_ended_for_its_time_and_its_memory(tmp_path: Path):
    def ending(seconds: float, megabytes: float, statement: str) -> str:
        words = ["-n1", "-r1", statement]
        bounds = Bounds(seconds, megabytes)
        return ending_of("timeit", words, bounds, folder=tmp_path, log=tmp_path / "log").kind

    sleep = "import time; time.sleep({})"
    assert ending(0.5, 500, sleep.format(30)) == "too long"
    assert ending(30, 100, f"x = bytearray(10**8) + b'1'; {sleep.format(30)}") == "too large"
    assert ending(30, 500, "pass") == "done"
    assert ending(30, 500, "raise ValueError") == "broken"


def test_a_crowd_is_refused_and_what_was_interrupted_is_told(tmp_path: Path):
    upload = Upload.model_validate(UPLOAD)
    folder = tmp_path / upload.id
    folder.mkdir()
    write_upload(folder, upload)
    desk = Desk(tmp_path, UploadLimits(waiting=0), lambda *_: None)
    told = desk.upload(upload.id)
    assert (told.stage, told.hint) == ("failed", "send it again.")
    with pytest.raises(ProblemError, match="waiting already"):
        desk.refuse_crowd()
    desk.close()


@pytest.mark.parametrize(
    ("rows", "nameplate", "why"),
    [(100, None, "an upload may have 100"), (5000, b"not toml [", "nameplate.toml")],
)
def test_too_many_rows_and_no_nameplate_are_refused(
    made: MadeFleet,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rows: int,
    nameplate: bytes | None,
    why: str,
):
    """In this process: what one of its own adds is told by the bomb above."""
    shutil.copy(made.profile, tmp_path / "a.csv")
    (tmp_path / "nameplate.toml").write_bytes(nameplate or made.nameplate.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(child, "bound_memory", lambda megabytes: None)
    order = {"file": "a.csv", "method": "line", "quick": True, "rows": rows, "megabytes": 1}
    child.main([json.dumps(order)])
    told = json.loads((tmp_path / "progress.json").read_text())
    assert told["stage"] == "refused" and why in told["sentence"] and told["hint"]
    assert str(tmp_path) not in json.dumps(told)
