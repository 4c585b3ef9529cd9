from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.prepared.services.solo_practice import HIGHEST_SCORE, LONGEST_REFERENCE, LONGEST_WORD


class SlipForm(forms.Form):
    """Practice slip. Only malformed input is refused; the clock continues meanwhile."""

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
        """Convert a word in small letters only to capitals, as no rack has so many blanks."""
        word: str = self.cleaned_data["word"]
        return word.upper() if word == word.lower() and len(word) > 1 else word
