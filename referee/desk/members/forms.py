"""Form of a member."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments import validators
from tournaments.members.member_fields import (
    EMAIL_LENGTH,
    MEMBER_FIELDS,
    NAME_PART_LENGTH,
    NOTE_LENGTH,
    member_field_titles,
)
from tournaments.members.services.members import MemberDetails
from tournaments.models import Member


class MemberForm(forms.Form):
    """All fields of a member; `is_namesake` answers the question about a member of the same name."""

    surname = forms.CharField(max_length=NAME_PART_LENGTH)
    first_name = forms.CharField(max_length=NAME_PART_LENGTH, required=False)
    club = forms.CharField(max_length=validators.NAME_LENGTH, required=False)
    team = forms.CharField(max_length=validators.NAME_LENGTH, required=False)
    licence = forms.CharField(max_length=validators.SERIES_LENGTH, required=False)
    category = forms.CharField(max_length=validators.SERIES_LENGTH, required=False)
    birth_year = forms.IntegerField(required=False, help_text=_("Only the year is stored, never the day."))
    country = forms.CharField(max_length=validators.SERIES_LENGTH, required=False)
    email = forms.EmailField(max_length=EMAIL_LENGTH, required=False)
    joined_on = forms.DateField(required=False)
    left_on = forms.DateField(required=False)
    note = forms.CharField(max_length=NOTE_LENGTH, required=False, widget=forms.Textarea(attrs={"rows": 3}))
    may_be_published = forms.BooleanField(required=False, help_text=_("The member has agreed to it."))
    wants_mail = forms.BooleanField(required=False)
    is_namesake = forms.BooleanField(required=False)

    def __init__(self, post: QueryDict | None, member: Member | None) -> None:
        super().__init__(post, initial={name: getattr(member, name) for name in MEMBER_FIELDS} if member else None)
        for name, title in member_field_titles().items():
            self.fields[name].label = title
        for name in ("joined_on", "left_on"):
            self.fields[name].widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
        for name, suggestions in (("club", "clubs"), ("category", "categories")):
            self.fields[name].widget.attrs["list"] = f"known-{suggestions}"
        for field in self.fields.values():
            field.widget.attrs.setdefault("autocomplete", "off")

    def details(self) -> MemberDetails:
        """Return the details of the valid form."""
        return MemberDetails(**{name: self.cleaned_data[name] for name in MEMBER_FIELDS})
