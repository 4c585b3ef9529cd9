"""Forms of simultaneous games."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournaments.enums import PreparationState, ScriptKind
from tournaments.models import PreparedGame, Simultaneous
from tournaments.prepared.services.prepared_games import LARGEST_FILE
from tournaments.simultaneous.services.hub import LONGEST_TEXT, Times


def _time_field(label: Any) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, widget=widget)


class TimesForm(forms.Form):
    """Time window and embargo."""

    opens_at = _time_field(_("Clubs may open the package from"))
    closes_at = _time_field(_("Clubs play and return until"))
    embargo_until = _time_field(_("Results are published from"))

    @property
    def times(self) -> Times:
        """The times of a valid form."""
        cleaned = self.cleaned_data
        return Times(cleaned["opens_at"], cleaned["closes_at"], cleaned["embargo_until"])

    @staticmethod
    def initial_of(simultaneous: Simultaneous) -> dict[str, Any]:
        """The present times."""
        return {name: getattr(simultaneous, name) for name in TimesForm.base_fields}


class SimultaneousForm(TimesForm):
    """A new simultaneous game."""

    title = forms.CharField(label=_("Title"), max_length=200)
    games = forms.ModelMultipleChoiceField(
        label=_("Prepared games, in the order in which they are played"),
        queryset=PreparedGame.objects.none(),
        widget=forms.CheckboxSelectMultiple,
    )
    clubs = forms.CharField(
        label=_("Clubs, a name on each line"), widget=forms.Textarea(attrs={"rows": 8}), max_length=200_000
    )
    note = forms.CharField(
        label=_("Rules and notes for the clubs"),
        widget=forms.Textarea(attrs={"rows": 4}),
        required=False,
        max_length=LONGEST_TEXT,
    )
    field_order = ("title", "games", "clubs", "opens_at", "closes_at", "embargo_until", "note")

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = self.fields["games"]
        assert isinstance(games, forms.ModelMultipleChoiceField)  # noqa: S101  declared so above
        games.queryset = PreparedGame.objects.filter(
            by=by, kind=ScriptKind.PREPARED, state=PreparationState.READY
        ).order_by("pk")


class OpenPackageForm(forms.Form):
    """A package from a file or a link, and the start code of the club."""

    file = forms.FileField(label=_("Package (file)"), required=False)
    link = forms.CharField(label=_("Or the link that the organiser sent"), required=False, max_length=500)
    code = forms.CharField(
        label=_("Start code of your club"),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
    )

    def clean_file(self) -> str:
        """Return the text of the file, or an empty text."""
        upload: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if upload is None:
            return ""
        if (upload.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(_("The file is larger than 30 MB: that is no package."))
        try:
            content: bytes = upload.read()
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(_("This is no package: it is not text in UTF-8.")) from None

    def clean(self) -> dict[str, Any]:
        """Require either a file or a link."""
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("file") and not cleaned.get("link"):
            raise forms.ValidationError(_("Choose the file of the package, or paste its link."))
        return cleaned
