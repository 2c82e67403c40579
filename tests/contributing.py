"""The examples of the page on extending, so that contract tests run on them too."""

import re
from pathlib import Path
from typing import Any

GUIDE = Path(__file__).parents[1] / "docs/extending.md"


def example(section: str, name: str) -> Any:
    """What the code of a section of the guide calls by this name."""
    text = GUIDE.read_text("utf-8").split(f"## {section}\n")[1].split("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    namespace: dict[str, Any] = {"__name__": f"example_{name.lower()}"}
    exec(compile(code, f"{GUIDE.name}, {section}", "exec"), namespace)
    return namespace[name]
