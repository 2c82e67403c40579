"""Elements of a page; text is escaped unless it is an element already."""

import base64
from collections.abc import Iterable, Sequence
from html import escape


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def escaped(content: object) -> Html:
    """Content that is safe to stand on the page."""
    return content if isinstance(content, Html) else Html(escape(str(content)))


def element(name: str, *content: object, **attributes: str) -> Html:
    """An element; `class_` stands for the attribute that Python reserves."""
    given = "".join(
        f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items() if value
    )
    return Html(f"<{name}{given}>{joined(content)}</{name}>")


def joined(parts: Iterable[object]) -> Html:
    """Parts one after the other."""
    return Html("".join(escaped(part) for part in parts))


def paragraph(*content: object, class_: str = "") -> Html:
    """A paragraph."""
    return element("p", *content, class_=class_)


def section(title: str, *content: object, id: str) -> Html:
    """A part of the page under its heading."""
    return joined((element("section", element("h2", title), *content, id=id), Html("\n")))


def table(caption: str, head: Sequence[object], rows: Iterable[Sequence[object]]) -> Html:
    """A table whose first column names the rows; it scrolls where the page is narrow."""
    top = element("tr", *(element("th", cell, scope="col") for cell in head))
    body = (
        element(
            "tr",
            element("th", row[0], scope="row"),
            *(element("td", cell) for cell in row[1:]),
        )
        for row in rows
    )
    made = element(
        "table", element("caption", caption), element("thead", top), element("tbody", *body)
    )
    return element("div", made, class_="scroll")


def badge(text: str, tone: str) -> Html:
    """A word on a coloured ground: `good`, `watch` or `bad`."""
    return element("strong", text, class_=f"badge {tone}")


def image(png: bytes, alternative: str) -> Html:
    """A picture inside the page itself."""
    source = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    return Html(f'<img src="{source}" alt="{escape(alternative)}">')
