"""The code in the documentation runs."""

import re
from pathlib import Path

import pytest

from agewise.twin.twin import TwinSettings, make_twin, write_twin

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["README.md", "docs/model.md", "docs/bpinn.md", "docs/api.md"])
def test_python_snippets_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    snippets = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    assert snippets
    write_twin(make_twin(TwinSettings(seed=0, days=0.5)), tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    for snippet in snippets:
        exec(compile(snippet, page, "exec"), {})


def test_links_and_pictures_are_there():
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
