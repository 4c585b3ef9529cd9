"""What players type to join."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

LONGEST_CODE = 20
LONGEST_NAME = 200
HIGHEST_TABLE = 99_999


class CodeForm(forms.Form):
    """The code on the wall, as people copy it: with blanks, hyphens, in small letters."""

    code = forms.CharField(
        max_length=LONGEST_CODE,
        error_messages={
            "required": _("Type the code that stands on the wall."),
            "max_length": _("The code is shorter: copy the few signs that stand on the wall."),
        },
    )

    def clean_code(self) -> str:
        """The bare signs, in capitals."""
        code = "".join(sign for sign in self.cleaned_data["code"] if sign.isalnum()).upper()
        if not code:
            raise forms.ValidationError(_("Type the code that stands on the wall."))
        return code


class SeatForm(forms.Form):
    """Name, table number or both, where the event wants it the table's code. `ticket` makes two clicks one."""

    name = forms.CharField(
        required=False,
        max_length=LONGEST_NAME,
        error_messages={"max_length": _("The name is too long: a hall has to read it.")},
    )
    nickname = forms.CharField(
        required=False,
        max_length=LONGEST_NAME,
        error_messages={"max_length": _("The nickname is too long: a hall has to read it.")},
    )
    table = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=HIGHEST_TABLE,
        error_messages={
            "invalid": _("The table is a number, like 17."),
            "min_value": _("Tables are numbered from 1."),
            "max_value": _("There is no such table."),
        },
    )
    seat_code = forms.CharField(
        required=False,
        max_length=LONGEST_CODE,
        error_messages={"max_length": _("The code of a table has eight signs.")},
    )
    room = forms.IntegerField(required=False, min_value=1)
    ticket = forms.CharField(required=False, max_length=200)

    def clean(self) -> dict[str, Any]:
        """Somebody must be meant."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not cleaned.get("name") and cleaned.get("table") is None:
            raise forms.ValidationError(_("Type your name or the number of your table."))
        return cleaned
