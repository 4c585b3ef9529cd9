"""Rendering of a page of the handbook: Markdown without HTML, with links and pictures of this server."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath

from django.templatetags.static import static
from django.urls import reverse
from markdown_it import MarkdownIt
from markdown_it.token import Token

from referee import program_files

INDEX = "README"
_PICTURES = "pictures"
_NO_SLUG = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page and its anchor."""

    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """The title, the headings and the HTML below the title."""

    title: str
    headings: Sequence[Heading]
    html: str


def render_page(path: Path) -> RenderedPage:
    """Render a Markdown file; its first heading is the title."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    text = path.read_text(encoding="utf-8").replace(program_files.CHECKOUT_COMMAND, program_files.COMMAND)
    tokens = markdown.parse(text)
    title, *headings = _anchor_headings(tokens)
    for token in _inline_tokens(tokens):
        if token.type == "link_open":
            _rewrite_link(token)
        elif token.type == "image":
            _rewrite_picture(token, path)
    below = next(index for index, token in enumerate(tokens) if token.type == "heading_close") + 1
    html = markdown.renderer.render(tokens[below:], markdown.options, {})
    html = html.replace("<table>", '<div class="table" tabindex="0"><table>').replace("</table>", "</table></div>")
    return RenderedPage(title.text, [heading for heading, level in _levels(headings, tokens) if level == "h2"], html)


def anchor_of(text: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return _NO_SLUG.sub("", text.lower()).replace(" ", "-")


def _anchor_headings(tokens: Sequence[Token]) -> list[Heading]:
    found = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            text = "".join(child.content for child in inline.children or ())
            opening.attrSet("id", anchor_of(text))
            found.append(Heading(text, anchor_of(text)))
    return found


def _levels(headings: Sequence[Heading], tokens: Sequence[Token]) -> Iterator[tuple[Heading, str]]:
    return zip(headings, [token.tag for token in tokens if token.type == "heading_open"][1:], strict=True)


def _inline_tokens(tokens: Sequence[Token]) -> Iterator[Token]:
    return (child for token in tokens for child in token.children or ())


def _rewrite_link(token: Token) -> None:
    """Point a link to the page of this server; a document beside the handbook is not served, so its anchor is lost."""
    address = str(token.attrGet("href"))
    name, _hash, anchor = address.partition("#")
    page = PurePosixPath(name)
    if page.suffix == ".md" and len(page.parts) == 1:
        token.attrSet("href", address_of(page.stem) + (f"#{anchor}" if anchor else ""))
    elif page.suffix == ".md":
        del token.attrs["href"]


def _rewrite_picture(token: Token, page: Path) -> None:
    source = str(token.attrGet("src"))
    picture = source.partition(f"{_PICTURES}/")[2]
    width, height = _size_of((page.parent / source).resolve())
    token.attrSet("src", static(f"handbook/{picture}"))
    token.attrSet("width", str(width))
    token.attrSet("height", str(height))
    token.attrSet("loading", "lazy")


def _size_of(picture: Path) -> tuple[int, int]:
    """Return width and height of a PNG file, from its header."""
    with picture.open("rb") as file:
        width, height = struct.unpack(">II", file.read(24)[16:])
    return width, height


def address_of(name: str) -> str:
    """Return the address of a page by the name of its file without `.md`."""
    return reverse("handbook:index") if name == INDEX else reverse("handbook:page", args=[name])
