"""What the site needs beyond MkDocs: pages from the root of the repository, notebooks, equations.

MkDocs calls these functions by name while it builds.
"""

import json
import posixpath
import re
from html import escape, unescape
from pathlib import Path, PurePosixPath
from typing import Any

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
FROM_ROOT = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages that lie outside `docs` because people look for them there, and their names on the site."""
LINK = re.compile(r"\]\((?!https?:|#|mailto:)(?P<target>[^)\s#]+)")
EQUATION = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\[(\[](?P<latex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie outside `docs`."""
    for source, name in FROM_ROOT.items():
        text = (ROOT / source).read_text("utf-8")
        files.append(File.generated(config, name, content=text))
    for notebook in sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        text = _page(json.loads(notebook.read_text("utf-8")), notebook.name)
        files.append(File.generated(config, f"notebooks/{notebook.stem}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links between files of the repository become links between pages of the site."""
    sources = {name: source for source, name in FROM_ROOT.items()}
    own = sources.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def on_site(link: re.Match[str]) -> str:
        address = _site_address(link["target"], PurePosixPath(own))
        # Pages of a folder are one level below the others.
        return f"]({posixpath.relpath(address, posixpath.dirname(page.file.src_uri) or '.')}"

    return LINK.sub(on_site, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Equations become MathML, which browsers draw by themselves: no script, nothing fetched."""

    def drawn(found: re.Match[str]) -> str:
        display = "block" if found["tag"] == "div" else "inline"
        return convert(unescape(found["latex"]).strip(), display=display)

    return EQUATION.sub(drawn, html)


def _page(notebook: dict[str, Any], name: str) -> str:
    """An executed notebook as a page: its text, its code, and what that showed."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        else:
            parts += [f"```python\n{source}\n```", *map(_shown, cell["outputs"])]
    return "\n\n".join([*parts, f"[This page as a notebook]({name})"])


def _shown(output: dict[str, Any]) -> str:
    """An output of a cell in the richest form that it has."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    if "image/png" in data:
        said = escape("".join(data["text/plain"]), quote=True)
        return f'<img alt="{said}" src="data:image/png;base64,{data["image/png"]}">'
    if "text/html" in data:
        # In one line: a blank one, or one that is indented, would be Markdown again.
        return f"<div>{' '.join(''.join(data['text/html']).split())}</div>"
    return f"```text\n{''.join(data['text/plain']).rstrip()}\n```"


def _site_address(target: str, own: PurePosixPath) -> str:
    """The address on the site of what a file of the repository links to."""
    place = (ROOT / own.parent / target).resolve()
    if not place.is_relative_to(ROOT):
        return target
    inside = place.relative_to(ROOT).as_posix()
    return FROM_ROOT.get(inside, inside.removeprefix("docs/"))
