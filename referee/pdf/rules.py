"""The rules of a game for the wall: every one in plain words, what was changed, and where each comes from."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive import Archive
from engine.formulas import load_formula
from engine.rules.profile import Profile
from engine.rules.wording import Rule, RuleGroup, rule_page
from referee.pdf import heads
from referee.pdf.sheet import Column, Sheet
from tournaments.names import rules_name, word_list_sentences

CHANGED, OURS = "◆", "○"
TITLE_SIZE, GAP = 11, 6
ROW, PADDING = 8.6, 2


def rules_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """The rule page of the game's profile with the organiser's changes, group by group."""
    with override(language):
        profile, formula = Profile.from_switches(archive["profile"]), load_formula(archive["formula"])
        title = _("Rules: %(title)s") % {"title": rules_name(profile, formula)}
        sheet = Sheet(title, heads.subtitle(archive), heads.facts(archive)[:1], foot=heads.foot(archive), paper=paper)
        for group in rule_page(profile, formula, _):
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
        _("%(sign)s set by the organiser; at the right what the printed rules say.") % {"sign": CHANGED},
        _("%(sign)s our default: the printed rules are silent or leave it open.") % {"sign": OURS},
        _("The organiser should compare this page with the text of his federation; that text decides."),
    ]
