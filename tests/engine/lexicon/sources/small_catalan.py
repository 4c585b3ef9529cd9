"""A few Catalan words in the file formats of the three packages, made up for the tests.

Each entry stands for a trap of the real data; the flags mean what they mean in the real dictionary.
"""

from __future__ import annotations

from tests.engine.lexicon.sources.package_folder import SmallLanguage

AFFIXES = """
SET UTF-8
FLAG long
PFX _V Y 2
PFX _V 0 l' [aeiou]
PFX _V 0 d' [aeiou]
SFX _C Y 3
SFX _C 0 -ne .
SFX _C 0 -lo .
SFX _C 0 's .
SFX _E Y 1
SFX _E 0 s .
SFX _F Y 3
SFX _F 0 a [^e]
SFX _F 0 s .
SFX _F 0 es [^e]
SFX 00 Y 8
SFX 00 r r/_C ar
SFX 00 r 0 ar
SFX 00 ar o ar
SFX 00 ar es ar
SFX 00 r m ar
SFX 00 r da ar
SFX 00 r va ar
SFX 00 ar às ar
SFX 12 Y 2
SFX 12 ir eix ir
SFX 12 r m ir
"""

ENTRIES = """
30
estrenar/00_V
reestrenar/00
mirar/00
zeugmar/00
servir/12
tren/_E
tres
res
mes
me
en
any/_E_V
què
quatre
col·locar/00
llum/_E
lent/_F
airejament/_E
airejar/00
lentament
sempre
virus
clonus
ptge
kiwi/_E
walkman
iot/_E
Berga
qatar
semi-
mirar-se
"""

LEMMAS = {
    "estrenes": "estrenar",
    "reestreno": "reestrenar",
    "miro": "mirar",
    "trens": "tren",
    "res": "res",
    "tres": "tres",
    "mes": "mes",
    "me": "me",
    "en": "en",
    "anys": "any",
    "quatre": "quatre",
    "lent": "lent",
    "lenta": "lent",
    "llums": "llum",
    "servixo": "servir",
    "patixo": "patir",
    "serveixo": "servir",
    "ptge": "ptge",
    "kiwis": "kiwi",
    "qatar": "qatar",
    "maragall": "maragall",
}

VERBS = """<verbs-ca>
<v><i>estrenar</i><t>cant:ar</t></v>
<v><i>reestrenar</i><t>cant:ar</t></v>
<v><i>mirar</i><t>cant:ar</t></v>
<v><i>airejar</i><t>cant:ar</t></v>
<v><i>col·locar</i><t>cant:ar</t></v>
<v><i>servir</i><t>serv:ir</t></v>
<v><i>llumar</i><t>cant:ar</t></v>
</verbs-ca>"""

CONJUGATIONS = """<conjugation-ca>
<template name="cant:ar"><p><i>a</i></p><p><i>o</i></p><p><i>es</i></p><p><i>am</i></p><p><i>ada</i></p>
<p><i>ava</i></p></template>
<template name="serv:ir"><p><i>eix</i></p><p><i>im</i></p></template>
</conjugation-ca>"""

CATALAN = SmallLanguage("ca", "ca", AFFIXES, ENTRIES, LEMMAS, VERBS, CONJUGATIONS)
