"""Form to import a word list."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from engine.tiles.edition import edition_codes, load_edition
from referee.desk.prepared.forms import set_choices
from tournaments.lexicons.list_import import NAME, ImportResult, ListDescription, import_list
from tournaments.lexicons.names import edition_name
from tournaments.lexicons.word_lists import lists_folder

LARGEST_UPLOAD = 20_000_000
_ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("cp1252", "Windows-1252, Latin-1"),
    ("cp1250", "Windows-1250, Latin-2"),
)
_LONGEST_NAME = 80


class ImportListForm(forms.Form):
    """A word list in a file, with what the organiser says about it."""

    file = forms.FileField(
        label=_("File with one word a line"),
        help_text=_("A text, a zip file with one text, or a zip file with a Hunspell dictionary; 20 MB at most."),
    )
    edition = forms.ChoiceField(label=_("Language and letters"))
    name = forms.CharField(
        label=_("Name of the list"),
        max_length=40,
        help_text=_("Small letters, digits, - and _, such as club-2026."),
    )
    encoding = forms.ChoiceField(label=_("Encoding of the text"), choices=_ENCODINGS, initial="utf-8")
    origin = forms.CharField(label=_("Source of the list"), max_length=200, required=False)
    licence = forms.CharField(label=_("Licence or permission"), max_length=300)
    official = forms.BooleanField(label=_("A federation issued this list"), required=False)
    replace = forms.BooleanField(label=_("Replace the list with this name"), required=False)
    permitted = forms.BooleanField(label=_("I may use this list here under this licence or permission."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        editions = [load_edition(code) for code in edition_codes()]
        set_choices(self, "edition", [(edition.code, edition_name(edition)) for edition in editions])
        language = (get_language() or "it")[:2]
        self.initial.setdefault("edition", language if language in edition_codes() else "it")

    def clean_file(self) -> UploadedFile[bytes]:
        upload: UploadedFile[bytes] = self.cleaned_data["file"]
        if (upload.size or 0) > LARGEST_UPLOAD:
            raise forms.ValidationError(_("The file is larger than 20 MB: that is no word list."))
        return upload

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not NAME.fullmatch(name):
            raise forms.ValidationError(_("Name the list with small letters, digits, - and _, such as club-2026."))
        if (lists_folder() / f"{name}.txt").exists() and not self.data.get("replace"):
            text = gettext("There is a list %(name)s already: choose another name, or tick “%(replace)s”.")
            raise forms.ValidationError(text % {"name": name, "replace": self.fields["replace"].label})
        return name

    def install(self) -> ImportResult:
        """Install the list of the valid form; `Refused` if its file has no words."""
        cleaned = self.cleaned_data
        upload: UploadedFile[bytes] = cleaned["file"]
        with tempfile.TemporaryDirectory(prefix="multiplo-") as folder:
            path = Path(folder) / _file_name(upload.name or "")
            with path.open("wb") as copy:
                for chunk in upload.chunks():
                    copy.write(chunk)
            return import_list(
                path,
                edition=cleaned["edition"],
                name=cleaned["name"],
                said=ListDescription(cleaned["origin"], cleaned["licence"], cleaned["official"]),
                encoding=cleaned["encoding"],
            )


def _file_name(name: str) -> str:
    """The name of an uploaded file as a safe name in a folder of its own."""
    return re.sub(r"[^\w. -]", "_", name)[-_LONGEST_NAME:].lstrip(". ") or "list.txt"
