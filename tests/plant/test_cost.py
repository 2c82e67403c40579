"""Findings are ordered by what they cost the answer, by one rule, and those alike are one."""

import ast
from pathlib import Path

import pytest

import agewise
from agewise.assessment.decision.finding import AboutData, Finding, data_findings
from agewise.plant.cost import INFORMING, LEVELS, QUESTIONING, by_cost, cost
from agewise.plant.joined_findings import joined_findings
from agewise.plant.record import DataFinding


def found(kind: str, column: str, where: str, doubt_k: float = 0.0) -> DataFinding:
    text = f"{column}: no value in {where}; left out."
    return DataFinding(kind, column, 3, "a", "b", "left out", text, doubt_k=doubt_k)


def test_what_stops_comes_before_what_widens_before_what_informs():
    stops = Finding("nameplate", "", mend="Find the thermometer.")
    widest, wide = Finding("promise", "", doubt_k=12.0), Finding("bias", "", doubt_k=2.0)
    questions, informs = Finding("assumed", ""), found("guess", "load", "1 cell")
    every = [informs, questions, wide, widest, stops]
    assert by_cost(every) == every[::-1]
    assert [cost(one) for one in every] == ["informs", "widens", "widens", "widens", "stops"]


def test_what_makes_the_oil_doubtful_widens_whatever_its_kind():
    assert cost(found("missing", "load", "1 cell")) == "informs"
    assert cost(found("missing", "load", "1 cell", doubt_k=1.0)) == "widens"


def test_findings_that_cost_the_same_keep_their_order():
    alike = [found("gap", str(number), "1 cell") for number in range(5)]
    assert by_cost(alike) == alike


def kinds_in_the_source() -> set[str]:
    """First arguments of all calls that make a finding."""
    makers = {"Finding", "RuleFinding", "DataFinding", "note", "noted"}
    second = {"rule_findings", "_stretch_findings"}
    kinds = set()
    for path in Path(agewise.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            made = getattr(call, "func", None)
            name = getattr(made, "id", getattr(made, "attr", ""))
            if isinstance(call, ast.Call) and call.args and name in makers | second:
                kind = call.args[name in second]
                kinds |= {kind.value} if isinstance(kind, ast.Constant) else set()
    return {kind for kind in kinds if isinstance(kind, str)}


def test_every_kind_of_finding_has_one_place_in_the_order():
    order = QUESTIONING + INFORMING
    assert len(set(order)) == len(order)
    assert kinds_in_the_source() == set(order)


def test_findings_of_one_kind_are_one_sentence_with_every_column_once():
    columns = ["load", "ambient", "top_oil"]
    (one,) = joined_findings([found("missing", name, "2 cells, line 7") for name in columns])
    assert one.text == (
        "load, ambient and top_oil: no value (load in 2 cells, line 7; ambient in 2 cells, line 7; "
        "top_oil in 2 cells, line 7); left out."
    )
    assert one.column == "load,ambient,top_oil"
    notes = [DataFinding("guess", name, 1, "", "", "assumed", f"{name}.") for name in columns]
    assert joined_findings(notes)[0].text == "3 things were guessed. load. ambient. top_oil."


def test_joined_findings_make_the_oil_as_doubtful_as_each_by_itself():
    apart = [found("bias", "top_oil", "a", 3.0), found("bias", "bottom_oil", "b", 4.0)]
    assert joined_findings(apart)[0].doubt_k == pytest.approx(5.0)
    assert joined_findings(apart[:1]) == apart[:1]


def test_the_answer_says_what_each_finding_costs():
    twin = agewise.make_twin(agewise.TwinSettings(seed=0, days=0.2))
    found_there = data_findings(twin.profile)
    said = AboutData("gap", "", found("gap", "", ""))
    assert said.as_dict()["cost"] in LEVELS
    assert all(one.as_dict()["cost"] in LEVELS for one in found_there)
