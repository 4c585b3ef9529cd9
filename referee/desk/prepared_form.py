"""What a judge fills in to have a game prepared, and to bring one from a file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from engine.edition import edition_codes, load_edition
from engine.prepare import Wishes
from engine.rules.profile import Profile, load_profile, profile_codes
from referee.desk.game_form import GameForm
from tournaments.lexicons import fitting, installed
from tournaments.names import edition_name, profile_name
from tournaments.services.preparing import LARGEST_FILE, MOST_TURNS_WITH_BINGO, Order

DEFAULT_PROFILE = "club"


class PrepareForm(forms.Form):
    """A game to be prepared; left alone, any game will do."""

    title = forms.CharField(label=_("Title, by which you know it again"), max_length=200)
    edition = forms.ChoiceField(label=_("Edition"))
    profile = forms.ChoiceField(label=_("Rules"))
    lexicon = forms.ChoiceField(label=_("Word list"), required=False)
    bingo_turns = forms.IntegerField(
        label=_("A bingo is possible in each of so many first turns"),
        required=False,
        min_value=0,
        max_value=MOST_TURNS_WITH_BINGO,
    )
    least_total = forms.IntegerField(label=_("Sum of the tops at least"), required=False, min_value=0, max_value=9999)
    most_total = forms.IntegerField(label=_("Sum of the tops at most"), required=False, min_value=1, max_value=9999)
    single_tops = forms.IntegerField(
        label=_("Turns with one best move alone, in percent, at least"), required=False, min_value=0, max_value=100
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        editions = [edition for edition in map(load_edition, edition_codes()) if fitting(edition)]
        choose(self, "edition", [(edition.code, edition_name(edition)) for edition in editions])
        choose(self, "profile", [(code, profile_name(load_profile(code))) for code in profile_codes()])
        choose(self, "lexicon", [("", _("the edition's own list")), *((e.name, e.title) for e in installed())])
        self.initial.setdefault("edition", "it")
        self.initial.setdefault("profile", DEFAULT_PROFILE)

    @property
    def rules(self) -> Profile:
        """The rules that are chosen so far, those of a new form when nothing was."""
        code = str(self["profile"].value())
        return load_profile(code if code in profile_codes() else DEFAULT_PROFILE)

    def order(self, game_form: GameForm) -> Order:
        """What `services.preparing.ask` wants."""
        wanted = self.cleaned_data
        return Order(
            edition=wanted["edition"],
            profile=wanted["profile"],
            lexicon=wanted["lexicon"] or None,
            formula=game_form.formula_code,
            rhythm_s=game_form.rhythm_s,
            switches=game_form.switches,
            wishes=Wishes(
                bingo_turns=wanted["bingo_turns"] or 0,
                least_total=wanted["least_total"],
                most_total=wanted["most_total"],
                single_tops=wanted["single_tops"] or 0,
            ),
        )


class BringForm(forms.Form):
    """A prepared game or an archive out of a file."""

    file = forms.FileField(label=_("File of a prepared game, archive of a game, or game saved by Eliot (XML)"))
    title = forms.CharField(label=_("Title (empty: the one of the file)"), max_length=200, required=False)
    lexicon = forms.ChoiceField(label=_("Word list for a game to replay"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = ("", _("the one the game was played with"))
        choose(self, "lexicon", [own, *((entry.name, entry.title) for entry in installed())])

    def clean_file(self) -> str:
        """The text of the file."""
        upload: UploadedFile[bytes] = self.cleaned_data["file"]
        if (upload.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(_("The file is larger than 30 MB: that is no game."))
        try:
            content: bytes = upload.read()
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(_("This is no file of a game: it is not text in UTF-8.")) from None


def choose(form: forms.Form, name: str, choices: list[tuple[str, Any]]) -> None:
    """Give a field of a form its choices."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101  declared so above
    field.choices = choices
