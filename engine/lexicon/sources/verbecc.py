"""Reader of the verb tables of the package verbecc: conjugation templates and their verbs."""

from __future__ import annotations

# The two files come from the pinned package that setup downloaded, so they are trusted.
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Conjugation:
    """Verb, the name of its template ("lav:are"), and all its forms by the template."""

    infinitive: str
    template: str
    forms: tuple[str, ...]


def read_conjugations(package: Path, language: str) -> Iterator[Conjugation]:
    """Yield the verbs of ``language`` ("it") from the folder of the package, in the order of its file.

    Template names have the form ``stem:ending``; a verb without the ending of its template is skipped.
    """
    xml = package / "data" / "xml"
    endings = _endings(xml / "conjugations" / f"conjugations-{language}.xml")
    for verb in _root(xml / "verbs" / f"verbs-{language}.xml").iterfind("v"):
        infinitive, template = verb.findtext("i", ""), verb.findtext("t", "")
        ending = template.rpartition(":")[2]
        if template in endings and infinitive.endswith(ending):
            stem = infinitive[: len(infinitive) - len(ending)]
            yield Conjugation(infinitive, template, tuple(stem + end for end in endings[template]))


def _endings(path: Path) -> dict[str, list[str]]:
    return {
        template.get("name", ""): [ending.text or "" for ending in template.iter("i")]
        for template in _root(path).iterfind("template")
    }


def _root(path: Path) -> ElementTree.Element:
    return ElementTree.parse(path).getroot()  # noqa: S314
