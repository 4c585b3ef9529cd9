"""Forms to order a prepared game, and to import one from a file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from engine.prepared.prepare_game import GameCriteria
from engine.rules.profile import Profile, load_profile, profile_codes
from engine.tiles.edition import edition_codes, load_edition
from referee.desk.events.game_form import GameForm
from tournaments.lexicons.names import edition_name, profile_name
from tournaments.lexicons.word_lists import installed_lists, lists_for_edition
from tournaments.prepared.services.prepared_games import LARGEST_FILE, MOST_TURNS_WITH_BINGO, Order

DEFAULT_PROFILE = "club"


class PrepareForm(forms.Form):
    """A game to be prepared; without any entry, an arbitrary game."""

    title = forms.CharField(label=_("Title"), max_length=200)
    edition = forms.ChoiceField(label=_("Edition"))
    profile = forms.ChoiceField(label=_("Rules"))
    lexicon = forms.ChoiceField(label=_("Word list"), required=False)
    bingo_turns = forms.IntegerField(
        label=_("Number of first turns in which a bingo is possible"),
        required=False,
        min_value=0,
        max_value=MOST_TURNS_WITH_BINGO,
    )
    least_total = forms.IntegerField(label=_("Sum of the tops, at least"), required=False, min_value=0, max_value=9999)
    most_total = forms.IntegerField(label=_("Sum of the tops, at most"), required=False, min_value=1, max_value=9999)
    single_tops = forms.IntegerField(
        label=_("Turns with a single best move, in percent, at least"), required=False, min_value=0, max_value=100
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        editions = [edition for edition in map(load_edition, edition_codes()) if lists_for_edition(edition)]
        set_choices(self, "edition", [(edition.code, edition_name(edition)) for edition in editions])
        set_choices(self, "profile", [(code, profile_name(load_profile(code))) for code in profile_codes()])
        set_choices(
            self, "lexicon", [("", _("the edition's own list")), *((e.name, e.title) for e in installed_lists())]
        )
        self.initial.setdefault("edition", "it")
        self.initial.setdefault("profile", DEFAULT_PROFILE)

    @property
    def rules(self) -> Profile:
        """The chosen rules, or those of a new form."""
        code = str(self["profile"].value())
        return load_profile(code if code in profile_codes() else DEFAULT_PROFILE)

    def order(self, game_form: GameForm) -> Order:
        """The arguments of the service that prepares games."""
        cleaned = self.cleaned_data
        return Order(
            edition=cleaned["edition"],
            profile=cleaned["profile"],
            lexicon=cleaned["lexicon"] or None,
            variant=game_form.variant_code,
            turn_seconds=game_form.turn_seconds,
            switches=game_form.switches,
            wishes=GameCriteria(
                bingo_turns=cleaned["bingo_turns"] or 0,
                least_total=cleaned["least_total"],
                most_total=cleaned["most_total"],
                single_tops=cleaned["single_tops"] or 0,
            ),
        )


class ImportGameForm(forms.Form):
    """A prepared game or an archive in a file."""

    file = forms.FileField(label=_("File of a prepared game, archive of a game, or game saved by Eliot (XML)"))
    title = forms.CharField(label=_("Title (empty: the one of the file)"), max_length=200, required=False)
    lexicon = forms.ChoiceField(label=_("Word list for a game to replay"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = ("", _("the one with which the game was played"))
        set_choices(self, "lexicon", [own, *((entry.name, entry.title) for entry in installed_lists())])

    def clean_file(self) -> str:
        """Return the text of the file."""
        upload: UploadedFile[bytes] = self.cleaned_data["file"]
        if (upload.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(_("The file is larger than 30 MB: that is no game."))
        try:
            content: bytes = upload.read()
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(_("This is not the file of a game: it is not text in UTF-8.")) from None


def set_choices(form: forms.Form, name: str, choices: list[tuple[str, Any]]) -> None:
    """Set the choices of a field."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101  declared so above
    field.choices = choices
