"""Words that are agreed for an event besides its word list, such as RAI, ENI and INPS."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.archive.schema import LexiconEntry, agreed_words
from tournaments import signals
from tournaments.enums import ClockState, GameState, Ruling
from tournaments.errors import Refused
from tournaments.judging.services.ruling_checks import tile_text
from tournaments.judging.services.rulings import rejudge
from tournaments.lexicons import word_lists
from tournaments.models import Game, TurnClock, WordRuling
from tournaments.play.queries.phases import current_turn
from tournaments.play.services.game_lock import append_to_ledger, lock_game
from tournaments.results.queries.archive import lexicon_entry

MOST_WORDS = 500
_SEPARATOR = re.compile(r"[\s,;]+")


@dataclass(frozen=True, slots=True)
class AgreedWordsChange:
    """The result of changing the list of agreed words.

    `accepted` words count as of `from_turn`, `removed` words no longer count; `remarks` has one sentence for each word
    that could not be added or removed.
    """

    accepted: list[str]
    removed: list[str]
    from_turn: int
    remarks: list[str]


def agree_words(*, game: Game, text: str, by: User | None, now: datetime) -> AgreedWordsChange:
    """Replace the list of agreed words of the event; the new list counts as of the next rack.

    Words in `text` are separated by blanks, commas, semicolons or line breaks. A rack that is drawn but not announced
    is the next one. Words that cannot be formed from tiles are left out. A word that has counted in a turn stays.
    """
    entries = list(dict.fromkeys(filter(None, _SEPARATOR.split(text))))
    if len(entries) > MOST_WORDS:
        raise Refused(_("At most %(most)d words can be agreed.") % {"most": MOST_WORDS})
    wanted, remarks = _parse_words(game, entries)
    with lock_game(game) as locked:
        _require_not_finished(locked)
        first = _next_turn(locked)
        before = {row["word"]: row["from_turn"] for row in agreed_words(cast(LexiconEntry, lexicon_entry(locked)))}
        fresh = [word for word in wanted if word not in before]
        words = word_lists.open_lexicon(locked, first)
        known = [word for word in fresh if words.edition.parse_word(word) in words]
        gone = {word: turn for word, turn in before.items() if word not in wanted}
        change = AgreedWordsChange(
            accepted=[word for word in fresh if word not in known],
            removed=[word for word, turn in gone.items() if turn >= first],
            from_turn=first,
            remarks=[
                *remarks,
                *map(_already_valid_sentence, known),
                *(_word_stays_sentence(*each) for each in gone.items() if each[1] < first),
            ],
        )
        if change.accepted or change.removed:
            _store_change(locked, change, by, now)
    return change


def _parse_words(game: Game, entries: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the words in tile text, and a sentence for each entry that is not a word."""
    words, remarks = [], []
    for entry in entries:
        try:
            words.append(tile_text(game, entry))
        except Refused as refused:
            remarks.append(_("%(word)s was left out: %(why)s") % {"word": entry[:40], "why": refused.sentence})
    return list(dict.fromkeys(words)), remarks


def _require_not_finished(game: Game) -> None:
    if game.state == GameState.FINISHED:
        raise Refused(_("This game is over. Agree on words in the next one; those agreed so far count there too."))


def _next_turn(game: Game) -> int:
    """Number of the first turn whose rack is not announced."""
    turn = current_turn(game)
    if turn is None:
        return 1
    announced = TurnClock.objects.filter(turn=turn).exclude(state=ClockState.READY).exists()
    return turn.number + announced


def _already_valid_sentence(word: str) -> str:
    return _("%(word)s counts as a word already.") % {"word": word}


def _word_stays_sentence(word: str, turn: int) -> str:
    return _("%(word)s has counted since turn %(turn)d and stays; a judge can strike it.") % {
        "word": word,
        "turn": turn,
    }


def _store_change(game: Game, change: AgreedWordsChange, by: User | None, now: datetime) -> None:
    """Store and record the change; if the next rack is already drawn, search its tops again."""
    turn = current_turn(game)
    details: dict[str, object] = {"turn": change.from_turn, "agreed": True, "tables": [], "grown": 0}
    for word in change.removed:
        rows = WordRuling.objects.filter(game=game, word=word, agreed=True, revoked_at=None)
        rows.filter(from_turn__gte=change.from_turn).update(revoked_at=now)
        append_to_ledger(
            game=game, kind="word_ruling", by=by, now=now, data={**details, "word": word, "ruling": "revoked"}
        )
    for word in change.accepted:
        row = _accept_word(game, word, change.from_turn, by, now)
        ruled = {"word": word, "ruling": str(row.ruling), "reason": row.reason}
        append_to_ledger(game=game, kind="word_ruling", by=by, now=now, data={**details, **ruled})
    if turn is not None and turn.number == change.from_turn:
        rejudge(game, turn)
    else:
        signals.send_game_changed(game)


def _accept_word(game: Game, word: str, first: int, by: User | None, now: datetime) -> WordRuling:
    """Store the ruling in place of any other on the same word and turn."""
    WordRuling.objects.filter(game=game, word=word, from_turn=first, revoked_at=None).update(revoked_at=now)
    return WordRuling.objects.create(
        event_id=game.event_id,
        game=game,
        word=word,
        ruling=Ruling.ACCEPTED,
        from_turn=first,
        known_since=first,
        agreed=True,
        reason=_("agreed for the event"),
        by=by,
        at=now,
    )
