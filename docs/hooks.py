"""What the site needs beyond MkDocs: pages from the root of the repository, and equations.

MkDocs calls these functions by name while it builds.
"""

import re
from html import unescape
from pathlib import Path, PurePosixPath

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
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links between files of the repository become links between pages of the site."""
    sources = {name: source for source, name in FROM_ROOT.items()}
    own = sources.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def on_site(link: re.Match[str]) -> str:
        return f"]({_site_address(link['target'], PurePosixPath(own))}"

    return LINK.sub(on_site, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Equations become MathML, which browsers draw by themselves: no script, nothing fetched."""

    def drawn(found: re.Match[str]) -> str:
        display = "block" if found["tag"] == "div" else "inline"
        return convert(unescape(found["latex"]).strip(), display=display)

    return EQUATION.sub(drawn, html)


def _site_address(target: str, own: PurePosixPath) -> str:
    """The address on the site of what a file of the repository links to."""
    place = (ROOT / own.parent / target).resolve()
    if not place.is_relative_to(ROOT):
        return target
    inside = place.relative_to(ROOT).as_posix()
    return FROM_ROOT.get(inside, inside.removeprefix("docs/"))
