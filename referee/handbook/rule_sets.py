"""Pages of the handbook that are written from the rule profiles: every rule with its value and source, as Markdown.

The caller passes `translate` (gettext), so that the documentation site can build the pages without Django.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from engine.i18n import N_
from engine.rules.profile import OUR_DEFAULT, Profile, load_profile, profile_codes
from engine.rules.rules_text import rule_page

LIST = "rules"
_PREFIX = f"{LIST}-of-"
_Translate = Callable[[str], str]


def rule_set_names() -> tuple[str, ...]:
    """Return the names of the pages, one for each profile."""
    return tuple(_PREFIX + code for code in profile_codes())


def rule_set_text(name: str, translate: _Translate) -> str:
    """Return the page of a profile by its name: a table for each group of rules."""
    profile = load_profile(name.removeprefix(_PREFIX))
    parts = [f"# {translate(profile.title)}"]
    heads = [translate(head) for head in (N_("Rule"), N_("Value"), N_("Source"))]
    for group in rule_page(profile, translate=translate, every=True):
        rows = [(rule.title, rule.value, rule.source) for rule in group.rules]
        parts += [f"## {group.title}", _table(heads, rows)]
    return "\n\n".join(parts) + "\n"


def rule_set_list(translate: _Translate) -> str:
    """Return a table of all profiles, with links to their pages and the numbers of rules by source."""
    heads = [translate(head) for head in (N_("Rules"), N_("From their texts"), N_("Our default"))]
    return _table(heads, [_row(code, load_profile(code), translate) for code in profile_codes()])


def _row(code: str, profile: Profile, translate: _Translate) -> tuple[str, str, str]:
    ours = sum(source == OUR_DEFAULT for source in profile.sources.values())
    link = f"[{translate(profile.title)}]({_PREFIX}{code}.md)"
    return link, str(len(profile.sources) - ours), str(ours)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
