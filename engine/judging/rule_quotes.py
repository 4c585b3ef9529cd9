"""The rule that decides on a slip, quoted: the switch with its value in words, and where it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.judging.verdict import SWITCH_OF_WARNING, Verdict
from engine.judging.verdict_text import reason_sentence
from engine.rules.profile import Profile
from engine.rules.rules_text import format_source, format_switch

Translate = Callable[[str], str]
_SWITCH_OF_REASON = {"several_slips": "several_slips", "first_move_maximum": "first_move_maximum"}


@dataclass(frozen=True, slots=True)
class RuleQuote:
    """A rule as a judge reads it out: what it says, and its source. `said` is empty where no switch changes it."""

    said: str
    source: str


def quote_rule(verdict: Verdict, profile: Profile, translate: Translate = str) -> RuleQuote | None:
    """The rule behind a verdict; None for a move that is simply valid."""
    switch = _switch(verdict)
    if switch is not None:
        source = profile.source_of(switch)
        return RuleQuote(format_switch(switch, profile.value_of(switch), translate), format_source(source, translate))
    if verdict.result != "zero" or verdict.reason in (None, "judge"):
        return None
    said = reason_sentence(verdict.reason or "", verdict.word or "", translate)
    return RuleQuote(said, format_source(profile.source_of(verdict.reason or ""), translate))


def _switch(verdict: Verdict) -> str | None:
    """The switch of the profile that decides, as far as one does."""
    named = verdict.details.get("switch") or _SWITCH_OF_REASON.get(verdict.reason or "")
    if named is None and (verdict.reason or "").startswith("last_letter"):
        return "last_letter"
    if named is None and "unmarked" in verdict.details:
        return "blank_unmarked"
    if named is None and verdict.result != "zero":
        named = next((SWITCH_OF_WARNING[code] for code in verdict.warnings if code in SWITCH_OF_WARNING), None)
    return str(named) if named else None
