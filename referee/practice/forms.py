from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.services.practising import HIGHEST_SCORE, LONGEST_REFERENCE, LONGEST_WORD


class SlipForm(forms.Form):
    """A slip as it is written; only what no slip can be is refused, and the clock goes on meanwhile."""

    turn = forms.IntegerField(min_value=1)
    word = forms.CharField(required=False, max_length=LONGEST_WORD)
    ref = forms.CharField(required=False, max_length=LONGEST_REFERENCE)
    declared = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=HIGHEST_SCORE,
        error_messages={"invalid": _("The score is a whole number.")},
    )

    def clean_word(self) -> str:
        """A word all in small letters was typed so for ease: no rack has as many blanks."""
        word: str = self.cleaned_data["word"]
        return word.upper() if word == word.lower() and len(word) > 1 else word
