"""Reader of Hunspell dictionaries (an .aff and a .dic file) that generates all their forms.

Supported: flags of one character, ``FLAG long`` and ``FLAG num``, ``AF`` aliases, suffixes and prefixes
with conditions, the cross product of both, a second suffix through continuation flags, ``NEEDAFFIX``,
``FORBIDDENWORD`` and ``ONLYINCOMPOUND``. Compounds are never formed: a spelling checker that accepts them
accepts far more than any dictionary lists.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

Flags = tuple[str, ...]
RuleFilter = Callable[[str, str, str], bool]
"""``(flag, strip, add) -> wanted``: lets a language leave out single rules of a flag."""

_ENCODINGS = {"microsoft-cp1251": "cp1251", "tis620-2533": "tis-620"}
_FLAG_WIDTHS = {"long": 2, "num": 0}
_MORPHOLOGY = re.compile(r"\t.*|\s+[a-z]{2}:.*")


class Rule(NamedTuple):
    """Affix rule: remove ``strip`` and add ``add`` if the word meets the condition."""

    strip: str
    add: str
    meets: Callable[[str], object] | None
    continuation: Flags

    def fits(self, word: str) -> bool:
        """Return True if the condition of the rule holds for ``word``."""
        return self.meets is None or self.meets(word) is not None


class Entry(NamedTuple):
    """A line of the .dic file: a root and the flags of the affixes it takes."""

    root: str
    flags: Flags


class Form(NamedTuple):
    """A form spelled out: its text, where it comes from, and by which affix flags ("" = no prefix)."""

    text: str
    root: str
    suffixes: Flags
    prefix: str


@dataclass(slots=True)
class Affixes:
    """The rules of an .aff file. ``crossing`` holds the flags whose affix may meet one at the other end."""

    encoding: str = "utf-8"
    flag_width: int = 1
    aliases: list[Flags] = field(default_factory=list)
    suffixes: dict[str, list[Rule]] = field(default_factory=dict)
    prefixes: dict[str, list[Rule]] = field(default_factory=dict)
    crossing: set[str] = field(default_factory=set)
    need_affix: set[str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)
    compound_only: set[str] = field(default_factory=set)

    def flags(self, text: str) -> Flags:
        """Split the flags written after a slash; a bare number is an alias when the file has aliases."""
        if self.aliases and text.isdigit():
            if not 1 <= int(text) <= len(self.aliases):
                raise ValueError(f"The dictionary uses flag alias {text}, which its .aff file does not define.")
            return self.aliases[int(text) - 1]
        return self.split(text)

    def split(self, text: str) -> Flags:
        """Split flags that are certainly no alias."""
        if self.flag_width == 0:
            return tuple(flag for flag in text.split(",") if flag)
        return tuple(text[i : i + self.flag_width] for i in range(0, len(text), self.flag_width))


def read_affixes(path: Path) -> Affixes:
    """Read an .aff file, in the encoding that it names itself; ValueError when that encoding is unknown."""
    raw = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    affixes = Affixes(encoding=_encoding(raw))
    lines = [line.split() for line in raw.decode(affixes.encoding, "replace").splitlines()]
    lines = [words for words in lines if len(words) > 1 and not words[0].startswith("#")]
    for words in lines:
        if words[0] == "FLAG":
            affixes.flag_width = _FLAG_WIDTHS.get(words[1], 1)
    # The first AF line only counts those that follow.
    affixes.aliases = [affixes.split(words[1]) for words in lines if words[0] == "AF"][1:]
    for words in lines:
        _read_line(affixes, words)
    return affixes


def read_entries(path: Path, affixes: Affixes) -> list[Entry]:
    """Read a .dic file: the count on top, comments and morphological fields are left out.

    An entry that contains a slash itself (written with a backslash before it) is no word and is left out too.
    """
    return [Entry(root, affixes.flags(flags) if flags else ()) for root, flags in _entry_lines(path, affixes.encoding)]


def read_roots(dictionary: Path) -> set[str]:
    """The roots of a dictionary, which is named without the endings .aff and .dic; its rules are not read."""
    raw = dictionary.with_suffix(".aff").read_bytes().removeprefix(b"\xef\xbb\xbf")
    return {root for root, _ in _entry_lines(dictionary.with_suffix(".dic"), _encoding(raw))}


def _entry_lines(path: Path, encoding: str) -> Iterator[tuple[str, str]]:
    """The roots of a .dic file, each with the text of its flags."""
    lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode(encoding, "replace").splitlines()
    if lines and lines[0].strip().isdigit():
        del lines[0]
    for line in lines:
        root, _, flags = _MORPHOLOGY.sub("", line).rstrip().partition("/")
        if root and not root.startswith("#") and not root.endswith("\\"):
            yield root, flags


def expand(
    affixes: Affixes,
    entries: Iterable[Entry],
    *,
    skip: Collection[str] = (),
    wanted: RuleFilter | None = None,
) -> Iterator[Form]:
    """Spell out every form of ``entries``, a root's forms together, without the flags in ``skip``.

    A form that the dictionary reaches on several ways comes several times, once for each.
    """
    entries = list(entries)
    forbidden = {entry.root for entry in entries if not affixes.forbidden.isdisjoint(entry.flags)}
    suffixes = _usable(affixes.suffixes, skip, wanted)
    prefixes = _usable(affixes.prefixes, skip, wanted)
    for entry in entries:
        if not _unusable(affixes, entry.flags):
            for form, open_to in _suffixed(affixes, suffixes, entry):
                if form.text not in forbidden and affixes.need_affix.isdisjoint(open_to.own):
                    yield form
                if prefixes:
                    yield from _prefixed(affixes, prefixes, form, open_to, forbidden)


def made_by_suffix(
    affixes: Affixes, entries: Iterable[Entry], words: Iterable[str], *, skip: Collection[str] = ()
) -> set[str]:
    """Those of the ``words`` that are a root with one suffix, without the flags in ``skip``.

    The same answer as searching the output of :func:`expand`, but each word is taken apart instead of each
    root spelled out, which pays when few words are asked for and the suffixes are many.
    """
    takers: dict[str, set[str]] = {}
    for entry in entries:
        if not _unusable(affixes, entry.flags):
            takers.setdefault(entry.root, set()).update(entry.flags)
    by_ending: dict[str, list[tuple[str, Rule]]] = {}
    for flag, rules in _usable(affixes.suffixes, skip, None).items():
        for rule in rules:
            by_ending.setdefault(rule.add, []).append((flag, rule))
    return {word for word in words if _has_root(word, by_ending, takers)}


class _OpenTo(NamedTuple):
    """Flags that a form may still take for a prefix, and the flags of the form itself."""

    prefix_flags: Flags
    own: Flags


def _suffixed(affixes: Affixes, suffixes: dict[str, list[Rule]], entry: Entry) -> Iterator[tuple[Form, _OpenTo]]:
    root, flags = entry
    yield Form(root, root, (), ""), _OpenTo(flags, flags)
    for flag in flags:
        crosses = flag in affixes.crossing
        for text, more in _apply(suffixes.get(flag, ()), root, affixes):
            yield Form(text, root, (flag,), ""), _OpenTo((flags if crosses else ()) + more, more)
            for second in more:
                both = crosses and second in affixes.crossing
                for longer, last in _apply(suffixes.get(second, ()), text, affixes):
                    form = Form(longer, root, (flag, second), "")
                    yield form, _OpenTo((flags if both else ()) + last, last)


def _apply(rules: Sequence[Rule], word: str, affixes: Affixes) -> Iterator[tuple[str, Flags]]:
    for strip, add, meets, continuation in rules:
        if (meets is None or meets(word)) and word.endswith(strip):
            if continuation and _unusable(affixes, continuation):
                continue
            yield word[: len(word) - len(strip)] + add, continuation


def _prefixed(
    affixes: Affixes, prefixes: dict[str, list[Rule]], form: Form, open_to: _OpenTo, forbidden: set[str]
) -> Iterator[Form]:
    for flag in dict.fromkeys(open_to.prefix_flags):
        if flag not in prefixes or (form.suffixes and flag not in affixes.crossing):
            continue
        for strip, add, meets, _ in prefixes[flag]:
            if (meets is None or meets(form.text)) and form.text.startswith(strip):
                text = add + form.text[len(strip) :]
                if text not in forbidden:
                    yield Form(text, form.root, form.suffixes, flag)


def _has_root(word: str, by_ending: dict[str, list[tuple[str, Rule]]], takers: dict[str, set[str]]) -> bool:
    for cut in range(1, len(word) + 1):
        for flag, rule in by_ending.get(word[cut:], ()):
            root = word[:cut] + rule.strip
            if flag in takers.get(root, ()) and rule.fits(root):
                return True
    return False


def _usable(rules: dict[str, list[Rule]], skip: Collection[str], wanted: RuleFilter | None) -> dict[str, list[Rule]]:
    kept = {}
    for flag, of_flag in rules.items():
        if flag not in skip:
            chosen = [rule for rule in of_flag if wanted is None or wanted(flag, rule.strip, rule.add)]
            if chosen:
                kept[flag] = chosen
    return kept


def _unusable(affixes: Affixes, flags: Flags) -> bool:
    return not (affixes.forbidden.isdisjoint(flags) and affixes.compound_only.isdisjoint(flags))


def _encoding(raw: bytes) -> str:
    named = re.search(rb"^SET\s+(\S+)", raw, re.MULTILINE)
    name = named.group(1).decode("ascii", "replace").lower() if named else "latin-1"
    name = _ENCODINGS.get(name, name)
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise ValueError(f"The .aff file is in the encoding {name!r}, which is unknown: save it as UTF-8.") from None


def _read_line(affixes: Affixes, words: list[str]) -> None:
    match words:
        case ["NEEDAFFIX" | "PSEUDOROOT", flag, *_]:
            affixes.need_affix.update(affixes.flags(flag))
        case ["FORBIDDENWORD", flag, *_]:
            affixes.forbidden.update(affixes.flags(flag))
        case ["ONLYINCOMPOUND", flag, *_]:
            affixes.compound_only.update(affixes.flags(flag))
        case ["SFX", flag, strip, add, *rest]:
            _read_rule(affixes, affixes.suffixes, flag, strip, add, rest)
        case ["PFX", flag, strip, add, *rest]:
            _read_rule(affixes, affixes.prefixes, flag, strip, add, rest)


def _read_rule(
    affixes: Affixes, table: dict[str, list[Rule]], flag: str, strip: str, add: str, rest: list[str]
) -> None:
    if flag not in table:  # the header of the flag: may it cross, and how many rules follow
        table[flag] = []
        if strip == "Y":
            affixes.crossing.add(flag)
        return
    add, _, continuation = add.partition("/")
    condition = rest[0] if rest and not rest[0].startswith("#") else "."
    at_end = table is affixes.suffixes
    table[flag].append(
        Rule(
            "" if strip == "0" else strip,
            "" if add == "0" else add,
            _condition(condition, at_end),
            affixes.flags(continuation) if continuation else (),
        )
    )


@cache
def _condition(text: str, at_end: bool) -> Callable[[str], object] | None:
    """A condition knows only letters, the dot, ``[abc]`` and ``[^abc]``; anything else in it is a letter."""
    if text == ".":
        return None
    parts = re.findall(r"\[(\^?)([^\]]*)\]|(.)", text)
    pattern = "".join(
        f"[{negated}{re.escape(letters)}]" if letters else "." if single == "." else re.escape(single)
        for negated, letters, single in parts
    )
    return re.compile(f"{pattern}$" if at_end else f"^{pattern}").search
