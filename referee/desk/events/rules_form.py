"""A form made of the switches of a profile: one typed field each, in the groups of the rule page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.rules.profile import Profile, load_profile, profile_codes
from engine.rules.rules_text import Rule, clock_text, format_value, rule_page, switch_title
from engine.rules.switch_types import (
    Bonuses,
    Calls,
    OneOf,
    OrderedChoices,
    SwitchType,
    TileFaces,
    WholeNumber,
    YesNo,
)
from engine.rules.switches import SWITCHES
from engine.variants.variant import Variant
from tournaments.errors import Refused
from tournaments.events.services.game_rules import require_possible

PREFIX = "rule"
DEFAULT_PROFILE = "it-box"
_ENTRY = re.compile(r"[,;\s]+")
_BONUS = re.compile(r"(\d{1,2})\s*[=:]\s*(\d{1,4})")
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,5})")


class _TextValueField(forms.CharField):
    """A value that is written as a short text; `read` gives it, or raises `ValueError`. `hint` says how to write it."""

    hint: Any = ""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, help_text=self.hint, **kwargs)

    def to_python(self, value: Any) -> Any:
        """The value of what was written; one that is no text is a value already."""
        if value is not None and not isinstance(value, str):
            return value
        try:
            return self.read((super().to_python(value) or "").strip())
        except ValueError:
            raise forms.ValidationError(self.hint) from None

    def read(self, text: str) -> Any:
        raise NotImplementedError


class ClockField(_TextValueField):
    """Seconds, written 3:00 or 180, of which `kind` says how many there may be."""

    kind = WholeNumber(1, 3600)

    hint = _("Minutes and seconds, such as 3:00, or seconds alone.")

    def __init__(self, kind: WholeNumber = kind, **kwargs: Any) -> None:
        self.kind = kind
        super().__init__(**kwargs)

    def read(self, text: str) -> Any:
        return self.kind(self._seconds(text))

    def _seconds(self, text: str) -> int:
        found = _CLOCK.fullmatch(text)
        if found is None or (found[1] and int(found[2]) > 59):
            raise ValueError(text)
        return 60 * int(found[1] or 0) + int(found[2])

    def prepare_value(self, value: Any) -> Any:
        return clock_text(value) if isinstance(value, int) else value


class CallsField(ClockField):
    """Times before the end, 1:00, 0:30, 0:05, the longest first."""

    hint = _("Times before the end with commas between them, such as 1:00, 0:30, 0:05; empty for none.")

    def read(self, text: str) -> Any:
        calls = {self._seconds(entry) for entry in _ENTRY.split(text) if entry}
        return SWITCHES["calls_s"].kind(sorted(calls, reverse=True))

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else ", ".join(clock_text(each) for each in value)


class LettersField(_TextValueField):
    """Faces of tiles."""

    hint = _("Letters with commas between them, such as Y; empty for none.")

    def read(self, text: str) -> Any:
        return SWITCHES["either_letters"].kind([entry.upper() for entry in _ENTRY.split(text) if entry])

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else ", ".join(value)


class BonusesField(_TextValueField):
    """Points by tiles laid, 7=50, 8=75."""

    hint = _("Tiles laid and points, such as 7=50, 8=75; empty for no bonus.")

    def read(self, text: str) -> Any:
        if _BONUS.sub("", text).strip(" ,;"):
            raise ValueError(text)
        return SWITCHES["bonuses"].kind({laid: int(points) for laid, points in _BONUS.findall(text)})

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else ", ".join(f"{n}={points}" for n, points in value)


class _OrderWidget(forms.MultiWidget):
    """One choice for each place."""

    use_fieldset = True

    def __init__(self, choices: list[tuple[str, str]]) -> None:
        places = [
            forms.Select(choices=[("", "–"), *choices], attrs={"aria-label": gettext("Place %(n)d") % {"n": n}})
            for n in range(1, len(choices) + 1)
        ]
        super().__init__(places)

    def decompress(self, value: Any) -> list[str]:
        chosen = list(value or ())
        return chosen + [""] * (len(self.widgets) - len(chosen))


class OrderField(forms.Field):
    """Criteria in the order in which they decide."""

    def __init__(self, choices: list[tuple[str, str]], kind: OrderedChoices, **kwargs: Any) -> None:
        self.kind = kind
        super().__init__(required=False, widget=_OrderWidget(choices), **kwargs)

    def clean(self, value: Any) -> Any:
        try:
            return self.kind([entry for entry in value or () if entry])
        except ValueError:
            raise forms.ValidationError(_("Choose each of them once at most.")) from None


@dataclass(frozen=True, slots=True)
class Line:
    """A switch in the form: its field, and what the rule page says of it."""

    field: forms.BoundField
    rule: Rule


class RulesForm(forms.Form):
    """Single switches of the profile `code`, beginning with those of `current` where a game has its own.

    Fields that a request leaves out keep the value of `current`. `overrides` are the switches that differ from the
    profile. What the variant sets has no field.
    """

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        code: str,
        current: Profile | None = None,
        variant: Variant | None = None,
    ) -> None:
        written = data is not None and any(name.startswith(f"{PREFIX}-") for name in data)
        super().__init__(data if written else None, prefix=PREFIX)
        self.plain = load_profile(code)
        self.current = current or self.plain
        self.variant = variant
        set_by_variant = variant.switches if variant else {}
        for name, switch in SWITCHES.items():
            if name not in set_by_variant:
                self.fields[name] = _field(name, switch.kind)
                self.initial[name] = self.current.value_of(name)

    def full_clean(self) -> None:
        """Fields that the request leaves out are cleaned like disabled ones: they keep their value."""
        omitted = [field for name, field in self.fields.items() if self.is_bound and self._omits(name, field)]
        for field in omitted:
            field.disabled = True
        super().full_clean()
        for field in omitted:
            field.disabled = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                rules = self.plain.with_switches(**cleaned)
                require_possible(self.variant.apply_to(rules) if self.variant else rules, self.variant)
            except Refused as refused:
                self.add_error(None, refused.sentence)
        return cleaned

    @property
    def sound(self) -> bool:
        """True if the field is empty or correct."""
        return not self.is_bound or self.is_valid()

    @property
    def overrides(self) -> dict[str, Any]:
        """The switches that are to differ from the profile."""
        wanted = self.cleaned_data if self.is_bound else {name: self.current.value_of(name) for name in self.fields}
        return {name: value for name, value in wanted.items() if value != self.plain.value_of(name)}

    @property
    def groups(self) -> Iterator[tuple[str, list[Line]]]:
        """The title of each group with its lines."""
        for group in rule_page(self.shown, self.variant, gettext, every=True):
            rules = [rule for rule in group.rules if rule.switch in self.fields]
            yield group.title, [Line(self[rule.switch], rule) for rule in rules]

    @property
    def shown(self) -> Profile:
        """The rules as they stand in the form; while it has mistakes, those that it began with."""
        return self.plain.with_switches(**self.overrides) if self.sound else self.current

    def _omits(self, name: str, field: forms.Field) -> bool:
        return bool(field.widget.value_omitted_from_data(self.data, self.files, self.add_prefix(name)))


def _empty(switch: str) -> str:
    """Placeholder of an empty field."""
    return gettext("Empty: %(meaning)s.") % {"meaning": format_value(switch, None, gettext)}


def _field(switch: str, kind: SwitchType) -> forms.Field:
    label = switch_title(switch, gettext)
    match kind:
        case OneOf():
            choices = [(value, format_value(switch, value, gettext)) for value in kind.values]
            return forms.ChoiceField(label=label, choices=choices)
        case YesNo():
            yes, no = (format_value(switch, value, gettext) for value in (True, False))
            return forms.TypedChoiceField(
                label=label, choices=[("True", yes), ("False", no)], coerce=lambda text: text == "True"
            )
        case WholeNumber(seconds=True):
            return ClockField(kind, label=label)
        case WholeNumber():
            return forms.IntegerField(
                label=label,
                min_value=kind.least,
                max_value=kind.most,
                required=not kind.optional,
                help_text=_empty(switch) if kind.optional else "",
            )
        case OrderedChoices():
            ordered = [(entry, format_value(switch, [entry], gettext)) for entry in kind.values]
            return OrderField(ordered, kind, label=label)
        case TileFaces():
            return LettersField(label=label)
        case Calls():
            return CallsField(label=label)
        case Bonuses():
            return BonusesField(label=label)


def list_rule_faults(form: RulesForm) -> str:
    """Return the first fault of each switch, with its label."""
    named = (
        (str(form.fields[name].label) if name in form.fields else "", texts[0]) for name, texts in form.errors.items()
    )
    return "; ".join(f"{label}: {text}" if label else str(text) for label, text in named)


def read_chosen_rules(post: QueryDict) -> RulesForm:
    """The switches of a new event: as they were written, or those of the profile when they were of another one."""
    code = post.get("profile", DEFAULT_PROFILE)
    if code not in profile_codes():
        code = DEFAULT_PROFILE
    same = post.get("rules_of", code) == code
    return RulesForm(post if same else None, code=code)


def require_same_rules(post: QueryDict) -> None:
    """Refuse to guess what switches mean that were changed before another profile was chosen."""
    code, shown = post.get("profile", ""), post.get("rules_of", "")
    if shown in profile_codes() and shown != code:
        of_shown = RulesForm(post, code=shown)
        if not of_shown.sound or of_shown.overrides:
            raise Refused(
                gettext("Single rules were changed, then other rules were chosen. Change what you want in these here.")
            )
