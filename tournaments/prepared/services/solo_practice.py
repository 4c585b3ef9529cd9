"""Solo practice: one player against the clock, with a prepared or a played game and without a judge.

The server's time decides: a slip is in time when it is received no later than the deadline and the grace. The rack is
public from the start of its clock, the top from the end of its turn.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Literal

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from engine.board.board import Board
from engine.judging.verdict import judge_slip
from engine.prepared.script import Script, ScriptTurn, edition_of, profile_of, variant_of
from engine.prepared.script_check import position
from engine.slips.slip import Received, Slip
from engine.tiles.tiles import Tiles
from tournaments import validators
from tournaments.enums import PreparationState
from tournaments.errors import AlreadyDone, Refused
from tournaments.lexicons import word_lists
from tournaments.lexicons.word_lists import Rulings
from tournaments.models import Game, Practice, PracticeLink, PreparedGame
from tournaments.play.queries.phases import is_over
from tournaments.players.queries.players import hash_of
from tournaments.prepared.scripts import script_of, to_unsaved_game
from tournaments.prepared.services import prepared_games
from tournaments.results.queries.archive import export_game

LONGEST_WORD, LONGEST_REFERENCE, HIGHEST_SCORE = 60, 20, 9999
_TOKEN_BYTES = 32
_KINDS: tuple[Literal["accepted", "struck"], ...] = ("accepted", "struck")


def make_link(*, prepared: PreparedGame, by: User, now: datetime) -> PracticeLink:
    """Create a link for solo practice with this game. The access is recorded, because it reveals the script.

    Refused while a game that follows the script is not over.
    """
    with transaction.atomic():
        locked = PreparedGame.objects.select_for_update().get(pk=prepared.pk)
        if locked.state != PreparationState.READY:
            raise Refused(_("This game is not ready yet."))
        if is_being_played(locked):
            raise Refused(_("A game follows this script and is not over: people may play it alone once it is."))
        if locked.simultaneous.filter(simultaneous__embargo_until__gt=now).exists():
            raise Refused(_("Clubs play this game in a simultaneous game: people may play it alone after its embargo."))
        known = PracticeLink.objects.filter(prepared=locked, closed_at=None).first()
        if known is not None:
            return known
        prepared_games.record_access(prepared=locked, act="practice", by=by, now=now)
        return PracticeLink.objects.create(prepared=locked, token=secrets.token_urlsafe(_TOKEN_BYTES), made_at=now)


def link_for_game(*, game: Game, by: User, now: datetime) -> PracticeLink:
    """Get a link to a finished game of an event, to play against its players."""
    if not is_over(game):
        raise Refused(_("This game is not over: people may play it alone once it is."))
    known = PreparedGame.objects.filter(by=by, order__game=game.pk).first()
    if known is None:
        title = _("%(event)s, game %(number)d") % {"event": game.event.name, "number": game.number}
        text = json.dumps(export_game(game, for_hall=True))
        known = prepared_games.import_game(text=text, title=title, lexicon=game.lexicon_name, by=by, now=now)
        PreparedGame.objects.filter(pk=known.pk).update(order={"game": game.pk})
    return make_link(prepared=known, by=by, now=now)


def close_link(*, link: PracticeLink, now: datetime) -> None:
    """Close a link. Games begun under it end."""
    PracticeLink.objects.filter(pk=link.pk, closed_at=None).update(closed_at=now)


def is_being_played(prepared: PreparedGame) -> bool:
    """Return True when an unfinished game of an event follows the script, in any room."""
    return any(not is_over(game) for game in Game.objects.filter(prepared=prepared))


def begin_practice(*, link: PracticeLink, name: str, key: str, now: datetime) -> Practice:
    """Begin a practice game; only the hash of `key`, which the browser stores, is saved. The first clock does not run
    yet."""
    cleaned = validators.short_text(name, longest=validators.NAME_LENGTH, what=_("name"))
    with transaction.atomic():
        require_open_link(link)
        return Practice.objects.create(link=link, name=cleaned, key_hash=hash_of(key), begun_at=now)


def require_open_link(link: PracticeLink) -> None:
    """Refuse when the link was closed, or while a game of an event follows the script."""
    fresh = PracticeLink.objects.select_related("prepared").get(pk=link.pk)
    if fresh.closed_at is not None or is_being_played(fresh.prepared):
        raise Refused(_("This game is not open for practice now."))


def start_next_turn(*, practice: Practice, seen: int, now: datetime) -> Practice:
    """Start the clock of the next rack. `seen` is the turn that the page showed, so that a second click changes
    nothing."""
    with _lock_practice(practice) as locked:
        script = script_of(locked.link.prepared)
        if locked.turn != seen:
            raise AlreadyDone(_("The next rack is there already."))
        _settle(locked, script, now)
        if is_running(locked):
            raise AlreadyDone(_("The clock of this turn is still running."))
        if locked.turn >= len(script["turns"]):
            raise AlreadyDone(_("The game is over."))
        locked.turn += 1
        locked.started_at, locked.deadline = now, now + timedelta(seconds=script["rhythm_s"])
        locked.save()
    return locked


def submit_practice_slip(
    *, practice: Practice, turn: int, word: str, ref: str, declared: int | None, now: datetime
) -> Practice:
    """Submit the slip of the current turn; after the deadline and the grace it is late and gets no points."""
    if len(word) > LONGEST_WORD or len(ref) > LONGEST_REFERENCE or (declared or 0) > HIGHEST_SCORE:
        raise Refused(_("No move is that long: look at the word, the reference and the score again."))
    with _lock_practice(practice) as locked:
        if locked.turn != turn or not is_running(locked):
            raise AlreadyDone(_("This turn is over."))
        script = script_of(locked.link.prepared)
        received: Received = "late" if now > last_moment(locked, script) else "in_time"
        _judge(locked, script, Slip(validators.one_line(word), validators.one_line(ref), declared, received=received))
        locked.save()
    return locked


def close_expired_turn(*, practice: Practice, now: datetime) -> Practice:
    """Close the turn whose time has run out without a slip; changes nothing otherwise."""
    with _lock_practice(practice) as locked:
        if _settle(locked, script_of(locked.link.prepared), now):
            locked.save()
    return locked


def is_running(practice: Practice) -> bool:
    """Return True when the current turn has no result yet."""
    return practice.turn > len(practice.results)


def last_moment(practice: Practice, script: Script) -> datetime:
    """The last moment at which a slip of the current turn is in time."""
    assert practice.deadline is not None  # noqa: S101  a turn that runs has one
    return practice.deadline + timedelta(milliseconds=profile_of(script).grace_ms)


@contextmanager
def _lock_practice(practice: Practice) -> Iterator[Practice]:
    with transaction.atomic():
        locked = Practice.objects.select_for_update(of=("self",)).select_related("link__prepared").get(pk=practice.pk)
        require_open_link(locked.link)
        yield locked


def _settle(locked: Practice, script: Script, now: datetime) -> bool:
    if not is_running(locked) or now <= last_moment(locked, script):
        return False
    _judge(locked, script, Slip("", "", None))
    return True


def _judge(locked: Practice, script: Script, slip: Slip) -> None:
    """Append the result of the slip, with its sentence in the active language."""
    rules, edition = profile_of(script), edition_of(script)
    turn = script["turns"][locked.turn - 1]
    board, rack = Board.parse(edition, turn["board"]), Tiles.parse(edition, turn["rack"])
    at = position(board, rack, turn["number"], rules, variant_of(script))
    words = word_lists.open_lexicon(to_unsaved_game(script), turn["number"], rulings_in(script, turn))
    warnings = sum(len(result["warnings"]) for result in locked.results)
    blitz = rules.is_blitz(script["rhythm_s"])
    verdict = judge_slip(slip, at, rules, words, prior_warnings=warnings, blitz=blitz)
    written: dict[str, Any] = {"word": slip.word, "ref": slip.ref, "declared": slip.declared}
    details = verdict.as_json(_)
    del details["word"]
    locked.results = [*locked.results, {**details, **written}]


def rulings_in(script: Script, turn: ScriptTurn) -> Rulings:
    """Accepted and struck words of the script in a turn; of several rulings on a word the latest counts."""
    standing: dict[str, tuple[int, str]] = {}
    for kind in _KINDS:
        for ruling in script["lexicon"][kind]:
            if ruling["from_turn"] <= turn["number"]:
                standing[ruling["word"]] = max(standing.get(ruling["word"], (0, "")), (ruling["from_turn"], kind))
    return Rulings(
        accepted=frozenset(word for word, (_turn, kind) in standing.items() if kind == "accepted"),
        struck=frozenset(word for word, (_turn, kind) in standing.items() if kind == "struck"),
    )
