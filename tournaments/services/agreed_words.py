"""Words that are agreed for an event besides its word list, such as RAI, ENI and INPS."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.archive import LexiconEntry, agreed_words
from tournaments import lexicons, signals
from tournaments.enums import ClockState, GameState, Ruling
from tournaments.errors import Refused
from tournaments.models import Game, TurnClock, WordRuling
from tournaments.selectors.archive import lexicon_entry
from tournaments.selectors.phases import current_turn
from tournaments.services.acting import acting_on, record
from tournaments.services.rulings import judge_anew, tile_text

MOST_WORDS = 500
_BETWEEN = re.compile(r"[\s,;]+")


@dataclass(frozen=True, slots=True)
class Agreed:
    """What became of a list: the words that count now and did not before, from which turn on; those that were taken
    out; and a sentence for each word that could not be taken or removed."""

    accepted: list[str]
    removed: list[str]
    from_turn: int
    remarks: list[str]


def agree_words(*, game: Game, text: str, by: User | None, now: datetime) -> Agreed:
    """Let these words, and no others, be the agreed ones: accepted for the event, from the next rack on.

    `text` has blanks, commas or new lines between the words. A rack that is drawn but not announced counts as the next
    one. A word that cannot be laid is left out, one that has counted in a turn stays.
    """
    entries = list(dict.fromkeys(filter(None, _BETWEEN.split(text))))
    if len(entries) > MOST_WORDS:
        raise Refused(_("At most %(most)d words can be agreed.") % {"most": MOST_WORDS})
    wanted, remarks = _read(game, entries)
    with acting_on(game) as locked:
        _refuse_if_it_has_no_say(locked)
        first = _next_turn(locked)
        before = {row["word"]: row["from_turn"] for row in agreed_words(cast(LexiconEntry, lexicon_entry(locked)))}
        fresh = [word for word in wanted if word not in before]
        words = lexicons.open_lexicon(locked, first)
        known = [word for word in fresh if words.edition.parse_word(word) in words]
        gone = {word: turn for word, turn in before.items() if word not in wanted}
        change = Agreed(
            accepted=[word for word in fresh if word not in known],
            removed=[word for word, turn in gone.items() if turn >= first],
            from_turn=first,
            remarks=[*remarks, *map(_known, known), *(_it_stays(*each) for each in gone.items() if each[1] < first)],
        )
        if change.accepted or change.removed:
            _write(locked, change, by, now)
    return change


def _read(game: Game, entries: Iterable[str]) -> tuple[list[str], list[str]]:
    """(words in tile text, sentences on the entries that are none)."""
    words, remarks = [], []
    for entry in entries:
        try:
            words.append(tile_text(game, entry))
        except Refused as refused:
            remarks.append(_("%(word)s was left out: %(why)s") % {"word": entry[:40], "why": refused.sentence})
    return list(dict.fromkeys(words)), remarks


def _refuse_if_it_has_no_say(game: Game) -> None:
    if game.state == GameState.FINISHED:
        raise Refused(_("This game is over. Agree on words in the next one; those agreed so far count there too."))


def _next_turn(game: Game) -> int:
    """The first turn whose rack nobody has seen."""
    turn = current_turn(game)
    if turn is None:
        return 1
    announced = TurnClock.objects.filter(turn=turn).exclude(state=ClockState.READY).exists()
    return turn.number + announced


def _known(word: str) -> str:
    return _("%(word)s counts as a word already.") % {"word": word}


def _it_stays(word: str, turn: int) -> str:
    return _("%(word)s has counted since turn %(turn)d and stays; a judge can strike it.") % {
        "word": word,
        "turn": turn,
    }


def _write(game: Game, change: Agreed, by: User | None, now: datetime) -> None:
    """Store and record the change; where the next rack is drawn already, its tops are found anew."""
    turn = current_turn(game)
    told: dict[str, object] = {"turn": change.from_turn, "agreed": True, "tables": [], "grown": 0}
    for word in change.removed:
        rows = WordRuling.objects.filter(game=game, word=word, agreed=True, revoked_at=None)
        rows.filter(from_turn__gte=change.from_turn).update(revoked_at=now)
        record(game=game, kind="word_ruling", by=by, now=now, data={**told, "word": word, "ruling": "revoked"})
    for word in change.accepted:
        row = _accept(game, word, change.from_turn, by, now)
        ruled = {"word": word, "ruling": str(row.ruling), "reason": row.reason}
        record(game=game, kind="word_ruling", by=by, now=now, data={**told, **ruled})
    if turn is not None and turn.number == change.from_turn:
        judge_anew(game, turn)
    else:
        signals.changed(game)


def _accept(game: Game, word: str, first: int, by: User | None, now: datetime) -> WordRuling:
    """In the place of another ruling of the same turn."""
    WordRuling.objects.filter(game=game, word=word, from_turn=first, revoked_at=None).update(revoked_at=now)
    return WordRuling.objects.create(
        event_id=game.event_id,
        game=game,
        word=word,
        ruling=Ruling.ACCEPTED,
        from_turn=first,
        agreed=True,
        reason=_("agreed for the event"),
        by=by,
        at=now,
    )
