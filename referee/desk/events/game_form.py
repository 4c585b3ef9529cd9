"""The fields of a new game that set how it is played: variant, seconds of a turn, number of turns."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.rules.profile import Profile, load_profile, profile_codes
from engine.rules.rules_text import clock_text
from engine.variants.time_control import TIME_CONTROLS, call_times
from engine.variants.variant import NORMAL, load_variant, variant_codes
from tournaments.events.services.game_rules import TurnsWanted
from tournaments.events.services.round_setup import EMPTY_SETUP, RoundSetup
from tournaments.lexicons.names import profile_name, variant_name

OWN, DEFAULT_PROFILE = "own", "it-box"
SHORTEST, LONGEST, MOST_TURNS = 10, 3600, 1000


class VariantForm(forms.Form):
    """Variant and seconds of a turn. `rules` supply the calls shown with each time control."""

    variant = forms.ChoiceField(label=_("Variant"), initial=NORMAL, required=False)
    time_control = forms.ChoiceField(label=_("Time for a turn"), required=False)
    seconds = forms.IntegerField(
        label=_("Custom time, in seconds"), required=False, min_value=SHORTEST, max_value=LONGEST
    )

    def __init__(self, *args: Any, rules: Profile | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = rules or load_profile(DEFAULT_PROFILE)
        self.rules = profile_name(rules)
        self.variants = [(code, variant_name(load_variant(code))) for code in variant_codes()]
        self.time_controls = [(str(seconds), _time_control(seconds, rules)) for seconds in TIME_CONTROLS]
        self._choices("variant", self.variants)
        self._choices("time_control", [("", _("as in the rules")), *self.time_controls, (OWN, _("custom time"))])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("time_control") == OWN and not cleaned.get("seconds") and "seconds" not in self.errors:
            self.add_error("seconds", _("Type the seconds of a turn."))
        return cleaned

    @property
    def variant_code(self) -> str:
        """The code of the variant; that of the normal game if none is chosen."""
        return self.cleaned_data["variant"] or NORMAL

    @property
    def turn_seconds(self) -> int | None:
        """Seconds of a turn; None for those of the rules. Typed seconds count only if "own time" is chosen."""
        chosen = self.cleaned_data["time_control"]
        if chosen == OWN:
            return int(self.cleaned_data["seconds"])
        return int(chosen) if chosen else None

    def _choices(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  declared so above
        field.choices = choices


class GameForm(VariantForm):
    """The first game of an event; by default a normal one with the clock of the rules, to its end."""

    turns = forms.IntegerField(
        label=_("Number of turns"),
        required=False,
        min_value=1,
        max_value=MOST_TURNS,
        help_text=_("Empty: until the tiles are used up."),
    )

    @property
    def switches(self) -> dict[str, object]:
        """The switches that these fields set."""
        turns = self.cleaned_data["turns"]
        return {"max_turns": turns} if turns else {}


class NextGameForm(VariantForm):
    """The next game of an event; by default as its round is planned, and otherwise like the last one.

    `is_there`: the game exists and has no rack yet.
    """

    turns = forms.IntegerField(
        label=_("Number of turns"),
        required=False,
        min_value=1,
        max_value=MOST_TURNS,
        help_text=_("Empty: until the tiles are used up."),
    )
    profile = forms.ChoiceField(label=_("Rules"), required=False)

    def __init__(self, *args: Any, is_there: bool = False, plan: RoundSetup = EMPTY_SETUP, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stays = _("as it is now") if is_there else _("as in the last game")
        last_turns = (kwargs.get("rules") or load_profile(DEFAULT_PROFILE)).max_turns
        self.fields["variant"].initial = ""
        self.fields["turns"].initial = plan.switches.get("max_turns", last_turns)
        profiles = [(code, profile_name(load_profile(code))) for code in profile_codes()]
        variant, profile = dict(self.variants).get(plan.variant), dict(profiles).get(plan.profile)
        time = clock_text(plan.turn_seconds) if plan.turn_seconds else None
        self._choices("variant", [_unchanged(stays, variant), *self.variants])
        self._choices("time_control", [_unchanged(stays, time), *self.time_controls, (OWN, _("custom time"))])
        self._choices("profile", [_unchanged(stays, profile), *profiles])

    @property
    def turns_wanted(self) -> TurnsWanted:
        """The number of turns, None for a game to the end of the tiles; "same" if the page did not ask."""
        return self.cleaned_data["turns"] if "turns" in self.data else "same"

    @property
    def profile_wanted(self) -> str | None:
        """The code of the profile; None for no change."""
        return self.cleaned_data["profile"] or None

    @property
    def variant_wanted(self) -> str | None:
        """The code of the variant; None for no change."""
        return self.cleaned_data["variant"] or None


class PlannedGameForm(NextGameForm):
    """Form of the rules, variant and time of a planned round; an empty field keeps those of the game before."""

    def __init__(self, *args: Any, plan: RoundSetup = EMPTY_SETUP, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seconds = plan.turn_seconds
        listed = seconds is None or str(seconds) in dict(self.time_controls)
        self.fields["variant"].initial, self.fields["profile"].initial = plan.variant, plan.profile
        self.fields["time_control"].initial = (str(seconds) if seconds else "") if listed else OWN
        self.fields["seconds"].initial = None if listed else seconds
        self.fields["turns"].initial = plan.switches.get("max_turns")
        self.fields["turns"].help_text = _("Empty: as in the last game.")

    @property
    def setup(self) -> RoundSetup:
        """The setup to be planned."""
        turns = self.cleaned_data["turns"]
        return RoundSetup(
            variant=self.variant_wanted or "",
            turn_seconds=self.turn_seconds,
            profile=self.profile_wanted or "",
            switches={"max_turns": turns} if turns else {},
        )


def _unchanged(stays: str | Promise, planned: str | None) -> tuple[str, str | Promise]:
    """Return the first choice of a field: as planned, or as it was."""
    return "", _("as planned: %(planned)s") % {"planned": planned} if planned else stays


def _time_control(seconds: int, rules: Profile) -> str:
    """Return the label of a time control among the choices, with its calls by these rules."""
    called = ", ".join(clock_text(call) for call in call_times(rules, seconds))
    named = {"time": clock_text(seconds), "name": gettext(TIME_CONTROLS[seconds]), "calls": called}
    return gettext("%(time)s – %(name)s, calls at %(calls)s") % named
