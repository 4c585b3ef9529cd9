"""A few Romanian words in the file formats of the three packages, made up for the tests.

Each entry stands for a trap of the real data; the flags mean what they mean in the real dictionary, and most of them
are those of a prefix, too.
"""

from __future__ import annotations

from tests.engine.lexicon.sources.package_folder import SmallLanguage

AFFIXES = """
SET UTF-8
PFX K Y 1
PFX K 0 re .
PFX D Y 1
PFX D 0 ne .
PFX I Y 1
PFX I 0 re .
SFX K Y 5
SFX K 0 ă .
SFX K 0 ăm .
SFX K 0 ă-mă .
SFX K 0 aseți .
SFX K 0 aserăți .
SFX I Y 6
SFX I esc ești esc
SFX I esc ească esc
SFX I esc eam esc
SFX I esc iră esc
SFX I esc ind esc
SFX I esc im esc
SFX B Y 2
SFX B ez ează ez
SFX B ez am ez
SFX D Y 6
SFX D 0 u .
SFX D 0 ul .
SFX D 0 ului .
SFX D 0 ule .
SFX D 0 ă .
SFX D 0 e .
SFX Q Y 1
SFX Q 0 i .
SFX P Y 3
SFX P 0 l u
SFX P 0 le u
SFX P u e u
SFX L Y 2
SFX L 0 le e
SFX L e i e
SFX A Y 5
SFX A ă a ă
SFX A ă o ă
SFX A ă e ă
SFX A e a ie
SFX A e ei ie
SFX S Y 2
SFX S ic icu ic
SFX S ic ici ic
"""

ENTRIES = """
40
cânt/K
întorc/K
reîntorc/K
redorm/K
dorm/K
încânt/K
bun/D
copt/D
necopt/D
blond/D
regal/D
ablativ/D
tablou/P
frate/L
insulă/A
insul
ins
fată/A
arămo
arama
colo
cola
băiat
băiatu
băiatul
băiatule
tanc
unu
un
unul
râzându
plicindu
restrigându
strigându
părintesc/IQ
cuceresc/I
fonfăiesc/I
bureteșerpesc/I
senegalez/BQ
mapez/B
nemaivăzut/D
nemaicunosc/K
exotic/S
xvii
mtu
linuxrc
kiwi
xgrepq
grepp
nchide
psst
pst
şcoală/A
țară/A
Iași
România
României
românie/A
Google
google
banat/D
Banatul
Banatului
jeep
tweetq
film
blog/D
tofu
hacker
drace
dă-mi
într-un
"""

LEMMAS = {
    "reîntorc": "reîntoarce",
    "fata": "fată",
    "fato": "fată",
    "părintești": "părintesc",
    "regală": "regal",
    "nemaicunosc": "nemaicunoaște",
    "exotici": "exotic",
    "yoga": "yoga",
    "reblondul": "reblond",
    "reblondu": "reblond",
    "vals": "vals",
}

VERBS = """<verbs-ro>
<v><i>cuceri</i><t>cucer:i</t></v>
<v><i>valsa</i><t>vals:a</t></v>
<v><i>recânta</i><t>cânt:a</t></v>
</verbs-ro>"""

CONJUGATIONS = """<conjugation-ro>
<template name="cucer:i"><p><i>esc</i></p><p><i>ești</i></p><p><i>ească</i></p></template>
<template name="vals:a"><p><i></i></p></template>
<template name="cânt:a"><p><i>ă</i></p></template>
</conjugation-ro>"""

ROMANIAN = SmallLanguage("ro", "ro_RO", AFFIXES, ENTRIES, LEMMAS, VERBS, CONJUGATIONS)
