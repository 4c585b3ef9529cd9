"""Controls of a desk page as its HTML has them, and their keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"input", "meta", "link", "br", "hr", "img", "col", "source", "path", "rect", "wbr"})
FIELDS = frozenset({"input", "select", "textarea"})
NO_TEXT = frozenset({"hidden", "submit", "button"})
FORM_KEYS = ("Enter", "Shift+Enter", "Escape")


@dataclass
class Node:
    """An element with its content."""

    tag: str
    attributes: dict[str, str]
    above: Node | None = None
    text: str = ""
    inside: list[Node] = field(default_factory=list)

    def __iter__(self) -> Iterator[Node]:
        yield self
        for each in self.inside:
            yield from each

    def up(self, tag: str = "", attribute: str = "") -> Node | None:
        node = self.above
        while node is not None and not (node.tag == tag or (attribute and attribute in node.attributes)):
            node = node.above
        return node

    @property
    def key(self) -> str:
        return self.attributes.get("data-key", "")

    @property
    def shown_keys(self) -> list[str]:
        return [each.text.strip() for each in self if each.tag == "kbd"]

    @property
    def name(self) -> str:
        told = " ".join("".join(each.text for each in self).split())
        return f"<{self.tag}> {told or self.attributes.get('name', '')} {self.attributes.get('href', '')}".strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Node("page", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.inside.append(node)
        if tag not in VOID:
            self.here = node

    def handle_endtag(self, tag: str) -> None:
        node: Node | None = self.here
        while node is not None and node.tag != tag:
            node = node.above
        if node is not None and node.above is not None:
            self.here = node.above

    def handle_data(self, data: str) -> None:
        self.here.text += data


def read_page(html: str) -> Node:
    """Parse the page into a tree."""
    reader = _Reader()
    reader.feed(html)
    return reader.root


def is_field(node: Node) -> bool:
    return node.tag in FIELDS and node.attributes.get("type", "text") not in NO_TEXT


def controls(page: Node) -> list[Node]:
    """Return buttons, links and summaries, except the skip link for screen readers, which Tab reaches."""
    clicked = [node for node in page if node.tag in ("button", "summary") or "href" in node.attributes]
    return [node for node in clicked if node.tag != "link" and node.attributes.get("class") != "skip"]


def controls_without_key(page: Node) -> list[str]:
    """Return the controls without a key, and the forms whose fields no key reaches."""
    missing = [node.name for node in controls(page) if not node.key]
    for form in (node for node in page if node.tag == "form"):
        fields = [node for node in form if is_field(node)]
        details = form.up("details") or next((node for node in form if node.tag == "details"), None)
        opened = details is not None and any(node.key for node in details if node.tag == "summary")
        led = any(node.key or "autofocus" in node.attributes for node in fields)
        if fields and not led and not opened and form.up(attribute="data-opened-by") is None:
            missing.append(f"the fields {[node.attributes.get('name') for node in fields]}")
    return missing


def controls_with_hidden_key(page: Node) -> list[str]:
    """Return the controls that do not show their key: all of it, or its last part if a group shares the first."""
    return [
        node.name
        for node in controls(page)
        if node.key
        and not {node.key, node.key.split()[-1], "Esc" if node.key == "Escape" else ""} & set(node.shown_keys)
    ]


def ambiguous_keys(page: Node) -> list[str]:
    """Return keys shared by two controls that can be used at the same time, prefixes of other keys, and digits."""
    by_place: dict[int, dict[str, set[str]]] = {}
    for node in page:
        if node.key and node.key not in FORM_KEYS:
            scope = node.up(attribute="data-key-scope") or node.up("dialog")
            where = by_place.setdefault(id(scope) if scope else 0, {})
            where.setdefault(node.key, set()).add(node.attributes.get("href") or node.name)
    everywhere = by_place.get(0, {})
    found = []
    for place in by_place.values():
        keys = set(place) | set(everywhere)
        found += [f"{key}: {sorted(names)}" for key, names in place.items() if len(names) > 1]
        found += [f"{key} begins another key" for key in place if any(other.startswith(f"{key} ") for other in keys)]
        found += [f"{key} is a digit" for key in place if key[0].isdigit()]
        if place is not everywhere:
            found += [f"{key} is one of the page, too" for key in place.keys() & everywhere.keys()]
    return found
