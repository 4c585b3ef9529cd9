"""The fields of a new game that say how it is played: formula, seconds of a turn, number of turns."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.formulas import NORMAL, formula_codes, load_formula
from engine.rhythms import RHYTHMS, calls
from engine.rules.profile import Profile, load_profile, profile_codes
from engine.rules.wording import clock_text
from tournaments.names import formula_name, profile_name
from tournaments.services.game_rules import TurnsWanted

OWN, DEFAULT_PROFILE = "own", "it-box"
SHORTEST, LONGEST, MOST_TURNS = 10, 3600, 1000


class FormulaForm(forms.Form):
    """Formula and seconds of a turn. `rules` are those by which the calls of each rhythm are shown."""

    formula = forms.ChoiceField(label=_("Formula"), initial=NORMAL, required=False)
    rhythm = forms.ChoiceField(label=_("Time for a turn"), required=False)
    seconds = forms.IntegerField(label=_("Own time, in seconds"), required=False, min_value=SHORTEST, max_value=LONGEST)

    def __init__(self, *args: Any, rules: Profile | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = rules or load_profile(DEFAULT_PROFILE)
        self.rules = profile_name(rules)
        self.formulas = [(code, formula_name(load_formula(code))) for code in formula_codes()]
        self.rhythms = [(str(seconds), _rhythm(seconds, rules)) for seconds in RHYTHMS]
        self._choices("formula", self.formulas)
        self._choices("rhythm", [("", _("as the rules have it")), *self.rhythms, (OWN, _("own time"))])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("rhythm") == OWN and not cleaned.get("seconds") and "seconds" not in self.errors:
            self.add_error("seconds", _("Type the seconds of a turn."))
        return cleaned

    @property
    def formula_code(self) -> str:
        """The formula, the normal one when nothing is chosen."""
        return self.cleaned_data["formula"] or NORMAL

    @property
    def rhythm_s(self) -> int | None:
        """Seconds of a turn; None where the rules decide. Typed seconds count only with the own time chosen."""
        chosen = self.cleaned_data["rhythm"]
        if chosen == OWN:
            return int(self.cleaned_data["seconds"])
        return int(chosen) if chosen else None

    def _choices(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  declared so above
        field.choices = choices


class GameForm(FormulaForm):
    """How the first game of an event is played; left alone it is a normal one by the clock of the rules, to its end."""

    turns = forms.IntegerField(
        label=_("Number of turns"),
        required=False,
        min_value=1,
        max_value=MOST_TURNS,
        help_text=_("Empty: to the end of the tiles."),
    )

    @property
    def switches(self) -> dict[str, object]:
        """The switches that these fields set."""
        turns = self.cleaned_data["turns"]
        return {"max_turns": turns} if turns else {}


class NextGameForm(FormulaForm):
    """How the next game of an event is played; left alone like the last one.
    `is_there`: the game is made and waits for its first rack."""

    turns = forms.IntegerField(
        label=_("Number of turns"),
        required=False,
        min_value=1,
        max_value=MOST_TURNS,
        help_text=_("Empty: to the end of the tiles."),
    )
    profile = forms.ChoiceField(label=_("Rules"), required=False)

    def __init__(self, *args: Any, is_there: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stays = ("", _("as it is now") if is_there else _("as in the last game"))
        self.fields["formula"].initial = ""
        self.fields["turns"].initial = (kwargs.get("rules") or load_profile(DEFAULT_PROFILE)).max_turns
        self._choices("formula", [stays, *self.formulas])
        self._choices("rhythm", [stays, *self.rhythms, (OWN, _("own time"))])
        self._choices("profile", [stays, *((code, profile_name(load_profile(code))) for code in profile_codes())])

    @property
    def turns_wanted(self) -> TurnsWanted:
        """The number of turns, None to the end of the tiles; "same" where the question was not on the page."""
        return self.cleaned_data["turns"] if "turns" in self.data else "same"

    @property
    def profile_wanted(self) -> str | None:
        """The rules; None when they stay."""
        return self.cleaned_data["profile"] or None

    @property
    def formula_wanted(self) -> str | None:
        """The formula; None when it stays."""
        return self.cleaned_data["formula"] or None


def _rhythm(seconds: int, rules: Profile) -> str:
    """A rhythm among the choices, with the calls that it has by these rules."""
    called = ", ".join(clock_text(call) for call in calls(rules, seconds))
    named = {"time": clock_text(seconds), "name": gettext(RHYTHMS[seconds]), "calls": called}
    return gettext("%(time)s – %(name)s, calls at %(calls)s") % named
