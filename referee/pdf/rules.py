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
from tournaments.names import rules_name

CHANGED, OURS = "◆", "○"
TITLE_SIZE, GAP = 11, 9


def rules_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """The rule page of the game's profile with the organiser's changes, group by group."""
    with override(language):
        profile, formula = Profile.from_switches(archive["profile"]), load_formula(archive["formula"])
        title = _("Rules: %(title)s") % {"title": rules_name(profile, formula)}
        sheet = Sheet(title, heads.subtitle(archive), heads.facts(archive)[:1], foot=heads.foot(archive), paper=paper)
        for group in rule_page(profile, formula, _):
            _group(sheet, group)
        sheet.y -= GAP
        for line in _notes():
            sheet.paragraph(line, size=8.5)
        return sheet.finish()


def _group(sheet: Sheet, group: RuleGroup) -> None:
    sheet.need(6 * TITLE_SIZE)
    sheet.y -= GAP
    sheet.table(_columns(group.title), [_row(rule) for rule in group.rules])


def _columns(title: str) -> list[Column]:
    return [
        Column("", 3, "left", bold=True),
        Column(title, 36, "left"),
        Column("", 44, "left"),
        Column("", 17, "left"),
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
