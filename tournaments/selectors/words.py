"""What the judge asks about words: is this one valid, and why; what hooks it takes; anagrams; words like a pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.edition import LETTER_MASK, Edition, UnknownLetter
from engine.lexicon import asking
from engine.lexicon.asking import Found, Word
from engine.lexicon.graph import Lexicon
from engine.lexicon.nodes import LONGEST_WORD
from engine.lexicon.reading import SHORTEST_WORD
from tournaments import lexicons, validators
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.lexicons import LexiconFile
from tournaments.models import Game, Room, WordRuling
from tournaments.selectors.phases import turn_in

LONGEST_QUESTION = 60
MOST_SHOWN = 100
MOST_RULINGS = 5


@dataclass(frozen=True, slots=True)
class WordsFound:
    """Words in tile text, the first ones when they are many, and how many there are in all."""

    words: list[str]
    total: int

    @property
    def more(self) -> int:
        """How many are not shown."""
        return self.total - len(self.words)


@dataclass(frozen=True, slots=True)
class WordAnswer:
    """The answer to a question about words.

    `valid` is None for a rack or a pattern, and when the question cannot be understood. `sentence` says what holds
    and why; `remarks` are sentences more. `lists` are the lists that fit the edition and have the word. `front` and
    `back` are the hooks; `anagrams` and `matching` are None where they were not asked for.
    """

    asked: str
    sentence: str
    valid: bool | None = None
    word: str = ""
    remarks: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    front: list[str] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    anagrams: WordsFound | None = None
    matching: WordsFound | None = None


def look_up(game: Game, question: str, room: Room | None = None) -> WordAnswer:
    """Ask the words that count in the turn that a room is at (the event's first one when None), rulings included.

    A word in any case, a rack with `?` for blanks, or a pattern (`.` `_` `?` one letter, `*` any letters).
    """
    try:
        entry = lexicons.of_game(game)
    except Refused as refused:
        return WordAnswer(question, refused.sentence)
    turn = turn_in(game, room)
    number = turn.number if turn is not None else 1
    rulings = WordRuling.objects.filter(game=game, revoked_at=None, from_turn__lte=number)
    return _answer(entry, lexicons.open_lexicon(game, number), list(rulings.order_by("from_turn", "pk")), question)


def look_up_for_player(game: Game, question: str, room: Room) -> WordAnswer:
    """Whether a word is valid, for players who may look words up: one whole word, without hooks and anagrams.

    What a judge ruled in the running turn is left out, since it would tell of a slip that somebody handed in.
    """
    try:
        entry = lexicons.of_game(game)
    except Refused as refused:
        return WordAnswer(question, refused.sentence)
    asked = validators.one_line(question)[:LONGEST_QUESTION]
    turn = turn_in(game, room)
    number = turn.number if turn is not None else 1
    known = WordRuling.objects.filter(game=game, revoked_at=None)
    rulings = known.filter(Q(from_turn__lt=number) | Q(from_turn=number, agreed=True), ruled_in=None)
    try:
        if asking.jokers(entry.edition, asked):
            return WordAnswer(asked, _("Type one whole word."))
        return _validity(entry, list(rulings.order_by("from_turn", "pk")), asked)
    except UnknownLetter as error:
        return WordAnswer(asked, _not_laid(asked, error), valid=False)


def _validity(entry: LexiconFile, rulings: Sequence[WordRuling], asked: str) -> WordAnswer:
    """The answer to a player, by the list and these rulings."""
    words = lexicons.graph_of(entry)
    readings = [tuple(code & LETTER_MASK for code in codes) for codes in entry.edition.allowed_readings(asked)]
    if not readings or not SHORTEST_WORD <= len(readings[0]) <= LONGEST_WORD:
        return WordAnswer(asked, _("Type one whole word."))
    word = next((reading for reading in readings if reading in words), readings[0])
    text = entry.edition.word_text(word)
    ruling = next((row for row in reversed(rulings) if row.word == text), None)
    valid = word in words if ruling is None else ruling.ruling == Ruling.ACCEPTED
    return WordAnswer(asked, _verdict(text, entry, word, valid, ruling), valid=valid, word=text)


def check(entry: LexiconFile, question: str) -> WordAnswer:
    """Ask a list itself; rulings of events on the word are told as remarks."""
    answer = _answer(entry, lexicons.graph_of(entry), [], question)
    if answer.word:
        answer.remarks.extend(_told_elsewhere(answer.word))
    return answer


def _answer(entry: LexiconFile, words: Lexicon, rulings: Sequence[WordRuling], question: str) -> WordAnswer:
    asked, edition = validators.one_line(question), entry.edition
    if len(asked) > LONGEST_QUESTION:
        return WordAnswer(asked[:LONGEST_QUESTION] + "…", _("This is too long for a word."))
    try:
        jokers = asking.jokers(edition, asked)
        return _likenesses(words, asked, jokers) if jokers else _word(entry, words, rulings, asked)
    except UnknownLetter as error:
        return WordAnswer(asked, _not_laid(asked, error), valid=False)


def _not_laid(asked: str, error: UnknownLetter) -> str:
    return _("%(asked)s cannot be laid: no tile shows %(sign)s.") % {"asked": asked, "sign": error.sign}


def _likenesses(words: Lexicon, asked: str, jokers: set[str]) -> WordAnswer:
    """A rack with blanks, a pattern, or, when only `?` stands in it, both."""
    edition = words.edition
    matching = _shown(edition, asking.matches(words, asking.parse_pattern(edition, asked), MOST_SHOWN))
    anagrams = None
    if jokers == {"?"}:
        anagrams = _shown(edition, asking.anagrams(words, asking.parse_handful(edition, asked), MOST_SHOWN))
    return WordAnswer(asked, "", anagrams=anagrams, matching=matching)


def _word(entry: LexiconFile, words: Lexicon, rulings: Sequence[WordRuling], asked: str) -> WordAnswer:
    edition = entry.edition
    readings = [tuple(code & LETTER_MASK for code in codes) for codes in edition.allowed_readings(asked)]
    word = next((reading for reading in readings if reading in words), readings[0])
    text = edition.word_text(word)
    if not SHORTEST_WORD <= len(word) <= LONGEST_WORD:
        return WordAnswer(asked, _wrong_length(text, len(word)), valid=False)
    ruling = next((row for row in reversed(rulings) if row.word == text), None)
    front, back = asking.hooks(words, word)
    return WordAnswer(
        asked=asked,
        sentence=_verdict(text, entry, word, word in words, ruling),
        valid=word in words,
        word=text,
        remarks=[*_blanks(edition, word), *_other_readings(words, asked, word)],
        lists=[each.title for each in lexicons.fitting(edition) if word in lexicons.graph_of(each)],
        front=[edition.word_text((letter,)) for letter in front],
        back=[edition.word_text((letter,)) for letter in back],
        anagrams=_shown(edition, _others(asking.anagrams(words, asking.Handful(word, 0), MOST_SHOWN + 1), word)),
    )


def _verdict(text: str, entry: LexiconFile, word: Word, valid: bool, ruling: WordRuling | None) -> str:
    named = {"word": text, "list": entry.title}
    if ruling is not None:
        named |= {"turn": str(ruling.from_turn), "reason": ruling.reason or _("no reason given")}
        if ruling.ruling == Ruling.ACCEPTED:
            return _("%(word)s is valid: the judge accepted it from turn %(turn)s on (%(reason)s).") % named
        return _("%(word)s is not valid: the judge struck it from turn %(turn)s on (%(reason)s).") % named
    if entry.parts:
        return _verdict_of_two(text, entry, word)
    if valid:
        return _("%(word)s is valid: it is in the list %(list)s.") % named
    return _("%(word)s is not valid: it is not in the list %(list)s.") % named


def _verdict_of_two(text: str, entry: LexiconFile, word: Word) -> str:
    """Which of two lists has the word, and whether that is enough."""
    has = [word in lexicons.graph_of(part) for part in entry.parts]
    with_it = [part.title for part, there in zip(entry.parts, has, strict=True) if there]
    without = [part.title for part, there in zip(entry.parts, has, strict=True) if not there]
    if not without:
        return _("%(word)s is valid: it is in both lists, %(first)s and %(second)s.") % {
            "word": text,
            "first": with_it[0],
            "second": with_it[1],
        }
    if not with_it:
        return _("%(word)s is not valid: it is in neither list, %(first)s or %(second)s.") % {
            "word": text,
            "first": without[0],
            "second": without[1],
        }
    named = {"word": text, "with": with_it[0], "without": without[0]}
    if entry.combined_by == lexicons.BOTH:
        return _("%(word)s is not valid: it is in the list %(with)s, but not in %(without)s.") % named
    return _("%(word)s is valid: it is in the list %(with)s, though not in %(without)s.") % named


def _wrong_length(text: str, length: int) -> str:
    sentence = ngettext(
        "%(word)s is no word: it has %(length)d letter, and a word has 2 to 15.",
        "%(word)s is no word: it has %(length)d letters, and a word has 2 to 15.",
        length,
    )
    return sentence % {"word": text, "length": length}


def _blanks(edition: Edition, word: Word) -> list[str]:
    """What there is to say of a word for which the bag has not tiles enough."""
    needed, there = asking.blanks_needed(edition, word), edition.kinds[0].count
    if needed > there:
        sentence = _("The bag has not the tiles for it: it takes %(needed)d blanks, and there are %(there)d.")
        return [sentence % {"needed": needed, "there": there}]
    if needed:
        sentence = ngettext("It takes %(needed)d blank.", "It takes %(needed)d blanks.", needed)
        return [sentence % {"needed": needed}]
    return []


def _other_readings(words: Lexicon, asked: str, word: Word) -> list[str]:
    """Other ways to lay what was written that are in the list too, or instead."""
    readings = (tuple(code & LETTER_MASK for code in codes) for codes in words.edition.readings(asked))
    others = [words.edition.word_text(other) for other in readings if other != word and other in words]
    if not others:
        return []
    return [_("Laid in other tiles the list has it too: %(words)s.") % {"words": ", ".join(others)}]


def _told_elsewhere(word: str) -> list[str]:
    """The rulings on a word in the events of this installation, the last ones first."""
    rows = WordRuling.objects.filter(word=word, revoked_at=None).select_related("event").order_by("-at")
    return [_ruled(row) for row in rows[:MOST_RULINGS]]


def _ruled(row: WordRuling) -> str:
    named = {"event": row.event.name, "reason": row.reason or _("no reason given")}
    if row.ruling == Ruling.ACCEPTED:
        return _("Accepted by the judge of %(event)s (%(reason)s).") % named
    return _("Struck by the judge of %(event)s (%(reason)s).") % named


def _others(found: Found, word: Word) -> Found:
    """The anagrams of a word without the word itself."""
    if word not in found.words:
        return Found(found.words[:MOST_SHOWN], found.total)
    return Found([each for each in found.words if each != word], found.total - 1)


def _shown(edition: Edition, found: Found) -> WordsFound:
    return WordsFound([edition.word_text(word) for word in found.words], found.total)
