"""`agewise report` as a user meets it."""

from pathlib import Path

import pytest
from commands import here, one_figure


def test_a_deleted_page_is_written_anew_and_the_run_stays_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from agewise.assessment.grid import Grid
    from agewise.assessment.oil.settings import Settings
    from agewise.assessment.runs import assessed_run
    from agewise.store.run import load_run
    from agewise.twin.twin import TwinSettings, make_twin
    from agewise.twin.twin_file import write_twin

    write_twin(make_twin(TwinSettings(seed=100, days=0.3)), tmp_path)
    files = (tmp_path / "profile.csv", tmp_path / "nameplate.toml", tmp_path / "run")
    # Without a report: the folder has no page yet.
    run = assessed_run(*files, Settings(method="line", quick=True), grid=Grid(5, 60.0))
    one_figure(monkeypatch)
    done = here("report", run.directory, "--pdf")
    assert done.returncode == 0, done.stderr
    page = (run.directory / "report.html").read_text("utf-8")
    assert page.index("The answer") < page.index("What was assumed") < page.index("Findings")
    assert (run.directory / "report.pdf").read_bytes().startswith(b"%PDF")
    assert load_run(run.directory).files == run.files
