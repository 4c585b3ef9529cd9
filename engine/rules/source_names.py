"""Where rules come from and what profiles are called, as the TOML files write it: here gettext finds it."""

from __future__ import annotations

from engine.rules.messages import N_

BY_FORMULA = N_("set by the formula")

SOURCES = (
    N_("our default"),
    N_("set by the organiser"),
    BY_FORMULA,
    N_("box rules, 1"),
    N_("box rules, 17"),
    N_("box rules, 3"),
    N_("box rules, 4"),
    N_("box rules, home variants"),
    N_("box rules, Multiplo"),
    N_("box rules, the tiles"),
    N_("Catalan clubs, duplicate"),
    N_("Catalan clubs, school rule"),
    N_("Catalan clubs, second-hand: best slip or master move"),
    N_("Catalan clubs, wrong or missing data"),
    N_("Catalan manual, difficult rules"),
    N_("Catalan manual, duplicate"),
    N_("Catalan manual, fifty points for seven tiles"),
    N_("Catalan manual, going on"),
    N_("Catalan manual, house rules"),
    N_("Catalan manual, premium squares"),
    N_("Catalan manual, the first word"),
    N_("Catalan manual, the tiles"),
    N_("club rules"),
    N_("FISE, badly filled slip"),
    N_("FISE, modalidad duplicada"),
    N_("FISF 3.3, second-hand"),
    N_("FISF 3.5, second-hand"),
    N_("FISF 3.7, second-hand"),
    N_("FISF 5.3.1"),
    N_("FISF 5.6, second-hand"),
    N_("FISF 5.9, second-hand"),
    N_("FISF, extension of a word"),
    N_("FISF, first slip"),
    N_("FISF, formulas"),
    N_("FISF, judging"),
    N_("FISF, rhythms"),
    N_("FISF, standings"),
    N_("FISF, the draw"),
    N_("FISF, the draw, second-hand"),
    N_("FISF, the master move"),
    N_("FISF, the slip"),
    N_("FISF, warnings"),
    N_("FISF, zero"),
    N_("NTSV, duplicate"),
    N_("NTSV, second-hand"),
    N_("practice of French clubs"),
    N_("Romanian clubs: 2 and 2, online 1 and 1"),
    N_("Romanian federation, 1 to 3 minutes"),
    N_("Romanian federation, duplicate"),
    N_("Romanian federation, scales"),
    N_("Romanian federation, second-hand"),
    N_("Romanian federation, the tiles"),
    N_("tournament rules 1999, 2"),
    N_("tournament rules 1999, 6"),
    N_("tournament rules 1999, 8"),
)
"""What `Profile.source_of` can say of the profiles that come with the program."""

TITLES = (
    N_("Catalan clubs"),
    N_("Catalan manual"),
    N_("Club night"),
    N_("FISE, Spanish federation"),
    N_("FISF, French federations"),
    N_("Italian box"),
    N_("NTSV, Dutch and Flemish"),
    N_("Romanian federation"),
)
"""The titles of those profiles."""
