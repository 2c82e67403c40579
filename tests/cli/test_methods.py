"""Methods on the command line."""

from agewise.assessment.oil.methods import METHODS, SUMMARIES
from agewise.engine.equations.methods.registry import METHODS as ANY
from tests.commands import here


def test_every_method_is_listed_with_its_sentence():
    assert set(SUMMARIES) == set(METHODS)
    listed = here("methods")
    assert listed.returncode == 0, listed.stderr
    for name, summary in [*SUMMARIES.items(), *((n, m.summary) for n, m in ANY.items())]:
        assert any(
            line.split(maxsplit=1) == [name, summary] for line in listed.stdout.splitlines()
        ), name
