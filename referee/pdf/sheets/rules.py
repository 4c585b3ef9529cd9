"""Rules of a game for the notice board: every rule in plain words, the organiser's changes, and the sources."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive.schema import Archive
from engine.rules.profile import Profile
from engine.rules.rules_text import Rule, RuleGroup, rule_page
from engine.variants.variant import load_variant
from referee.pdf.drawing import heads
from referee.pdf.drawing.sheet import Column, Sheet
from tournaments.lexicons.names import rules_name, word_list_sentences

CHANGED, OURS = "◆", "○"
TITLE_SIZE, GAP = 11, 6
ROW, PADDING = 8.6, 2


def rules_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw the rules of the game's profile with the organiser's changes, group by group."""
    with override(language):
        profile, variant = Profile.from_switches(archive["profile"]), load_variant(archive["formula"])
        title = _("Rules: %(title)s") % {"title": rules_name(profile, variant)}
        sheet = Sheet(title, heads.subtitle(archive), heads.game_facts(archive)[:1], paper=paper)
        for group in rule_page(profile, variant, _):
            _group(sheet, group)
        sheet.y -= GAP
        for line in word_list_sentences(archive["lexicon"], profile):
            sheet.paragraph(line, size=ROW)
        for line in _notes():
            sheet.paragraph(line, size=8.5)
        return sheet.finish()


def _group(sheet: Sheet, group: RuleGroup) -> None:
    sheet.gap(GAP)
    sheet.heading(group.title, TITLE_SIZE)
    sheet.table(_columns(), [_row(rule) for rule in group.rules], size=ROW, padding=PADDING)


def _columns() -> list[Column]:
    return [
        Column("", 3, "left", bold=True),
        Column("", 35, "left", wraps=True),
        Column("", 42, "left", wraps=True),
        Column("", 20, "left", wraps=True, scale=0.78),
    ]


def _row(rule: Rule) -> list[str]:
    sign = CHANGED if rule.changed else OURS if rule.our_default else ""
    source = _("instead of: %(before)s") % {"before": rule.before} if rule.changed else rule.source
    return [sign, rule.title, rule.value, source]


def _notes() -> list[str]:
    return [
        _("%(sign)s set by the organiser; the printed rule stands on the right.") % {"sign": CHANGED},
        _("%(sign)s our default: the printed rules are silent or leave it open.") % {"sign": OURS},
        _("The organiser should compare this page with the text of the federation; that text decides."),
    ]
