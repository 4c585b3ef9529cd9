"""Forms for joining an event."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

LONGEST_CODE = 20
LONGEST_NAME = 200
HIGHEST_TABLE = 99_999


class CodeForm(forms.Form):
    """Event code, accepted with blanks, hyphens and small letters."""

    code = forms.CharField(
        max_length=LONGEST_CODE,
        error_messages={
            "required": _("Type the code shown on the wall."),
            "max_length": _("The code is shorter: type the characters shown on the wall."),
        },
    )

    def clean_code(self) -> str:
        """Return the letters and digits in capitals."""
        code = "".join(sign for sign in self.cleaned_data["code"] if sign.isalnum()).upper()
        if not code:
            raise forms.ValidationError(_("Type the code shown on the wall."))
        return code


class SeatForm(forms.Form):
    """Name, table number or both, and the table's code if the event requires it.

    `is_new`: the player means none of the similar names on the list. `asks_judge`: the table has another phone, and the
    judge is to let this one in. `member` is the number of a member of the club who is not a player yet. `ticket` makes
    joining idempotent.
    """

    name = forms.CharField(
        required=False,
        max_length=LONGEST_NAME,
        error_messages={"max_length": _("The name is too long to be shown on the wall.")},
    )
    nickname = forms.CharField(
        required=False,
        max_length=LONGEST_NAME,
        error_messages={"max_length": _("The nickname is too long to be shown on the wall.")},
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
        error_messages={"max_length": _("The code of a table has eight characters.")},
    )
    room = forms.IntegerField(required=False, min_value=1)
    member = forms.IntegerField(required=False, min_value=1)
    is_new = forms.BooleanField(required=False)
    asks_judge = forms.BooleanField(required=False)
    ticket = forms.CharField(required=False, max_length=200)

    def clean(self) -> dict[str, Any]:
        """Require a name, a table number or a member."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not any(map(cleaned.get, ("name", "table", "member"))):
            raise forms.ValidationError(_("Type your name or the number of your table."))
        return cleaned
