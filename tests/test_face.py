"""The public face: its names, their types, what it takes and what it refuses."""

# A comment that ignores nothing is an error in this file, so `make types` fails as soon as the type
# checker no longer sees one of the mistakes below.
# pyright: reportUnnecessaryTypeIgnoreComment=true

import ast
import doctest
import inspect
import itertools
import re
import sys
from dataclasses import fields
from pathlib import Path
from typing import assert_type, get_type_hints

import numpy as np
import pandas as pd
import pytest
from commands import one_figure

import agewise
from agewise.assessment.inputs import given_nameplate, given_profile
from agewise.assessment.oil.settings import Choices
from agewise.plant.quantity import Quantity

NAMES = sorted(set(agewise.__all__) - {"__version__"})  # pyright: ignore[reportAttributeAccessIssue]


def test_a_directory_of_the_package_shows_the_public_names_alone():
    import agewise.assessment.plain_answers  # adds `assessment` to the module, not to its face

    assert dir(agewise) == sorted([*NAMES, "__version__"])
    assert all(getattr(agewise, name) is not None for name in NAMES)


def test_type_checkers_see_the_names_that_the_interpreter_finds():
    tree = ast.parse(Path(agewise.__file__).read_text("utf-8"))
    (branch,) = (node for node in tree.body if isinstance(node, ast.If))
    shown = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(shown, key=str) == NAMES
    for name, place in shown.items():
        module, _, own = place.rpartition(".")
        assert getattr(agewise, str(name)) is getattr(sys.modules[module], own)


def never_run(profile: agewise.Profile, nameplate: agewise.Nameplate) -> None:
    """What a type checker must say about right and wrong uses of the public names."""
    assert_type(agewise.assess(profile, nameplate, method="vi", quick=True), agewise.Assessment)
    assert_type(agewise.assess("profile.csv", Path("nameplate.toml")), agewise.Assessment)
    assert_type(agewise.calibrate("profile.csv", nameplate, hold="forward"), agewise.Nameplate)
    agewise.reed_profile("profile.csv")  # pyright: ignore[reportAttributeAccessIssue]
    agewise.Settings(nonsense=3)  # pyright: ignore[reportCallIssue]
    agewise.assess(profile, nameplate, nonsense=3)  # pyright: ignore[reportCallIssue]
    agewise.assess(profile, nameplate, seed="one")  # pyright: ignore[reportArgumentType]
    agewise.assess(None, nameplate)  # pyright: ignore[reportArgumentType]


def test_keyword_arguments_of_assess_are_the_fields_of_the_settings():
    hints = get_type_hints(agewise.Settings)
    assert get_type_hints(Choices) == {
        field.name: hints[field.name] for field in fields(agewise.Settings)
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where `agewise twin --out demo` was run, as the page of reference says."""
    home = tmp_path_factory.mktemp("face")
    twin = agewise.make_twin(agewise.TwinSettings(seed=0, days=0.5))
    agewise.write_twin(twin, home / "demo")
    return home


@pytest.mark.parametrize("name", NAMES)
def test_examples_of_public_names_run(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder)
    one_figure(monkeypatch)
    text = inspect.getdoc(getattr(agewise, name))
    assert text and ">>> " in text, f"{name} has no example"
    examples = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    failures: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=failures.append)
    assert not failures, "".join(failures)


def test_public_functions_say_what_they_take_and_give():
    for name in NAMES:
        if inspect.isfunction(function := inspect.unwrap(getattr(agewise, name))):
            text = inspect.getdoc(function) or ""
            assert "Args:" in text, name
            for argument in inspect.signature(function).parameters:
                assert re.search(rf"^    \*{{0,2}}{argument}: ", text, re.M), f"{name}: {argument}"
            assert "Returns:" in text or get_type_hints(function)["return"] is type(None), name


def test_fields_of_public_classes_say_what_they_hold():
    """Editors show the text below a field: it must be there, and a whole sentence."""
    for name in NAMES:
        if not inspect.isclass(public := getattr(agewise, name)):
            continue
        (body,) = (
            node.body
            for node in ast.parse(Path(inspect.getfile(public)).read_text("utf-8")).body
            if isinstance(node, ast.ClassDef) and node.name == name
        )
        for field, below in itertools.pairwise([*body, ast.Pass()]):
            if isinstance(field, ast.AnnAssign) and not ast.unparse(field.target).startswith("_"):
                text = below.value if isinstance(below, ast.Expr) else None
                said = text.value if isinstance(text, ast.Constant) else ""
                sentence = re.fullmatch(r"[A-Z`].*\.", str(said).strip(), re.DOTALL)
                assert sentence, f"{name}.{ast.unparse(field.target)}: {said!r}"


def test_a_choice_by_keyword_wins_over_the_settings(folder: Path):
    paths = folder / "demo/profile.csv", folder / "demo/nameplate.toml"
    fitted = agewise.assess(*paths, agewise.Settings(method="solver", seed=3), method="line")
    assert fitted.settings == agewise.Settings(method="line", seed=3)


def test_a_path_is_read_where_a_profile_or_a_nameplate_is_expected(folder: Path):
    profile, nameplate = folder / "demo/profile.csv", folder / "demo/nameplate.toml"
    read = agewise.read_profile(profile), agewise.read_nameplate(nameplate)
    by_path, by_object = agewise.iec_answer(str(profile), nameplate), agewise.iec_answer(*read)
    assert np.array_equal(by_path.hot_spot, by_object.hot_spot)
    by_path = agewise.reference_field(profile, str(nameplate))
    assert by_path.equals(agewise.reference_field(*read))


def test_loads_in_a_file_are_read_with_the_rated_current_of_the_nameplate(folder: Path):
    nameplate = agewise.read_nameplate(folder / "demo/nameplate.toml")
    rated = nameplate.model_copy(update={"rated_current_a": Quantity(mean=50.0)})
    table = pd.read_csv(folder / "demo/profile.csv")
    table.assign(load=50.0 * table["load"]).rename(columns={"load": "load [A]"}).to_csv(
        folder / "amperes.csv", index=False
    )
    read = given_profile(folder / "amperes.csv", rated)
    assert read.load == pytest.approx(table["load"].to_numpy())


@pytest.mark.parametrize(
    ("given", "sentence", "hint"),
    [
        (None, "The profile is None, not a profile.", "agewise.read_profile(path)"),
        (pd.Series([1.0]), "The profile is of type Series, not a profile.", "a table of pandas"),
        (np.zeros(3), "The profile is of type ndarray, not a profile.", "the path of its file"),
        ("nowhere.csv", "There is no file nowhere.csv.", "check the path"),
    ],
)
def test_what_is_no_profile_is_refused_in_a_sentence(
    given: object, sentence: str, hint: str, folder: Path
):
    with pytest.raises(agewise.InputError) as refusal:
        given_profile(given, agewise.read_nameplate(folder / "demo/nameplate.toml"))
    assert refusal.value.sentence == sentence
    assert hint in refusal.value.hint


def test_what_is_no_nameplate_is_refused_in_a_sentence():
    with pytest.raises(agewise.InputError, match="The nameplate is of type dict, not a nameplate"):
        given_nameplate({"rated_power_kva": 1000.0})


@pytest.mark.parametrize("name", ["assess", "calibrate", "iec_answer", "reference_field"])
def test_every_public_function_refuses_what_is_no_profile_or_nameplate(name: str, folder: Path):
    # The type checks of the tests would refuse it before ours do, as no user's session does.
    function = inspect.unwrap(getattr(agewise, name))
    unit = agewise.read_nameplate(folder / "demo/nameplate.toml")
    profile = agewise.read_profile(folder / "demo/profile.csv")
    for given in ((None, unit), (unit, unit), (profile, None), (profile, profile)):
        with pytest.raises(agewise.InputError, match=r"not a (profile|nameplate)"):
            function(*given)


def test_a_scenario_that_is_no_profile_is_refused_in_a_sentence(folder: Path):
    paths = folder / "demo/profile.csv", folder / "demo/nameplate.toml"
    fitted = agewise.assess(*paths, method="line", quick=True)
    with pytest.raises(agewise.InputError, match="scenario is of type Nameplate, not a"):
        inspect.unwrap(agewise.conclusion)(fitted, scenario=fitted.nameplate)
    with pytest.raises(agewise.InputError, match="There is no file nowhere"):
        agewise.conclusion(fitted, scenario="nowhere.csv")
