"""The form for the rules of judging of a game that is being played."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import QueryDict
from django.utils.translation import gettext as _

from engine.rules.profile import profile_codes
from referee.desk.rules_form import RulesForm
from tournaments.errors import Refused
from tournaments.models import Game
from tournaments.position import formula_of, profile_of
from tournaments.services.rules import IN_PLAY


class RulesInPlay(RulesForm):
    """The switches that may still change; `overrides` are those that would."""

    def __init__(self, game: Game, data: QueryDict | None = None) -> None:
        super().__init__(data, code=game.profile, current=profile_of(game), formula=formula_of(game))
        self.plain = self.current
        for switch in set(self.fields) - set(IN_PLAY):
            del self.fields[switch]


def switches_posted(game: Game, post: QueryDict) -> Mapping[str, object]:
    """The switches of judging that a form sets otherwise; `Refused` when one is wrong."""
    if game.profile not in profile_codes():
        raise Refused(_("The rules of this game are of no profile that is installed here: they stay as they are."))
    form = RulesInPlay(game, post)
    if not form.sound:
        written = ((form.fields[name].label, texts[0]) for name, texts in form.errors.items() if name in form.fields)
        faults = [f"{label}: {text}" for label, text in written]
        raise Refused(_("The rules cannot be set so: %(why)s") % {"why": "; ".join(faults)})
    return form.overrides
