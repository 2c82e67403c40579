"""A run is there whole or not at all, is never worked out twice, and never silently wrong."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st

from agewise import __version__
from agewise.arrays import read_arrays, write_arrays
from agewise.errors import InputError
from agewise.store import writing
from agewise.store.identity import Identity, fingerprint
from agewise.store.json_file import read_json, write_json
from agewise.store.run import FORMAT, finished_run, load_run
from agewise.store.writing import writing_run

IDENTITY = Identity(
    method="map",
    settings={"layers": (20, 20), "training": {"steps": 100, "rate": 1e-3}, "paper": None},
    seed=7,
    inputs={"profile": "a" * 64, "nameplate": "b" * 64},
)
ARRAYS = {
    "weights": np.arange(12.0).reshape(3, 4),
    "single": np.linspace(0, 1, 5, dtype=np.float32),
    "counts": np.array([2**62, -1]),
    "mask": np.array([True, False]),
    "complex": np.array([1 + 2j]),
    "fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "odd": np.array([np.nan, np.inf, -0.0]),
    "names": np.array(["öl", "油温"]),
    "times": np.array(["2024-03-31T01:00"], dtype="datetime64[s]"),
    "big-endian": np.array([1, 2], dtype=">i4"),
    "scalar": np.array(3.5),
    "empty": np.empty((0, 3), dtype=np.int8),
    "σ/Größe.npy": np.array([1]),
    "file": np.array([2]),
    "allow_pickle": np.array([3]),
}
FILES = ["posterior.npz", "field.nc", "summary.json", "run.json", "more/notes.txt"]
Tamper = Callable[[Path], object]


def fill(folder: Path, text: str = "field") -> None:
    write_arrays(folder / "posterior.npz", ARRAYS)
    (folder / "field.nc").write_bytes(text.encode())
    write_json(folder / "summary.json", {"hot_spot": {"mean": 98.0, "unit": "°C"}})
    (folder / "more").mkdir()
    (folder / "more" / "notes.txt").write_text("notes")


def make_run(directory: Path, identity: Identity = IDENTITY, text: str = "field") -> None:
    with writing_run(directory, identity) as folder:
        fill(folder, text)


def refusal(call: Callable[[], object]) -> InputError:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.hint.endswith(".")
    return caught.value


def content(directory: Path) -> dict[str, bytes]:
    found = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


# --- what is written comes back -------------------------------------------------------------------


def test_arrays_come_back_bit_for_bit(tmp_path: Path):
    path = tmp_path / "a.npz"
    write_arrays(path, ARRAYS)
    back = read_arrays(path)
    assert list(back) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert back[name].dtype == array.dtype
        assert back[name].shape == array.shape
        assert back[name].tobytes() == array.tobytes()
    with np.load(path) as archive:
        assert set(archive) == set(ARRAYS), "anyone's numpy reads it"


def test_equal_arrays_give_equal_bytes_at_any_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write_arrays(tmp_path / "a.npz", ARRAYS)
    monkeypatch.setattr(time, "time", lambda: 2e9)
    write_arrays(tmp_path / "b.npz", ARRAYS)
    assert fingerprint(tmp_path / "a.npz") == fingerprint(tmp_path / "b.npz")


plain = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False)
json_values = st.recursive(
    plain.filter(lambda x: x not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=20)
@given(values=st.dictionaries(st.text(), json_values, max_size=4))
def test_settings_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, Any]
):
    identity = replace(IDENTITY, settings=values)
    directory = tmp_path_factory.mktemp("law") / "out"
    with writing_run(directory, identity):
        pass
    assert load_run(directory).identity == identity


def test_a_run_comes_back(out: Path):
    before = datetime.now(UTC).replace(microsecond=0)
    make_run(out)
    run = load_run(out)
    assert run.identity == IDENTITY
    assert set(read_arrays(run.directory / "posterior.npz")) == set(ARRAYS)
    assert read_json(run.directory / "summary.json") == {"hot_spot": {"mean": 98.0, "unit": "°C"}}
    assert (run.directory / "field.nc").read_bytes() == b"field"
    assert run.versions["agewise"] == __version__
    assert run.versions["numpy"] == np.__version__
    assert set(run.versions) == {"agewise", "numpy", "scipy", "jax", "python"}
    assert before <= run.created <= datetime.now(UTC)
    assert set(run.files) == set(FILES) - {"run.json"}
    assert run.files["more/notes.txt"]["size"] == 5
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_a_run_may_be_moved_and_added_to(out: Path):
    make_run(out)
    moved = out.rename(out.parent / "moved")
    (moved / "report.html").write_text("made later")
    assert load_run(moved).identity == IDENTITY


REPORT = ["report.html", "figures/hot_spot.png"]
"""Made from the rest, and outside the seal."""


@pytest.mark.parametrize("name", REPORT)
@pytest.mark.parametrize("old", [False, True], ids=["now", "sealed by an older agewise"])
def test_a_touched_report_leaves_a_run_as_good_as_it_was(out: Path, name: str, old: bool):
    with writing_run(out, IDENTITY) as folder:
        fill(folder)
        (folder / "figures").mkdir()
        for each in REPORT:
            (folder / each).write_text("drawn")
    if old:
        record = {"size": 5, "sha256": hashlib.sha256(b"drawn").hexdigest()}
        more = dict.fromkeys(REPORT, record)
        reseal(out / "run.json", lambda manifest: manifest["files"].update(more))
    assert load_run(out).identity == IDENTITY
    (out / name).write_text("drawn anew")
    assert load_run(out).identity == IDENTITY
    (out / name).unlink()
    assert load_run(out).identity == IDENTITY
    assert finished_run(out, IDENTITY) is not None


def test_only_the_report_is_outside_the_seal(out: Path):
    with writing_run(out, IDENTITY) as folder:
        fill(folder)
        (folder / "more" / "report.html").write_text("another file of that name")
        (folder / "figures.csv").write_text("another file")
    for name in ("more/report.html", "figures.csv"):
        content = (out / name).read_text()
        (out / name).write_text("touched")
        assert "has changed" in refusal(lambda: load_run(out)).sentence
        (out / name).write_text(content)


def test_json_is_for_people_and_for_every_reader(tmp_path: Path):
    path = tmp_path / "a.json"
    write_json(path, {"b": "°C", "a": 1})
    assert path.read_text("utf-8") == '{\n  "a": 1,\n  "b": "°C"\n}\n'
    with pytest.raises(ValueError, match="JSON"):
        write_json(path, {"a": float("nan")})
    assert read_json(path) == {"a": 1, "b": "°C"}


def test_a_fingerprint_is_of_the_content(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "b").write_bytes(b"abc")
    os.utime(tmp_path / "b", (0, 0))
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2, B.1
    assert fingerprint(tmp_path / "a") == fingerprint(tmp_path / "b") == known
    for path in (tmp_path / "none", tmp_path):
        assert str(path) in refusal(lambda path=path: fingerprint(path)).sentence


def test_a_fingerprint_of_several_files_does_not_depend_on_their_order(tmp_path: Path):
    paths = [tmp_path / name for name in "abc"]
    for path in paths:
        path.write_text(path.name)
    assert fingerprint(paths) == fingerprint(paths[::-1]) != fingerprint(paths[:2])
    assert fingerprint(paths[:1]) == fingerprint(paths[0])


def test_settings_that_json_cannot_hold_are_refused_before_any_work():
    with pytest.raises(ValueError, match="JSON"):
        replace(IDENTITY, settings={"rate": float("nan")})
    with pytest.raises(TypeError, match="JSON"):
        replace(IDENTITY, settings={"path": Path()})


def test_looking_into_a_run_does_not_wake_jax():
    program = "import sys, agewise.store.run; sys.exit('jax' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


# --- never worked out twice -----------------------------------------------------------------------


def test_the_same_question_finds_its_answer(out: Path):
    assert finished_run(out, IDENTITY) is None
    make_run(out)
    before = content(out)
    run = finished_run(out, replace(IDENTITY, settings=dict(reversed(IDENTITY.settings.items()))))
    assert run == load_run(out)
    assert content(out) == before


OTHERS = {
    "method is map there, vi here": replace(IDENTITY, method="vi"),
    "seed is 7 there, 8 here": replace(IDENTITY, seed=8),
    "setting training.steps is 100 there, 200 here": replace(
        IDENTITY, settings=IDENTITY.settings | {"training": {"steps": 200, "rate": 1e-3}}
    ),
    "setting paper is null there, absent here": replace(
        IDENTITY, settings={k: v for k, v in IDENTITY.settings.items() if k != "paper"}
    ),
    "setting extra is absent there, {} here": replace(
        IDENTITY, settings=IDENTITY.settings | {"extra": {}}
    ),
    f"sha256 of the profile is {'a' * 32} there, {'c' * 32} here": replace(
        IDENTITY, inputs=IDENTITY.inputs | {"profile": "c" * 64}
    ),
    f"sha256 of the truth is absent there, {'d' * 32} here": replace(
        IDENTITY, inputs=IDENTITY.inputs | {"truth": "d" * 64}
    ),
}


@pytest.mark.parametrize("difference", OTHERS)
def test_another_question_is_refused_and_the_difference_named(out: Path, difference: str):
    make_run(out)
    before = content(out)
    other = OTHERS[difference]
    for call in (lambda: finished_run(out, other), lambda: writing_run(out, other).__enter__()):
        error = refusal(call)
        assert error.sentence == f"{out} holds another run: {difference}."
        assert "another `directory`" in error.hint
    assert content(out) == before


def test_many_differences_are_counted(out: Path):
    make_run(out)
    other = Identity(method="vi", settings={}, seed=0, inputs=IDENTITY.inputs)
    sentence = refusal(lambda: finished_run(out, other)).sentence
    assert sentence.count(" there, ") == 3
    assert sentence.endswith("; and 3 more.")


# --- what is there already ------------------------------------------------------------------------


def test_an_empty_folder_is_fine(out: Path):
    out.mkdir()
    make_run(out)
    assert load_run(out).identity == IDENTITY


def test_a_link_to_an_empty_folder_is_fine(out: Path):
    (out.parent / "disk").mkdir()
    out.symlink_to("disk")
    make_run(out)
    assert out.is_symlink()
    assert load_run(out.parent / "disk").identity == IDENTITY


def test_missing_parents_are_made(out: Path):
    make_run(out / "deep" / "er")
    assert load_run(out / "deep" / "er").identity == IDENTITY


@pytest.mark.parametrize("call", [load_run, lambda out: finished_run(out, IDENTITY), make_run])
def test_what_is_not_a_run_is_left_as_it_is(out: Path, call: Callable[[Path], object]):
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    error = refusal(lambda: call(out))
    assert f"{out} holds no run.json" in error.sentence
    assert content(out.parent) == {"out/thesis.tex": b"years of work"}


@pytest.mark.parametrize("call", [load_run, lambda out: finished_run(out, IDENTITY), make_run])
def test_a_file_in_the_place_is_left_as_it_is(out: Path, call: Callable[[Path], object]):
    out.write_text("years of work")
    assert f"{out} is not a folder" in refusal(lambda: call(out)).sentence
    assert content(out.parent) == {"out": b"years of work"}


def test_a_file_in_the_place_of_a_parent_is_named(out: Path):
    out.write_text("")
    assert "a folder is needed" in refusal(lambda: make_run(out / "deep" / "er")).sentence


def test_there_is_nothing_to_load_where_there_is_nothing(out: Path):
    assert str(out) in refusal(lambda: load_run(out)).sentence


def test_the_current_folder_cannot_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert "inside it" in refusal(lambda: make_run(Path())).hint
    assert tmp_path.is_dir()


# --- never silently wrong -------------------------------------------------------------------------


def flip(path: Path, at: float = 0.5) -> None:
    data = bytearray(path.read_bytes())
    data[int(at * len(data))] ^= 1
    path.write_bytes(data)


def to_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Tamper] = {
    "flip": flip,
    "flip the end": lambda path: flip(path, 1 - 1e-9),
    "truncate": lambda path: path.write_bytes(path.read_bytes()[:-2]),
    "empty": lambda path: path.write_bytes(b""),
    "extend": lambda path: path.write_bytes(path.read_bytes() + b"x"),
    "delete": Path.unlink,
    "folder": to_folder,
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FILES)
def test_every_damage_to_every_file_is_seen_and_named(out: Path, name: str, damage: str):
    make_run(out)
    DAMAGES[damage](out / name)
    before = content(out)
    for call in (lambda: load_run(out), lambda: finished_run(out, IDENTITY), lambda: make_run(out)):
        error = refusal(call)
        assert name in error.sentence
        assert str(out) in error.sentence
        assert "make the run again" in error.hint or "another `directory`" in error.hint
    assert content(out) == before


def test_no_byte_of_the_manifest_is_idle(out: Path):
    with writing_run(out, IDENTITY):
        pass
    path = out / "run.json"
    data = path.read_bytes()
    for place in range(0, len(data), 2):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert "run.json" in refusal(lambda: load_run(out)).sentence


MANIFESTS = {
    "garbage": b"\xff\xfe\x00garbage",
    "text": b"run finished ok",
    "list": b"[]",
    "number": b"3",
    "null": b"null",
    "object": b"{}",
    "foreign": b'{"format": "x", "runs": [1, 2], "seal": null}',
    "not a number": b'{"format": NaN, "seed": 1e999}',
    "deep": b"[" * 100_000,
    "deep object": b'{"a":' * 100_000,
    "long number": b'{"a": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_a_foreign_manifest_is_refused(out: Path, manifest: str):
    make_run(out)
    (out / "run.json").write_bytes(MANIFESTS[manifest])
    assert str(out / "run.json") in refusal(lambda: load_run(out)).sentence


def reseal(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """A manifest that someone has changed and sealed anew."""
    manifest = json.loads(path.read_text("utf-8"))
    del manifest["seal"]
    change(manifest)
    text = json.dumps(manifest, sort_keys=True)
    manifest["seal"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(manifest))


def test_a_manifest_sealed_anew_is_as_good(out: Path):
    make_run(out)
    reseal(out / "run.json", lambda manifest: manifest["identity"].update(seed=8))
    assert load_run(out).identity.seed == 8


@pytest.mark.parametrize("key", ["format", "identity", "versions", "created", "files"])
@pytest.mark.parametrize("value", [None, 0, [], ["x"], "text", {"x": None}, {"x": {"size": None}}])
def test_a_sealed_manifest_of_wrong_types_is_refused(out: Path, key: str, value: object):
    make_run(out)
    if key == "created" and value == 0:
        value = {}  # Seconds since 1970 are a time to pydantic.
    reseal(out / "run.json", lambda manifest: manifest.update({key: value}))
    assert "run.json" in refusal(lambda: load_run(out)).sentence


@pytest.mark.parametrize("key", ["format", "identity", "versions", "created", "files"])
def test_a_sealed_manifest_with_a_missing_key_is_refused(out: Path, key: str):
    make_run(out)
    reseal(out / "run.json", lambda manifest: manifest.pop(key))
    assert "run.json" in refusal(lambda: load_run(out)).sentence


@pytest.mark.parametrize("key", ["method", "settings", "seed", "inputs"])
def test_a_sealed_identity_with_a_missing_key_is_refused(out: Path, key: str):
    make_run(out)
    reseal(out / "run.json", lambda manifest: manifest["identity"].pop(key))
    assert f"identity.{key}" in refusal(lambda: load_run(out)).sentence


def test_a_newer_format_asks_for_a_newer_agewise(out: Path):
    make_run(out)
    manifest = json.loads((out / "run.json").read_text("utf-8")) | {"format": FORMAT + 1}
    (out / "run.json").write_text(json.dumps(manifest))
    error = refusal(lambda: load_run(out))
    assert f"run.json has format {FORMAT + 1}" in error.sentence
    assert "newer agewise" in error.hint


class Trap:
    def __reduce__(self):
        return (os.mkdir, (str(Path.cwd() / "sprung"),))


def test_a_pickle_is_neither_written_nor_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.npz"
    trap = np.array([Trap()], dtype=object)
    with pytest.raises(ValueError, match="allow_pickle"):
        write_arrays(path, {"trap": trap})
    assert list(tmp_path.iterdir()) == []
    np.savez(path, trap=trap)
    assert str(path) in refusal(lambda: read_arrays(path)).sentence
    assert not (tmp_path / "sprung").exists()


def foreign_member(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", b"not an array")


def huge_header(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive, archive.open("a.npy", "w") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (2**50,)}
        np.lib.format.write_array_header_1_0(file, header)


def broken_checksum(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive, archive.open("a.npy", "w") as file:
        np.lib.format.write_array(file, np.zeros(8), allow_pickle=False)
    path.write_bytes(path.read_bytes().replace(b"\0" * 64, b"\0" * 32 + b"\1" * 32))


def bare_array(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.zeros(3))


@pytest.mark.parametrize(
    "damage",
    [
        Path.mkdir,
        foreign_member,
        huge_header,
        broken_checksum,
        lambda path: None,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"PK\x03\x04 and so on"),
        bare_array,
    ],
)
def test_arrays_that_cannot_be_read_are_named(tmp_path: Path, damage: Tamper):
    path = tmp_path / "a.npz"
    damage(path)
    assert str(path) in refusal(lambda: read_arrays(path)).sentence


# --- whole or not at all --------------------------------------------------------------------------


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
@pytest.mark.parametrize("was_there", [[], ["out"]])
def test_a_failure_inside_leaves_nothing(
    out: Path, failure: type[BaseException], was_there: list[str]
):
    for name in was_there:
        (out.parent / name).mkdir()
    with pytest.raises(failure), writing_run(out, IDENTITY) as folder:
        fill(folder)
        assert finished_run(out, IDENTITY) is None, "nothing is there before it is whole"
        raise failure
    assert [str(path.relative_to(out.parent)) for path in out.parent.rglob("*")] == was_there


def test_every_file_has_reached_the_disk_before_the_run_is_there(
    out: Path, monkeypatch: pytest.MonkeyPatch
):
    flushed: set[int] = set()

    def fsync(descriptor: int):
        assert not out.exists()
        flushed.add(os.fstat(descriptor).st_ino)

    monkeypatch.setattr(os, "fsync", fsync)
    make_run(out)
    assert flushed >= {(out / name).stat().st_ino for name in FILES}


def test_a_failure_of_the_seal_leaves_nothing(out: Path, monkeypatch: pytest.MonkeyPatch):
    def broken(_: int):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="Input/output"), writing_run(out, IDENTITY) as folder:
        (folder / "field.nc").write_text("field")
    assert list(out.parent.iterdir()) == []


def test_permissions_are_ordinary(out: Path):
    make_run(out)
    (out.parent / "other").mkdir()
    assert out.stat().st_mode == (out.parent / "other").stat().st_mode


# It hears Ctrl-C also where the tests themselves were started in the background, which mutes it.
WRITER = """
import json, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from pathlib import Path
from agewise.errors import InputError
from agewise.store.identity import Identity
from agewise.store.run import load_run
from agewise.store.writing import writing_run
out, seed, text, go = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
try:
    identity = Identity(method="map", settings={}, seed=seed, inputs={})
    with writing_run(out, identity) as folder:
        (folder / "field.nc").write_text(text)
        print("inside", flush=True)
        while not go.exists():
            time.sleep(0.0005)
    print("answer", (load_run(out).directory / "field.nc").read_text())
except InputError as error:
    print("refused", error.sentence)
except KeyboardInterrupt:
    print("interrupted")
"""
SMALL = Identity(method="map", settings={}, seed=0, inputs={})


@pytest.fixture
def writer(out: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start processes that write a run and wait inside for the file `go`."""
    started: list[subprocess.Popen[str]] = []

    def start(seed: int = 0, text: str = "child") -> subprocess.Popen[str]:
        command = [sys.executable, "-c", WRITER, str(out), str(seed), text, str(out.parent / "go")]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def wait_inside(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "inside\n"


def test_a_killed_writer_leaves_nothing_that_matters(out: Path, writer: Any):
    killed, alive = writer(), writer()
    for process in (killed, alive):
        wait_inside(process)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    innocent = [out.parent / ".out.writing-notes", out.parent / f".other.writing-{'0' * 16}"]
    for folder in innocent:
        folder.mkdir()

    def left() -> set[Path]:
        return set(out.parent.glob(".out.writing-*")) - set(innocent)

    before = left()
    assert len(before) == 4, "a folder and a lock of each"
    assert finished_run(out, SMALL) is None
    with writing_run(out, SMALL) as folder:
        kept = left() & before
        assert len(kept) == 2, "what the dead have left is gone before the work begins"
        (folder / "field.nc").write_text("fresh")
    assert (load_run(out).directory / "field.nc").read_text() == "fresh"
    assert left() == kept, "the folder of a living writer is not touched"
    assert all(folder.is_dir() for folder in innocent)
    (out.parent / "go").touch()
    assert alive.communicate()[0] == "answer fresh\n"
    assert left() == set()


def test_what_the_dead_leave_is_swept_whatever_part_of_it_is_there(out: Path):
    """A lock whose folder was never made, and a folder of the time before there were locks."""
    (out.parent / f".out.writing-{'a' * 16}.lock").touch()
    (out.parent / f".out.writing-{'b' * 16}").mkdir()
    make_run(out)
    assert [path.name for path in out.parent.iterdir()] == ["out"]


@pytest.mark.parametrize("done", [False, True])
def test_a_lock_that_is_taken_for_a_dead_ones_is_made_anew(
    out: Path, monkeypatch: pytest.MonkeyPatch, done: bool
):
    """Another writer finds its file before it is held, and is still sweeping or has done so."""
    make, others = writing._lock, []

    def found_by_another(folder: Path) -> FileLock:
        lock = make(folder)
        if not others:
            others.append(make(folder))
            if done:
                acquire, sweep = lock.acquire, Path(lock.lock_file).unlink
                monkeypatch.setattr(lock, "acquire", lambda **how: (acquire(**how), sweep()))
            else:
                others[0].acquire()
        return lock

    monkeypatch.setattr(writing, "_lock", found_by_another)
    with writing_run(out, SMALL) as folder:
        lock = folder.with_name(f"{folder.name}.lock")
        assert lock.exists() and str(lock) != others[0].lock_file, "nobody sweeps this folder"
        (folder / "field.nc").write_text("mine")
    assert (load_run(out).directory / "field.nc").read_text() == "mine"


def test_the_file_of_a_lock_is_removed_while_it_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Once it is released, a file of that name may be another writer's."""
    lock, seen = writing._lock(tmp_path / "run"), []
    lock.acquire()
    release = lock.release
    monkeypatch.setattr(
        lock, "release", lambda: (seen.append(Path(lock.lock_file).exists()), release())
    )
    writing._free(lock)
    assert seen == [False]


def test_an_interrupted_writer_cleans_up(out: Path, writer: Any):
    process = writer()
    wait_inside(process)
    process.send_signal(signal.SIGINT)
    assert process.communicate()[0] == "interrupted\n"
    assert list(out.parent.iterdir()) == []


@pytest.mark.parametrize("seeds", [(0, 0), (0, 1)])
def test_of_racing_writers_the_first_wins_and_stays_whole(
    out: Path, writer: Any, seeds: tuple[int, ...]
):
    racers = [writer(seed, f"text of {n}") for n, seed in enumerate(seeds)]
    for process in racers:
        wait_inside(process)
    (out.parent / "go").touch()
    heard = [process.communicate()[0].strip() for process in racers]
    run = load_run(out)
    text = (run.directory / "field.nc").read_text()
    answered = [line for line in heard if line == f"answer {text}"]
    refused = [line for line in heard if line.startswith(f"refused {out} holds another run: seed")]
    assert len(answered) == (2 if seeds[0] == seeds[1] else 1)
    assert len(answered) + len(refused) == 2
    assert run.identity.seed == seeds[int(text[-1])]
    assert sorted(path.name for path in out.parent.iterdir()) == ["go", "out"]


@pytest.mark.parametrize("same", [True, False])
def test_who_finishes_second_leaves_the_first_untouched(out: Path, same: bool):
    first = IDENTITY if same else replace(IDENTITY, seed=8)

    def second():
        with writing_run(out, IDENTITY) as folder:
            fill(folder, "second")
            make_run(out, first, "first")

    if same:
        second()
    else:
        assert "seed is 8 there, 7 here" in refusal(second).sentence
    assert load_run(out).identity == first
    assert (load_run(out).directory / "field.nc").read_bytes() == b"first"
    assert [path.name for path in out.parent.iterdir()] == ["out"]


# --- disks ----------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    try:
        command = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(disk)]
        mounted = subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("mounting a small disk is not permitted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_told_and_leaves_nothing(small_disk: Path):
    def call():
        with writing_run(small_disk / "out", IDENTITY) as folder:
            (folder / "field.nc").write_bytes(b"0" * 50_000)
            write_arrays(folder / "posterior.npz", {"draws": np.zeros(100_000)})

    error = refusal(call)
    assert "disk is full" in error.sentence
    assert str(small_disk / "out") in error.sentence
    assert list(small_disk.iterdir()) == []


def test_a_disk_that_fills_up_before_the_seal_leaves_nothing(small_disk: Path):
    filler = small_disk / "filler"

    def call():
        full = pytest.raises(OSError, match="No space")
        with writing_run(small_disk / "out", IDENTITY), full:
            filler.write_bytes(b"0" * 300_000)

    assert "disk is full" in refusal(call).sentence
    assert list(small_disk.iterdir()) == [filler]


def test_the_root_of_a_disk_cannot_be_replaced(small_disk: Path):
    error = refusal(lambda: make_run(small_disk))
    assert "cannot be replaced" in error.sentence
    make_run(small_disk / "run")
    assert load_run(small_disk / "run").identity == IDENTITY


def test_bytes_are_packed_and_a_bomb_is_not_opened(tmp_path: Path):
    noisy = np.random.default_rng(0).integers(0, 4, 10_000).astype(np.uint8)
    write_arrays(tmp_path / "small.npz", {"noisy": noisy})
    assert (tmp_path / "small.npz").stat().st_size < noisy.nbytes / 2
    assert (read_arrays(tmp_path / "small.npz")["noisy"] == noisy).all()
    # Zeros pack too well: our own are kept as they are, and a file that packs them is refused.
    write_arrays(tmp_path / "zeros.npz", {"zeros": np.zeros(10**6, np.uint8)})
    assert read_arrays(tmp_path / "zeros.npz")["zeros"].nbytes == 10**6
    np.savez_compressed(tmp_path / "bomb.npz", zeros=np.zeros(10**6))
    with pytest.raises(InputError, match="cannot be read as arrays"):
        read_arrays(tmp_path / "bomb.npz")
