"""Word lookup for judges and players: validity with the reason, hooks, anagrams, and pattern matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.lexicon import queries
from engine.lexicon.graph import Lexicon
from engine.lexicon.nodes import LONGEST_WORD
from engine.lexicon.parsing import SHORTEST_WORD
from engine.lexicon.queries import QueryResult, Word
from engine.tiles.edition import LETTER_MASK, Edition, UnknownLetter
from tournaments import validators
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.lexicons import word_lists
from tournaments.lexicons.word_lists import LexiconFile
from tournaments.models import Game, Room, WordRuling
from tournaments.play.queries.phases import get_room_turn

LONGEST_QUESTION = 60
MOST_SHOWN = 100
MOST_RULINGS = 5


@dataclass(frozen=True, slots=True)
class WordsFound:
    """Words in tile text, at most the first ones, and their total number."""

    words: list[str]
    total: int

    @property
    def more(self) -> int:
        """Number of words that are not shown."""
        return self.total - len(self.words)


@dataclass(frozen=True, slots=True)
class WordAnswer:
    """The answer to a query on words.

    `valid` is None for a rack, a pattern or an unreadable query. `sentence` states the result and the reason; `remarks`
    are further sentences. `lists` are the lists of this edition that have the word. `front` and `back` are the hooks;
    `anagrams` and `matching` are None if they were not queried.
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


def look_up_words(game: Game, question: str, room: Room | None = None) -> WordAnswer:
    """Query the words of a room's present turn, with rulings; `room` None is the drawing room.

    The query is a word in any case, a rack with `?` for blanks, or a pattern (`.` `_` `?` one letter, `*` any letters).
    """
    try:
        entry = word_lists.word_list_of_game(game)
    except Refused as refused:
        return WordAnswer(question, refused.sentence)
    turn = get_room_turn(game, room)
    number = turn.number if turn is not None else 1
    rulings = WordRuling.objects.filter(game=game, revoked_at=None, from_turn__lte=number)
    return _answer(entry, word_lists.open_lexicon(game, number), list(rulings.order_by("from_turn", "pk")), question)


def look_up_for_player(game: Game, question: str, room: Room) -> WordAnswer:
    """Return whether one word is valid, for players; without hooks and anagrams.

    Rulings of the present turn are left out, because they would reveal slips of other players.
    """
    try:
        entry = word_lists.word_list_of_game(game)
    except Refused as refused:
        return WordAnswer(question, refused.sentence)
    asked = validators.one_line(question)[:LONGEST_QUESTION]
    turn = get_room_turn(game, room)
    number = turn.number if turn is not None else 1
    known = WordRuling.objects.filter(game=game, revoked_at=None)
    rulings = known.filter(Q(from_turn__lt=number) | Q(from_turn=number, agreed=True), known_since=F("from_turn"))
    try:
        if queries.find_wildcards(entry.edition, asked):
            return WordAnswer(asked, _("Type one whole word."))
        return _validity(entry, list(rulings.order_by("from_turn", "pk")), asked)
    except UnknownLetter as error:
        return WordAnswer(asked, _not_layable_answer(asked, error), valid=False)


def _validity(entry: LexiconFile, rulings: Sequence[WordRuling], asked: str) -> WordAnswer:
    """Answer a player by the list and these rulings."""
    words = word_lists.graph_of(entry)
    readings = [tuple(code & LETTER_MASK for code in codes) for codes in entry.edition.allowed_readings(asked)]
    if not readings or not SHORTEST_WORD <= len(readings[0]) <= LONGEST_WORD:
        return WordAnswer(asked, _("Type one whole word."))
    word = next((reading for reading in readings if reading in words), readings[0])
    text = entry.edition.word_text(word)
    ruling = next((row for row in reversed(rulings) if row.word == text), None)
    valid = word in words if ruling is None else ruling.ruling == Ruling.ACCEPTED
    return WordAnswer(asked, _verdict(text, entry, word, valid, ruling), valid=valid, word=text)


def check_list(entry: LexiconFile, question: str) -> WordAnswer:
    """Query a list without rulings; rulings of events on the word are given as remarks."""
    answer = _answer(entry, word_lists.graph_of(entry), [], question)
    if answer.word:
        answer.remarks.extend(_rulings_elsewhere(answer.word))
    return answer


def _answer(entry: LexiconFile, words: Lexicon, rulings: Sequence[WordRuling], question: str) -> WordAnswer:
    asked, edition = validators.one_line(question), entry.edition
    if len(asked) > LONGEST_QUESTION:
        return WordAnswer(asked[:LONGEST_QUESTION] + "…", _("This is too long for a word."))
    try:
        jokers = queries.find_wildcards(edition, asked)
        return _find_matches(words, asked, jokers) if jokers else _word(entry, words, rulings, asked)
    except UnknownLetter as error:
        return WordAnswer(asked, _not_layable_answer(asked, error), valid=False)


def _not_layable_answer(asked: str, error: UnknownLetter) -> str:
    return _("%(asked)s cannot be laid: no tile shows %(sign)s.") % {"asked": asked, "sign": error.sign}


def _find_matches(words: Lexicon, asked: str, jokers: set[str]) -> WordAnswer:
    """Answer a rack with blanks, a pattern, or both if the query only has `?`."""
    edition = words.edition
    matching = _shown(edition, queries.find_matches(words, queries.parse_pattern(edition, asked), MOST_SHOWN))
    anagrams = None
    if jokers == {"?"}:
        anagrams = _shown(edition, queries.find_anagrams(words, queries.parse_tile_query(edition, asked), MOST_SHOWN))
    return WordAnswer(asked, "", anagrams=anagrams, matching=matching)


def _word(entry: LexiconFile, words: Lexicon, rulings: Sequence[WordRuling], asked: str) -> WordAnswer:
    edition = entry.edition
    readings = [tuple(code & LETTER_MASK for code in codes) for codes in edition.allowed_readings(asked)]
    word = next((reading for reading in readings if reading in words), readings[0])
    text = edition.word_text(word)
    if not SHORTEST_WORD <= len(word) <= LONGEST_WORD:
        return WordAnswer(asked, _wrong_length(text, len(word)), valid=False)
    ruling = next((row for row in reversed(rulings) if row.word == text), None)
    front, back = queries.find_hooks(words, word)
    return WordAnswer(
        asked=asked,
        sentence=_verdict(text, entry, word, word in words, ruling),
        valid=word in words,
        word=text,
        remarks=[*_blanks(edition, word), *_other_readings(words, asked, word)],
        lists=[each.title for each in word_lists.lists_for_edition(edition) if word in word_lists.graph_of(each)],
        front=[edition.word_text((letter,)) for letter in front],
        back=[edition.word_text((letter,)) for letter in back],
        anagrams=_shown(
            edition, _other_anagrams(queries.find_anagrams(words, queries.TileQuery(word, 0), MOST_SHOWN + 1), word)
        ),
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
    """Sentence that says which of two lists has the word, and whether that makes it valid."""
    has = [word in word_lists.graph_of(part) for part in entry.parts]
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
    if entry.combined_by == word_lists.BOTH:
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
    """Remarks on a word for which the edition has too few tiles."""
    needed, there = queries.blanks_needed(edition, word), edition.kinds[0].count
    if needed > there:
        sentence = _("The bag does not have the tiles for it: it takes %(needed)d blanks, and there are %(there)d.")
        return [sentence % {"needed": needed, "there": there}]
    if needed:
        sentence = ngettext("It takes %(needed)d blank.", "It takes %(needed)d blanks.", needed)
        return [sentence % {"needed": needed}]
    return []


def _other_readings(words: Lexicon, asked: str, word: Word) -> list[str]:
    """Other tile spellings of the same letters that are in the list."""
    readings = (tuple(code & LETTER_MASK for code in codes) for codes in words.edition.readings(asked))
    others = [words.edition.word_text(other) for other in readings if other != word and other in words]
    if not others:
        return []
    return [_("Laid in other tiles the list has it too: %(words)s.") % {"words": ", ".join(others)}]


def _rulings_elsewhere(word: str) -> list[str]:
    """The rulings on a word in the events of this installation, latest first."""
    rows = WordRuling.objects.filter(word=word, revoked_at=None).select_related("event").order_by("-at")
    return [_ruling_sentence(row) for row in rows[:MOST_RULINGS]]


def _ruling_sentence(row: WordRuling) -> str:
    named = {"event": row.event.name, "reason": row.reason or _("no reason given")}
    if row.ruling == Ruling.ACCEPTED:
        return _("Accepted by the judge of %(event)s (%(reason)s).") % named
    return _("Struck by the judge of %(event)s (%(reason)s).") % named


def _other_anagrams(found: QueryResult, word: Word) -> QueryResult:
    """The anagrams of a word without the word itself."""
    if word not in found.words:
        return QueryResult(found.words[:MOST_SHOWN], found.total)
    return QueryResult([each for each in found.words if each != word], found.total - 1)


def _shown(edition: Edition, found: QueryResult) -> WordsFound:
    return WordsFound([edition.word_text(word) for word in found.words], found.total)
