"""Form for the single rules of a planned round, beside its variant, time and profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.http import QueryDict
from django.utils.translation import gettext as _

from referee.desk.events.rules_form import PREFIX, RulesForm, list_rule_faults
from tournaments.errors import Refused
from tournaments.events.services.round_setup import RoundSetup, rules_as_planned
from tournaments.models import Game

OWN_FIELDS = frozenset({"max_turns", "clock_s"})
"""The switches that the form of the round asks for itself."""


class PlannedRules(RulesForm):
    """The switches of a planned round; `overrides` are those that differ from the rules it would have without them."""

    def __init__(self, last: Game, setup: RoundSetup, data: QueryDict | None = None) -> None:
        own = {name: value for name, value in setup.switches.items() if name in OWN_FIELDS}
        base, planned = rules_as_planned(last, replace(setup, switches=own)), rules_as_planned(last, setup)
        super().__init__(data, code=base.profile, current=planned.rules, variant=base.variant)
        self.plain = base.rules
        for switch in OWN_FIELDS & set(self.fields):
            del self.fields[switch]

    @property
    def stored(self) -> dict[str, object]:
        """The switches as a round stores them."""
        values = self.plain.with_switches(**self.overrides).switches()
        return {name: values[name] for name in self.overrides}


def read_planned_switches(last: Game, before: RoundSetup, wanted: RoundSetup, post: QueryDict) -> Mapping[str, object]:
    """Return the switches of a planned round from a posted form: those of the form, or the ones that were planned.

    `wanted` is the rest of the form. Other rules bring their own switches; `Refused` if single ones were changed too.
    """
    own = dict(wanted.switches)
    kept = {name: value for name, value in before.switches.items() if name not in OWN_FIELDS}
    if not any(name.startswith(f"{PREFIX}-") for name in post):
        return kept | own if wanted.profile == before.profile else own
    same = (wanted.profile, wanted.variant) == (before.profile, before.variant)
    form = PlannedRules(last, replace(wanted, switches=kept | own) if same else before, post)
    if not form.sound:
        raise Refused(_("The rules cannot be set so: %(why)s") % {"why": list_rule_faults(form)})
    if not same:
        if form.stored != kept:
            raise Refused(
                _("Single rules were changed, then other rules were chosen. Change what you want in these here.")
            )
        return own
    return form.stored | own
