"""Rulings as texts, for the pages of the desk and for documents."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from engine.archive.rulings_register import RulingLine
from engine.archive.schema import VerdictEntry
from engine.rules.rules_text import format_source
from tournaments.enums import JudgeWarningCode


def ruling_words(line: RulingLine) -> str:
    """Return the text of a ruling: "TRISCEA accepted", "CESTAI 8C: 12 points" ..."""
    if line.kind == "word":
        return _word(line)
    if line.kind == "slip":
        return _slip(line)
    if line.kind == "warning":
        return _warning(line)
    if line.kind == "player":
        if line.ruling == "disqualify":
            return _("table %(table)s disqualified") % {"table": line.subject}
        return _("disqualification of table %(table)s taken back") % {"table": line.subject}
    if line.kind == "rules":
        return _("rules changed: %(rules)s") % {"rules": line.subject}
    table = line.appeals[0] if line.appeals else 0
    if line.ruling == "upheld":
        return _("appeal of table %(table)d upheld") % {"table": table}
    return _("appeal of table %(table)d rejected") % {"table": table}


def rule_beside(verdict: VerdictEntry) -> str:
    """Return the rule of a verdict, to be put beside its sentence.

    It is empty if the sentence already names the rule, in whichever language it was written.
    """
    rule, said = verdict["rule"] or "", verdict["text"].casefold()
    return format_source(rule, _) if rule and not any(name in said for name in _names_of_rule(rule)) else ""


@cache
def _names_of_rule(rule: str) -> frozenset[str]:
    names = {rule.casefold()}
    for language, _name in settings.LANGUAGES:
        with override(language):
            names.add(format_source(rule, _).casefold())
    return frozenset(names)


def _word(line: RulingLine) -> str:
    named = {"word": line.subject}
    if line.ruling == "accepted":
        return _("%(word)s accepted") % named
    if line.ruling == "struck":
        return _("%(word)s struck") % named
    return _("ruling on %(word)s taken back") % named


def _slip(line: RulingLine) -> str:
    named = {"slip": line.subject or "–", "points": line.points or 0}
    if line.ruling == "by_rule":
        return _("%(slip)s: the rule decides") % named
    sentence = ngettext("%(slip)s: %(points)d point", "%(slip)s: %(points)d points", line.points or 0)
    return sentence % named


def _warning(line: RulingLine) -> str:
    table, _space, code = line.subject.partition(" ")
    label = str(JudgeWarningCode(code).label) if code in JudgeWarningCode.values else code
    if line.ruling == "given":
        return _("table %(table)s warned: %(warning)s") % {"table": table, "warning": label}
    return _("warning of table %(table)s taken back: %(warning)s") % {"table": table, "warning": label}
