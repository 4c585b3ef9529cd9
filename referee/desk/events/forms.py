from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import get_language, gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engine.rules.profile import load_profile, profile_codes
from engine.rules.rules_text import switch_title
from engine.tiles.edition import Edition, edition_codes, find_edition_errors, load_edition
from referee.desk.events.presets import OWN, list_languages_without_list, list_presets
from tournaments.enums import DrawMode
from tournaments.lexicons.names import edition_name, profile_name
from tournaments.lexicons.word_lists import LexiconFile, installed_lists, lists_for_edition, missing_list_sentence
from tournaments.players.services.players import NewPlayer, parse_players


class NewEventForm(forms.Form):
    """A new event. Every field has a default; players may be pasted, uploaded, or join by themselves."""

    name = forms.CharField(label=_("Name"), max_length=200)
    preset = forms.ChoiceField(label=_("Rules"), required=False, widget=forms.RadioSelect)
    # A browser's date field reads only ISO dates, in every language.
    date = forms.DateField(label=_("Date"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}))
    place = forms.CharField(label=pgettext_lazy("where an event takes place", "Place"), max_length=200, required=False)
    edition = forms.ChoiceField(label=_("Edition"))
    profile = forms.ChoiceField(label=_("Rules"))
    lexicon = forms.ChoiceField(label=_("Word list"), required=False)
    second_lexicon = forms.ChoiceField(label=_("Second word list, if you use two"), required=False)
    draw_mode = forms.ChoiceField(label=_("Racks"), choices=DrawMode.choices, initial=DrawMode.SEEDED)
    language = forms.ChoiceField(label=_("Language of wall and sheets"))
    lines = forms.CharField(
        label=_("Players, one a line"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": "1, Anna Rossi, Torino\n2, Bruno Neri, Ivrea"}),
        help_text=_("Or later: they can join with their phones. Each line: table, name, club, series, age class, …"),
    )
    file = forms.FileField(label=_("… or a file (CSV or XLSX)"), required=False, allow_empty_file=True)

    def __init__(self, *args: Any, today: datetime.date, user: User | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.presets = list_presets(user, (get_language() or "it")[:2])
        self._choices("preset", [*((each.code, each.title) for each in self.presets), (OWN, _("Other rules"))])
        self.initial.setdefault("preset", self.presets[0].code if self.presets else OWN)
        self.without_preset = list_languages_without_list((get_language() or "it")[:2])
        self.lists = installed_lists()
        available = [load_edition(code) for code in edition_codes()]
        editions = [edition for edition in available if lists_for_edition(edition)]
        self.without_list = [missing_list_sentence(edition) for edition in available if edition not in editions]
        self._choices("edition", [(edition.code, edition_name(edition)) for edition in editions])
        self.fields["profile"].widget.attrs |= {"hx-get": reverse("desk:rules-of-profile"), "hx-target": "#rules"}
        self._choices("profile", [(code, profile_name(load_profile(code))) for code in profile_codes()])
        chosen = [(each.name, _label(each)) for each in self.lists]
        self._choices("lexicon", [("", _("the edition's own list")), *chosen])
        self._choices("second_lexicon", [("", _("none")), *chosen])
        named = {"rule": switch_title("two_dictionaries", gettext)}
        self.fields["second_lexicon"].help_text = gettext("The rule “%(rule)s” says how two lists count.") % named
        self._choices("language", settings.LANGUAGES)
        self.initial.setdefault("profile", "it-box")
        if editions:
            first = _suggest_edition(editions)
            self.initial.setdefault("edition", first.code)
        self.initial.setdefault("date", today)
        self.initial.setdefault("name", _("Club night"))
        self.initial.setdefault("language", (get_language() or "it")[:2])

    @property
    def has_errors_below(self) -> bool:
        """True if a field under “More choices” has an error."""
        return bool(set(self.errors) - {"name", "lines", "file", "preset"})

    @property
    def bad_editions(self) -> list[str]:
        """Return the reasons why edition files of the organiser are not among the choices."""
        return [error.explain_with_place(gettext) for error in find_edition_errors().values()]

    def _choices(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  declared so above
        field.choices = choices

    def clean_lines(self) -> list[NewPlayer]:
        parsed = parse_players(self.cleaned_data["lines"])
        if parsed.errors:
            line = gettext("Line %(line)s: %(sentence)s")
            wrong = [line % {"line": error.line, "sentence": error.sentence} for error in parsed.errors]
            raise forms.ValidationError(wrong)
        return parsed.players

    def clean_preset(self) -> str:
        code: str = self.cleaned_data["preset"]
        chosen = next((preset for preset in self.presets if preset.code == code), None)
        if chosen is not None and not chosen.has_list:
            text = gettext("Build the word list for these rules first (%(language)s), or choose other rules.")
            raise forms.ValidationError(text % {"language": chosen.language})
        return code

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "preset" in self.errors:
            self.errors.pop("edition", None)  # it is that of the preset
        return cleaned


def _suggest_edition(editions: list[Edition]) -> Edition:
    """Return the edition for the language of the page, if there is one."""
    language = (get_language() or "it")[:2]
    return next((edition for edition in editions if edition.language == language), editions[0])


def _label(entry: LexiconFile) -> str:
    """Return the label of a word list among the choices: name, edition, length, and whether it is official."""
    text = ngettext(
        "%(title)s – %(edition)s, %(words)s word, %(status)s",
        "%(title)s – %(edition)s, %(words)s words, %(status)s",
        entry.words,
    )
    words = number_format(entry.words, decimal_pos=0, force_grouping=True)
    named = {"title": entry.title, "edition": edition_name(entry.edition), "words": words}
    return text % (named | {"status": entry.origin.status})
