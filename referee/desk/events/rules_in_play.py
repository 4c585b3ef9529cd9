"""Form for the rules of judging that may change while a game is played."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import QueryDict
from django.utils.translation import gettext as _

from engine.rules.profile import profile_codes
from engine.rules.switches import SWITCHES_IN_PLAY
from referee.desk.events.rules_form import RulesForm, list_rule_faults
from tournaments.errors import Refused
from tournaments.models import Game
from tournaments.play.position import profile_of, variant_of


class RulesInPlay(RulesForm):
    """The switches that may still change; `overrides` are those that the form changes."""

    def __init__(self, game: Game, data: QueryDict | None = None) -> None:
        super().__init__(data, code=game.profile, current=profile_of(game), variant=variant_of(game))
        self.plain = self.current
        for switch in set(self.fields) - set(SWITCHES_IN_PLAY):
            del self.fields[switch]


def read_posted_switches(game: Game, post: QueryDict) -> Mapping[str, object]:
    """Return the switches of judging that the posted form changes; `Refused` if one is invalid."""
    if game.profile not in profile_codes():
        raise Refused(_("The rules of this game do not belong to a profile installed here: they stay as they are."))
    form = RulesInPlay(game, post)
    if not form.sound:
        raise Refused(_("The rules cannot be set so: %(why)s") % {"why": list_rule_faults(form)})
    return form.overrides
