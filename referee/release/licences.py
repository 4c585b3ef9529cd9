"""Page with the licences of the shipped packages, from the metadata in their wheels."""

from __future__ import annotations

from collections.abc import Iterable
from email.message import Message
from pathlib import Path

from packaging.utils import canonicalize_name

from referee.release.lock import COMMAND

PAGE = "docs/licences.md"
_HEAD = f"""\
# Licences

Multiplo is published under the MIT licence (the file `LICENSE`). The wheel installs these packages; the
Debian package and the kit contain them. Each package brings the text of its licence in its folder
`*.dist-info`. `{COMMAND}` writes this page.

| package | version | licence | home page |
|---|---|---|---|
"""
_LONGEST = 60  # characters; some packages put the whole text of the licence into this field
_HOME = ("homepage", "home", "source", "source code", "repository", "github", "documentation")


def find_licence(metadata: Message) -> str:
    """Return the licence that the metadata of a package declares: as an expression, a name or classifiers."""
    expression = metadata.get("License-Expression")
    if expression:
        return str(expression)
    prefix = "License :: "
    classifiers = [str(each) for each in metadata.get_all("Classifier", []) if str(each).startswith(prefix)]
    names = [each.rpartition(" :: ")[2] for each in classifiers if each != "License :: OSI Approved"]
    declared = str(metadata.get("License", "")).strip()
    is_name = declared and len(declared) <= _LONGEST and "\n" not in declared
    if len(names) > 1 or (names and not is_name):  # several say more than "Dual License"
        return " OR ".join(names)
    return declared.splitlines()[0][:_LONGEST] if declared else "not declared"


def find_home_page(metadata: Message) -> str:
    """Return the home page of a package, or its sources; empty if it declares none."""
    pairs = (str(each).partition(",") for each in metadata.get_all("Project-URL", []))
    addresses = {label.strip().lower(): address.strip() for label, _, address in pairs}
    named = next((addresses[label] for label in _HOME if label in addresses), "")
    return str(metadata.get("Home-page") or named or next(iter(addresses.values()), ""))


def licences_page(packages: Iterable[Message]) -> str:
    """Return the page, with one row for each version of a package."""
    rows = {
        (canonicalize_name(str(each["Name"])), str(each["Version"])): (find_licence(each), find_home_page(each))
        for each in packages
    }
    cells = ((*package, licence.replace("|", "/"), home) for package, (licence, home) in sorted(rows.items()))
    return _HEAD + "".join(f"| {' | '.join(row)} |\n" for row in cells)


def write_page(root: Path, packages: Iterable[Message]) -> None:
    """Write the page into the documentation of the checkout in `root`."""
    (root / PAGE).write_text(licences_page(packages), encoding="utf-8")
