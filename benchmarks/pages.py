"""The pages of a fleet under load: many visitors at once, large and bad uploads, any request.

    .venv/bin/python benchmarks/pages.py FLEET --only load,uploads,api

FLEET is a folder that `agewise fleet assess` has made; a copy is served, which uploads may change.
Needs the extras `fleet` and `dev`.
"""

import argparse
import asyncio
import io
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[1]
GOOD = (200, 304)
MEGABYTE = 1_000_000
PATIENCE_S = 300
"""Time that an answer may take [s]: a rating is worked out by a process of its own."""


@contextmanager
def serving(fleet: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server of its own process, as a user starts it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = "from agewise.cli import main; main()"
    words = ["serve", str(fleet), "--port", str(port), *options]
    with (fleet / "serve.log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-c", command, *words], stdout=log, stderr=subprocess.STDOUT
        )
        try:
            address = f"http://localhost:{port}"
            while server.poll() is None:
                try:
                    httpx.get(f"{address}/login", timeout=5)
                    break
                except httpx.TransportError:
                    time.sleep(0.2)
            yield address, server
        finally:
            server.terminate()
            server.wait()


def megabytes(process: int, which: str = "VmHWM") -> float:
    """Memory of a process, at its highest or now [MB]."""
    status = Path(f"/proc/{process}/status").read_text()
    (kilobytes,) = [line.split()[1] for line in status.splitlines() if line.startswith(which)]
    return float(kilobytes) * 1024 / MEGABYTE


def processor_seconds(process: int) -> float:
    """Time of the processor that a process has taken [s]: it tells the same on a busy machine."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _visit(client: httpx.AsyncClient, pages: list[str], until: float) -> list[tuple]:
    seen, turn = [], 0
    while time.perf_counter() < until:
        page = pages[turn % len(pages)]
        turn += 1
        begun = time.perf_counter()
        try:
            status = (await client.get(page)).status_code
        except httpx.HTTPError as error:
            status = type(error).__name__
        seen.append((page, status, time.perf_counter() - begun))
    return seen


async def _crowd(address: str, pages: list[str], users: int, seconds: float) -> list[tuple]:
    limits = httpx.Limits(max_connections=users, max_keepalive_connections=users)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=60) as client:
        until = time.perf_counter() + seconds
        # Half of them begin with the other page, so that both are asked for at any moment.
        orders = [pages if n % 2 else pages[::-1] for n in range(users)]
        visits = await asyncio.gather(*(_visit(client, order, until) for order in orders))
    return [one for visit in visits for one in visit]


def load(fleet: Path, users: int, seconds: float) -> None:
    with serving(fleet) as (address, server):
        listed = httpx.get(f"{address}/api/v1/assets", params={"per_page": "1000"}).json()
        told = [a["id"] for a in listed["assets"] if a["state"] in ("act", "watch", "load on")]
        views = (httpx.get(f"{address}/api/v1/assets/{one}").json() for one in told)
        asset = next(view["asset"]["id"] for view in views if view["sections"])
        pages = ["/", f"/assets/{asset}"]
        for page in pages:
            begun = time.perf_counter()
            httpx.get(address + page, timeout=60)
            print(f"one visitor    {page:<12} {time.perf_counter() - begun:.3f} s")
        before = processor_seconds(server.pid)
        seen = asyncio.run(_crowd(address, pages, users, seconds))
        peak, taken = megabytes(server.pid), processor_seconds(server.pid) - before
    print(f"{listed['total']} assets, {users} users, {seconds:g} s, server {peak:.0f} MB at most, ",
          f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", sep="")  # fmt: skip
    print(f"the server's processor: {taken:.1f} s, {1000 * taken / len(seen):.0f} ms a request")
    for page in pages:
        times = sorted(t for p, _, t in seen if p == page)
        wrong = sum(status not in GOOD for p, status, _ in seen if p == page)
        p99 = times[min(len(times) - 1, int(0.99 * len(times)))]
        print(f"{page:<26} {len(times)} requests, errors {wrong}, "
              f"median {statistics.median(times):.2f} s, p99 {p99:.2f} s")  # fmt: skip


def bomb(megabytes: int) -> bytes:
    """A workbook of a few kilobytes a gigabyte that unpacks to zeros."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(megabytes):
            member.write(bytes(MEGABYTE))
    return packed.getvalue()


def bad_files(nameplate: bytes) -> dict[str, tuple[tuple[str, bytes], bytes]]:
    """What people send by mistake or on purpose: a record and a nameplate each."""
    import gzip

    lines = b"time,load,ambient,top_oil\n"
    days = b"".join(b"2026-01-%02dT00:00:00Z,0.5,20,40\n" % n for n in range(1, 29))
    record = ("r.csv", lines + days)
    return {
        "empty record": (("r.csv", b""), nameplate),
        "header alone": (("r.csv", lines), nameplate),
        "zeros": (("r.csv", bytes(MEGABYTE)), nameplate),
        "random bytes": (("r.csv", os.urandom(MEGABYTE)), nameplate),
        "a picture": (("r.csv", b"\x89PNG\r\n\x1a\n" + os.urandom(10_000)), nameplate),
        "one endless line": (("r.csv", b"1," * (10 * MEGABYTE)), nameplate),
        "no load": (("r.csv", b"time,ambient\n2026-01-01T00:00Z,1\n"), nameplate),
        "text for numbers": (("r.csv", lines + b"soon,much,warm,hot\n" * 50), nameplate),
        "zip bomb .xlsx, 4 GB": (("r.xlsx", bomb(4000)), nameplate),
        "gzip bomb, 4 GB": (("r.csv.gz", gzip.compress(bytes(MEGABYTE)) * 4000), nameplate),
        "broken Parquet": (("r.parquet", b"PAR1" + bytes(1000) + b"PAR1"), nameplate),
        "nameplate: no TOML": (record, b"\xff\xfe["),
        "nameplate: deep brackets": (record, b"a = " + b"[" * 100_000),
        "nameplate: impossible": (record, b"rated_power_kva = -1\nno_load_losses_w = 1"),
        "nameplate: 20 MB": (record, b"#" * (20 * MEGABYTE)),
        "four rows": (("r.csv", lines + days[:132]), nameplate),
    }


def uploads(fleet: Path, nameplate: bytes, memory: float) -> None:
    with serving(fleet, "--most-memory", str(memory)) as (address, server):
        client = httpx.Client(base_url=address, timeout=600)
        idle = megabytes(server.pid, "VmRSS")

        def pieces() -> Iterator[bytes]:
            yield b'--x\r\nContent-Disposition: form-data; name="profile"; filename="a.csv"\r\n\r\n'
            yield from (bytes(MEGABYTE) for _ in range(200))

        form = {"Content-Type": "multipart/form-data; boundary=x"}
        told = {**form, "Content-Length": str(sum(map(len, pieces())))}
        for name, headers in (("200 MB, announced", told), ("200 MB, unannounced", form)):
            answer = client.post("/api/v1/uploads", content=pieces(), headers=headers)
            print(f"{name:<26} {answer.status_code} {answer.json()['error']}")
        for name, (record, plate) in bad_files(nameplate).items():
            files = {"profile": record, "nameplate": ("n.toml", plate)}
            answer = client.post("/api/v1/uploads", files=files)
            told = answer.json()
            while answer.status_code == 202 and told["stage"] in (
                "waiting",
                "reading",
                "assessing",
            ):
                time.sleep(0.2)
                told = client.get(f"/api/v1/uploads/{told['id']}").json()
            said = told.get("error") or f"{told['stage']}: {told['sentence']}"
            print(f"{name:<26} {answer.status_code} {said[:150]}")
        print(f"server: {idle:.0f} MB before, {megabytes(server.pid):.0f} MB at most")
    log = (fleet / "serve.log").read_text()
    print("500s in the log:", log.count(" 500 "))


def api(fleet: Path, examples: int) -> None:
    with serving(fleet) as (address, _):
        command = [str(Path(sys.executable).with_name("schemathesis")), "run"]
        command += [f"{address}/api/v1/openapi.json", "--max-examples", str(examples)]
        command += ["--checks", "not_a_server_error,response_schema_conformance,"
                    "status_code_conformance,content_type_conformance", "--seed", "1",
                    "--request-timeout", str(PATIENCE_S)]  # fmt: skip
        subprocess.run(command, check=False)
    print("500s in the log:", (fleet / "serve.log").read_text().count(" 500 "))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fleet", type=Path)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--examples", type=int, default=50)
    parser.add_argument("--memory", type=float, default=3000.0)
    parser.add_argument("--only", default="load,uploads,api")
    given = parser.parse_args()
    wanted = given.only.split(",")
    with tempfile.TemporaryDirectory() as work:
        fleet = Path(work) / "fleet"
        shutil.copytree(given.fleet, fleet)
        if "load" in wanted:
            load(fleet, given.users, given.seconds)
        if "uploads" in wanted:
            plates = sorted(fleet.rglob("nameplate.toml"))
            uploads(fleet, plates[0].read_bytes(), given.memory)
        if "api" in wanted:
            api(fleet, given.examples)


if __name__ == "__main__":
    main()
