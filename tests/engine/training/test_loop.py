"""The loop: what it gives back, when it stops, and how it goes on after a kill."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agewise.engine.training import QUIET, AbstractObjective, Monitor, Rows, Stage, Trained, train
from agewise.engine.training.loop import FALLING, LONGEST, SMOOTHING
from agewise.engine.training.monitor import Bar
from agewise.engine.training.optimisers import OPTIMISERS
from agewise.errors import InputError

KEY = jax.random.key(0)
RNG = np.random.default_rng(0)
DESIGN = RNG.normal(size=(30, 3))
TARGET = DESIGN @ np.array([1.0, -2.0, 0.5]) + RNG.normal(scale=0.5, size=30)
STAGES = {
    "adam": Stage("adam", 60, 0.05, look=5, snapshots=2, renew=(4, 9)),
    "lbfgs": Stage("lbfgs", 60, look=5, snapshots=2, renew=(4, 9)),
    "gauss-newton": Stage("gauss-newton", 60, 1.0, look=5, snapshots=2, renew=(4, 9)),
}
"""Steps, rates and looks are the same in all tests, which so compile each once."""
ADAM = replace(STAGES["adam"], snapshots=1, renew=())
every_optimiser = pytest.mark.parametrize("name", STAGES)


class Line(AbstractObjective):
    """A straight line through mini-batches of noisy readings; a poisoned step is no number."""

    design: np.ndarray
    target: np.ndarray
    poison: np.ndarray
    """Key data of a step at which the errors are no numbers."""
    strength: float = 0.1
    kind: str = eqx.field(static=True, default="plain")

    @property
    def ridge(self):
        return self.strength

    def terms(self, params, aux, *, key):
        row, items = self.rows(aux, key=key)["fit"]
        errors = jax.vmap(row, (None, 0))(params["line"], items)
        prior = 0.5 * self.strength * jnp.sum(params["line"] ** 2)
        return {"fit": 0.5 * jnp.sum(errors**2), "prior": prior}

    def rows(self, aux, *, key):
        def row(params, item):
            inputs, target, scale = item
            return scale * (inputs @ params - target)

        picked = jax.random.randint(key, (10,), 0, 30)
        poisoned = jnp.all(jax.random.key_data(key) == jnp.asarray(self.poison))
        scale = jnp.where(poisoned, jnp.nan, jnp.sqrt(30 / 10 / aux["variance"]))
        inputs, targets = jnp.asarray(self.design)[picked], jnp.asarray(self.target)[picked]
        return {"fit": Rows(row, (inputs, targets, jnp.full(10, scale)))}


LINE = Line(DESIGN, TARGET, np.full(2, 2**32 - 1, dtype=np.uint32))
AUX = {"variance": np.array(0.5)}
SOLUTION = np.linalg.solve(DESIGN.T @ DESIGN + 0.05 * np.eye(3), DESIGN.T @ TARGET)
"""Where the full sum is lowest."""


def vector(params) -> np.ndarray:
    """Gauss-Newton takes a flat vector, the others any tree."""
    return np.asarray(params["line"] if isinstance(params, dict) else params)


def renewed(params, aux):
    """Half of the spread of the errors."""
    return {"variance": np.array(0.5 * np.mean((DESIGN @ vector(params) - TARGET) ** 2))}


def trained(
    stage: Stage,
    *,
    objective: Line = LINE,
    start: np.ndarray | None = None,
    aux=AUX,
    key=KEY,
    renewal=renewed,
    monitor: Monitor = QUIET,
) -> Trained:
    """One training of the line."""
    first = np.zeros(3) if start is None else start
    params = first if stage.optimiser == "gauss-newton" else {"line": first}
    return train(
        objective, params, aux, stage, name="line", key=key, renewal=renewal, monitor=monitor
    )


@lru_cache
def undisturbed(name: str) -> Trained:
    return trained(STAGES[name])


def assert_same(one: Trained, other: Trained) -> None:
    """To the bit."""
    np.testing.assert_array_equal(vector(one.params), vector(other.params))
    np.testing.assert_array_equal(one.aux["variance"], other.aux["variance"])
    assert list(one.history) == list(other.history)
    for term, values in one.history.items():
        np.testing.assert_array_equal(values, other.history[term])
    pairs = zip(one.snapshots, other.snapshots, strict=True)
    for a, b in pairs:
        np.testing.assert_array_equal(vector(a), vector(b))
    assert one.interrupted == other.interrupted


WAVERING = {"start": SOLUTION, "key": jax.random.key(5)}
"""A training with nothing to learn, whose smoothed objective is lowest on its way."""


def smoothed(totals: np.ndarray) -> list[float]:
    values = [totals[0]]
    for total in totals[1:]:
        values.append(SMOOTHING * values[-1] + (1 - SMOOTHING) * total)
    return values


@every_optimiser
def test_history_holds_every_term_and_their_sum(name: str):
    end = undisturbed(name)
    assert set(end.history) == {"step", "total", "fit", "prior"}
    np.testing.assert_array_equal(end.history["step"], np.arange(5, 65, 5))
    np.testing.assert_allclose(
        end.history["total"], end.history["fit"] + end.history["prior"], rtol=1e-12
    )
    assert len(end.snapshots) == 6
    assert not end.interrupted


def test_lbfgs_finds_the_minimum_of_its_one_batch():
    """That of a ridge, which numpy finds as a longer least-squares problem."""
    end = trained(replace(STAGES["lbfgs"], renew=()))
    with jax.enable_x64(True):
        picked = np.asarray(jax.random.randint(KEY, (10,), 0, 30))
    scale = np.sqrt(30 / 10 / 0.5)
    design = np.concatenate([scale * DESIGN[picked], np.sqrt(0.1) * np.eye(3)])
    target = np.concatenate([scale * TARGET[picked], np.zeros(3)])
    truth = np.linalg.lstsq(design, target, rcond=None)[0]
    np.testing.assert_allclose(vector(end.params), truth, rtol=1e-7)


@pytest.mark.parametrize("name", ["adam", "gauss-newton"])
def test_looking_more_often_changes_nothing(name: str):
    seldom, often = (
        trained(replace(STAGES[name], renew=(), snapshots=5 // look, look=look)) for look in (5, 1)
    )
    for one, other in zip(seldom.snapshots, often.snapshots, strict=True):
        np.testing.assert_array_equal(vector(one), vector(other))
    for term in ("fit", "prior"):
        means = often.history[term].reshape(-1, 5).mean(axis=1)
        np.testing.assert_allclose(seldom.history[term], means, rtol=1e-6)


@every_optimiser
def test_a_key_decides_the_result(name: str):
    assert_same(undisturbed(name), trained(STAGES[name]))
    other = trained(STAGES[name], key=jax.random.key(1))
    assert not np.isin(vector(other.params), vector(undisturbed(name).params)).any()


def test_the_lowest_comes_back_and_not_the_last():
    end = trained(ADAM, **WAVERING)
    lowest = int(np.argmin(smoothed(end.history["total"])))
    assert 0 < lowest < 11, "the lowest is somewhere in between"
    assert lowest != np.argmin(end.history["total"]), "it matters that it is smoothed"
    np.testing.assert_array_equal(vector(end.params), vector(end.snapshots[lowest]))
    assert not np.isin(vector(end.params), vector(end.snapshots[-1])).any()


@pytest.mark.parametrize("patience", [1, 2, 3])
def test_patience_ends_a_training_that_no_longer_falls(patience: int):
    whole = trained(ADAM, **WAVERING)
    end = trained(replace(ADAM, patience=patience), **WAVERING)
    falls = np.array(smoothed(whole.history["total"]))
    waited = [k - int(np.argmin(falls[: k + 1])) for k in range(12)]
    looks = 1 + next(k for k, count in enumerate(waited) if count == patience)
    assert looks < 12, "it stopped early"
    np.testing.assert_array_equal(end.history["total"], whole.history["total"][:looks])
    lowest = int(np.argmin(falls[:looks]))
    np.testing.assert_array_equal(vector(end.params), vector(whole.snapshots[lowest]))


def test_a_renewal_changes_what_is_held_fixed_and_the_lowest_is_sought_anew():
    def harder(params, aux):
        return {"variance": np.asarray(aux["variance"] / 100)}

    plain = trained(ADAM, start=SOLUTION)
    end = trained(replace(ADAM, renew=(6,)), start=SOLUTION, renewal=harder)
    assert end.aux["variance"] == pytest.approx(0.005, rel=1e-6)
    np.testing.assert_array_equal(end.history["total"][:6], plain.history["total"][:6])
    assert end.history["fit"][6:].min() > 10 * end.history["fit"][:6].max()
    lowest = 6 + int(np.argmin(smoothed(end.history["total"][6:])))
    np.testing.assert_array_equal(vector(end.params), vector(end.snapshots[lowest]))


SETTLING = Stage("adam", 12, look=2, settle=2)


def looks_of(stage: Stage, fall: float) -> tuple[int, list[int]]:
    """Looks that a stage makes, and those with a renewal, of an objective that falls like that."""
    totals, renewed = [], []
    while stage.goes_on({"step": np.arange(len(totals)), "total": np.array(totals)}):
        totals.append(fall ** len(totals))
        if stage.renews({"step": np.arange(len(totals)), "total": np.array(totals)}):
            renewed.append(len(totals))
    return len(totals), renewed


def test_a_stage_that_still_falls_goes_on_renewed_up_to_a_limit():
    slow, fast = FALLING**0.4, FALLING**0.6
    assert looks_of(SETTLING, slow) == (6, [])
    assert looks_of(SETTLING, fast) == (6 * LONGEST, list(range(6, 6 * LONGEST, 2)))
    assert looks_of(replace(SETTLING, settle=0), fast) == (6, [])
    assert looks_of(replace(SETTLING, settle=4), fast) == (6, []), "too few looks to tell"


def test_a_training_that_goes_on_makes_whole_looks():
    end = trained(replace(ADAM, steps=10, rate=0.5, settle=1))
    assert end.history["step"][:3].tolist() == [5, 10, 15]


def test_without_a_renewal_nothing_is_renewed():
    end = trained(STAGES["adam"], renewal=None)
    np.testing.assert_array_equal(end.aux["variance"], 0.5)


@pytest.mark.parametrize("name", ["adam", "gauss-newton"])
@pytest.mark.parametrize("step", [1, 5, 6, 38])
def test_what_is_no_number_is_told_with_its_step_and_term(name: str, step: int):
    poison = np.asarray(jax.random.key_data(jax.random.fold_in(KEY, step - 1)))
    with pytest.raises(InputError) as caught:
        trained(STAGES[name], objective=Line(DESIGN, TARGET, poison))
    assert caught.value.sentence == (
        f"Training 'line' failed at step {step}: 'fit' is not a finite number."
    )
    assert caught.value.hint


def test_lbfgs_tells_it_too():
    poison = np.asarray(jax.random.key_data(KEY))
    with pytest.raises(InputError, match=r"at step 1: 'fit'"):
        trained(STAGES["lbfgs"], objective=Line(DESIGN, TARGET, poison))


def test_every_term_that_is_no_number_is_named():
    start = np.full(3, np.inf)
    with pytest.raises(InputError, match=r"at step 1: 'fit' and 'prior' is not"):
        trained(STAGES["adam"], start=start)


@every_optimiser
def test_no_steps_give_back_the_start(name: str):
    start = np.array([1.0, 2.0, 3.0])
    end = trained(replace(STAGES[name], steps=0), start=start)
    np.testing.assert_array_equal(vector(end.params), start)
    assert (end.history, end.snapshots, end.interrupted) == ({}, [], False)


@dataclass(frozen=True)
class Disturbed(Monitor):
    """Somebody who lets a few looks pass, and then ends it."""

    looks: int = 0
    how: Callable[[], BaseException] = KeyboardInterrupt

    @contextmanager
    def bar(self, name: str) -> Iterator[Bar]:
        seen = []

        def look(done: int, total: int, text: str) -> None:
            if len(seen) == self.looks:
                raise self.how()
            seen.append(done)

        yield look


@every_optimiser
@pytest.mark.parametrize("looks", [0, 3])
def test_control_c_gives_back_the_best_so_far(name: str, looks: int):
    whole = undisturbed(name)
    end = trained(STAGES[name], monitor=Disturbed(looks=looks))
    assert end.interrupted
    for term, values in end.history.items():
        np.testing.assert_array_equal(values, whole.history[term][:looks])
    if looks == 0:
        np.testing.assert_array_equal(vector(end.params), 0.0)
    else:
        start, found = (
            np.sum((DESIGN @ p - TARGET) ** 2) for p in (np.zeros(3), vector(end.params))
        )
        assert found < start


def test_control_c_within_a_look_leaves_that_look_out():
    def impatient(params, aux):
        raise KeyboardInterrupt

    end = trained(replace(ADAM, renew=(6,)), renewal=impatient)
    assert end.interrupted
    np.testing.assert_array_equal(end.history["step"], np.arange(5, 30, 5))
    lowest = int(np.argmin(smoothed(end.history["total"])))
    np.testing.assert_array_equal(vector(end.params), vector(end.snapshots[lowest]))


@pytest.fixture
def always_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agewise.engine.training.checkpoint.CHECKPOINT_SECONDS", 0.0)


@every_optimiser
@pytest.mark.usefixtures("always_kept")
@pytest.mark.parametrize("how", [KeyboardInterrupt, MemoryError])
def test_a_training_broken_anywhere_goes_on_to_the_same_end(
    name: str, how: type[BaseException], tmp_path: Path
):
    rng, breaks = np.random.default_rng(sum(map(ord, name))), 0
    while breaks < 5:
        monitor = Disturbed(tmp_path, True, looks=int(rng.integers(0, 4)), how=how)
        try:
            if not trained(STAGES[name], monitor=monitor).interrupted:
                break
        except MemoryError:
            pass
        breaks += 1
    assert breaks == 5
    end = trained(STAGES[name], monitor=Monitor(tmp_path, resume=True))
    assert_same(end, undisturbed(name))
    assert [path.name for path in tmp_path.iterdir()] == ["line.npz"]


@pytest.mark.parametrize("patience", [0, 2, 3])
def test_a_break_at_every_look_changes_neither_patience_nor_the_lowest(
    patience: int, tmp_path: Path
):
    stage = replace(ADAM, patience=patience)
    whole = trained(stage, **WAVERING)
    assert not np.array_equal(vector(whole.params), vector(whole.snapshots[-1]))
    for _ in whole.history["step"][1:]:
        assert trained(stage, **WAVERING, monitor=Disturbed(tmp_path, True, looks=1)).interrupted
    assert_same(trained(stage, **WAVERING, monitor=Disturbed(tmp_path, True, looks=1)), whole)


@every_optimiser
def test_a_finished_training_makes_no_more_steps(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    end = trained(STAGES[name], monitor=Monitor(tmp_path / "deep" / "down"))

    def step(*args, **options):
        raise AssertionError("a step was made")

    monkeypatch.setattr(OPTIMISERS[name], "advance", step)
    monitor = Monitor(tmp_path / "deep" / "down", resume=True)
    assert_same(trained(STAGES[name], monitor=monitor), end)


def test_one_that_ran_out_of_patience_is_finished_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    stage = replace(ADAM, patience=1)
    end = trained(stage, start=SOLUTION, monitor=Monitor(tmp_path))
    assert len(end.history["step"]) < 12
    monkeypatch.setattr(OPTIMISERS["adam"], "advance", None)
    assert_same(trained(stage, start=SOLUTION, monitor=Monitor(tmp_path, resume=True)), end)


def test_without_resuming_a_training_starts_anew(tmp_path: Path):
    """Even over what is no checkpoint at all."""
    (tmp_path / "line.npz").write_text("nothing of the sort")
    end = trained(STAGES["gauss-newton"], monitor=Monitor(tmp_path))
    assert_same(end, undisturbed("gauss-newton"))
    again = trained(STAGES["gauss-newton"], monitor=Monitor(tmp_path, resume=True))
    assert_same(again, end)


Options = dict[str, object]
OTHERS: dict[str, Options] = {
    "data": {"objective": Line(DESIGN, TARGET + 0.01, LINE.poison)},
    "settings": {"objective": Line(DESIGN, TARGET, LINE.poison, strength=0.2)},
    "seed": {"key": jax.random.key(1)},
    "start": {"start": np.ones(3)},
    "noise": {"aux": {"variance": np.array(0.6)}},
    "stage": {"stage": replace(STAGES["gauss-newton"], steps=61)},
    "look": {"stage": replace(STAGES["gauss-newton"], look=4)},
}
MISSED: dict[str, Options] = {
    "data by a little": {"objective": Line(DESIGN, TARGET * (1 + 1e-9), LINE.poison)},
    "a long seed": {"key": jax.random.key(20260103)},
    "a setting that is no leaf": {"objective": Line(DESIGN, TARGET, LINE.poison, kind="other")},
    "the shape of the data": {"objective": Line(DESIGN.reshape(3, 30), TARGET, LINE.poison)},
}


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """A folder in which a training of that seed was left."""

    @lru_cache
    def of(seed: int) -> Path:
        folder = tmp_path_factory.mktemp("left")
        monitor = Disturbed(folder, looks=1)
        trained(STAGES["gauss-newton"], key=jax.random.key(seed), monitor=monitor)
        return folder

    return of


def refused(folder: Path, options: Options) -> None:
    before = (folder / "line.npz").read_bytes()
    with pytest.raises(InputError, match=r"line.npz belongs to another training") as caught:
        trained(
            **({"stage": STAGES["gauss-newton"]} | options),  # pyright: ignore[reportArgumentType]
            monitor=Disturbed(folder, resume=True, looks=0),
        )
    assert "`resume=True`" in caught.value.hint
    assert (folder / "line.npz").read_bytes() == before


@pytest.mark.parametrize("options", OTHERS.values(), ids=OTHERS)
def test_the_checkpoint_of_another_training_is_refused(options: Options, left):
    refused(left(0), options)


@pytest.mark.parametrize("options", MISSED.values(), ids=MISSED)
def test_the_checkpoint_of_a_nearby_training_is_refused(options: Options, left, tmp_path: Path):
    # Such a test would spoil what it is given if it failed.
    folder = left(20260104 if "key" in options else 0)
    (tmp_path / "line.npz").write_bytes((folder / "line.npz").read_bytes())
    refused(tmp_path, options)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_half_a_checkpoint_is_refused(share: float, left, tmp_path: Path):
    whole = (left(0) / "line.npz").read_bytes()
    (tmp_path / "line.npz").write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(InputError, match=r"line.npz cannot be read as arrays") as caught:
        trained(STAGES["gauss-newton"], monitor=Monitor(tmp_path, resume=True))
    assert "delete its folder" in caught.value.hint


def test_a_bar_is_drawn_on_stderr_and_changes_nothing(capsys: pytest.CaptureFixture[str]):
    assert_same(
        trained(STAGES["gauss-newton"], monitor=Monitor(terminal=True)),
        undisturbed("gauss-newton"),
    )
    assert capsys.readouterr().out == ""


# The child kills itself: at a look, or with half of a checkpoint written.
CHILD = """
import importlib.util, os, signal, sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("test_loop", sys.argv[1])
loop = importlib.util.module_from_spec(spec)
sys.modules["test_loop"] = loop
spec.loader.exec_module(loop)
from agewise import files
from agewise.engine.training import checkpoint

checkpoint.CHECKPOINT_SECONDS = 0.0
folder, look, write = Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])

def killed():
    os.kill(os.getpid(), signal.SIGKILL)

writes = iter(range(100))
flush = files.flush_to_disk

def dying(path):
    if next(writes) == write:
        path.write_bytes(path.read_bytes()[:500])
        killed()
    flush(path)

files.flush_to_disk = dying
monitor = loop.Disturbed(folder, True, looks=look, how=killed)
loop.trained(loop.STAGES["gauss-newton"], monitor=monitor)
"""


def test_a_killed_process_goes_on_to_the_same_end(tmp_path: Path):
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}

    def child(look: int, write: int) -> int:
        arguments = [__file__, str(tmp_path), str(look), str(write)]
        run = subprocess.run([sys.executable, "-c", CHILD, *arguments], env=environment)
        return run.returncode

    assert child(look=4, write=99) == -signal.SIGKILL
    assert child(look=99, write=3) == -signal.SIGKILL
    end = trained(STAGES["gauss-newton"], monitor=Disturbed(tmp_path, True, looks=1))
    assert len(end.history["step"]) == 4 + 3 + 1, "what was done is not done again"
    end = trained(STAGES["gauss-newton"], monitor=Monitor(tmp_path, resume=True))
    assert_same(end, undisturbed("gauss-newton"))
