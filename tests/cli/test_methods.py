"""Methods on the command line."""

from typing import get_args

from agewise.assessment.oil.methods import METHODS, SUMMARIES, YARDSTICKS
from agewise.engine.equations.methods.registry import METHODS as ANY
from agewise.server.work.receiving import Method
from tests.commands import here


def test_every_method_is_listed_with_its_sentence():
    assert set(SUMMARIES) == set(METHODS)
    listed = here("methods")
    assert listed.returncode == 0, listed.stderr
    for name, summary in [*SUMMARIES.items(), *((n, m.summary) for n, m in ANY.items())]:
        assert any(
            line.split(maxsplit=1) == [name, summary] for line in listed.stdout.splitlines()
        ), name


def test_the_help_of_assess_names_every_method_for_the_oil():
    shown = here("assess", "--help").stdout
    for name in METHODS:
        assert name in shown.replace(",", " ").replace(";", " ").replace(".", " ").split(), name


def test_an_upload_may_choose_every_method_that_takes_seconds():
    assert set(get_args(Method)) == set(YARDSTICKS)
