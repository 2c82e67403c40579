"""An upload ends as an asset or in a sentence; its size, time and memory are bounded."""

import io
import json
import zipfile
from pathlib import Path

import httpx
import pytest
from fleets import MadeFleet
from serving import Served, served

from agewise.server.answers import ProblemError
from agewise.server.settings import ServerSettings, UploadLimits
from agewise.server.work.bounded import Bounds, ending_of
from agewise.server.work.desk import Desk
from agewise.server.work.upload import Upload, kept_name, write_upload

pytestmark = pytest.mark.xdist_group("server")


def sent(client: httpx.Client, profile: tuple[str, bytes], nameplate: bytes, **form: str):
    files = {"profile": profile, "nameplate": ("n.toml", nameplate)}
    return client.post("/api/v1/uploads", files=files, data=form)


def ended(server: Served, client: httpx.Client, answer: httpx.Response) -> dict:
    assert answer.status_code == 202, answer.text
    server.app.state.desk.wait(answer.json()["id"], 110)
    return client.get(f"/api/v1/uploads/{answer.json()['id']}").json()


def test_an_upload_becomes_an_asset_with_the_answer_of_the_command(
    server: Served, client: httpx.Client, fleet: MadeFleet
):
    form = {"name": "North <1>", "site": "Here", "criticality": "7", "method": "line"}
    record = ("rec.csv", fleet.profile.read_bytes())
    done = ended(server, client, sent(client, record, fleet.nameplate.read_bytes(), **form))
    assert done["stage"] == "done", done
    view = client.get(f"/api/v1/assets/{done['asset']}").json()
    assert (view["asset"]["name"], view["asset"]["criticality"]) == ("North <1>", 7.0)
    # The same files and settings as those of the fleet's own runs.
    own = client.get("/api/v1/assets/T1").json()["sections"]["answer"]["headlines"]
    assert view["sections"]["answer"]["headlines"] == own


def bomb() -> bytes:
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(30):
            member.write(bytes(5_000_000))
    return packed.getvalue()


def test_bad_files_end_in_a_sentence_and_leave_no_asset(
    server: Served, client: httpx.Client, fleet: MadeFleet
):
    before = client.get("/api/v1/assets").json()["total"]
    good = fleet.nameplate.read_bytes()
    cases = [
        (("rec.csv", fleet.profile.read_bytes()), b"not toml ["),
        (("rec.xlsx", bomb()), good),
    ]
    for record, nameplate in cases:
        refused = ended(server, client, sent(client, record, nameplate))
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
    upload = Upload.model_validate(
        {"id": "20261101-020000-0123456789abcdef", "asset": "a", "name": "a", "files": ["a.csv"],
         "sent": "2026-11-01T02:00:00Z", "sent_by": "me"}
    )  # fmt: skip
    folder = tmp_path / upload.id
    folder.mkdir()
    write_upload(folder, upload)
    desk = Desk(tmp_path, UploadLimits(waiting=0), lambda *_: None)
    told = desk.upload(upload.id)
    assert (told.stage, told.hint) == ("failed", "send it again.")
    with pytest.raises(ProblemError, match="waiting already"):
        desk.refuse_crowd()
    desk.close()


def test_too_many_rows_are_refused(own: MadeFleet):
    settings = ServerSettings(own.directory, limits=UploadLimits(rows=100))
    with served(settings) as server, server.client() as client:
        record = ("rec.csv", own.profile.read_bytes())
        refused = ended(server, client, sent(client, record, own.nameplate.read_bytes()))
    assert refused["stage"] == "refused" and "an upload may have 100" in refused["sentence"]
