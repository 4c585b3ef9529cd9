"""One player alone against the clock, over a prepared or a played game, without a judge.

The server's time decides: a slip is in time when it is received no later than the deadline and the grace. A rack is
known from the moment its clock starts, the top once its turn is over.
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

from engine.board import Board
from engine.rules.slip import Received, Slip
from engine.rules.verdict import judge
from engine.script import Script, ScriptTurn, edition_of, formula_of, profile_of
from engine.script_check import position
from engine.tiles import Tiles
from tournaments import lexicons, validators
from tournaments.enums import MakingState
from tournaments.errors import AlreadyDone, Refused
from tournaments.lexicons import Rulings
from tournaments.models import Game, Practice, PracticeLink, PreparedGame
from tournaments.scripts import as_game, script_of
from tournaments.selectors.archive import export_game
from tournaments.selectors.phases import is_over
from tournaments.selectors.players import hash_of
from tournaments.services import preparing

LONGEST_WORD, LONGEST_REFERENCE, HIGHEST_SCORE = 60, 20, 9999
_TOKEN_BYTES = 32
_KINDS: tuple[Literal["accepted", "struck"], ...] = ("accepted", "struck")


def make_link(*, prepared: PreparedGame, by: User, now: datetime) -> PracticeLink:
    """A link under which anybody may play this game alone; noted, since it breaks the seal.

    Refused while a game that follows the script is not over.
    """
    with transaction.atomic():
        locked = PreparedGame.objects.select_for_update().get(pk=prepared.pk)
        if locked.state != MakingState.READY:
            raise Refused(_("This game is not ready yet."))
        if is_being_played(locked):
            raise Refused(_("A game follows this script and is not over: people may play it alone once it is."))
        known = PracticeLink.objects.filter(prepared=locked, closed_at=None).first()
        if known is not None:
            return known
        preparing.opened(prepared=locked, act="practice", by=by, now=now)
        return PracticeLink.objects.create(prepared=locked, token=secrets.token_urlsafe(_TOKEN_BYTES), made_at=now)


def link_for_game(*, game: Game, by: User, now: datetime) -> PracticeLink:
    """A link to a game of an event that is over, against those who played it."""
    if not is_over(game):
        raise Refused(_("This game is not over: people may play it alone once it is."))
    known = PreparedGame.objects.filter(by=by, order__game=game.pk).first()
    if known is None:
        title = _("%(event)s, game %(number)d") % {"event": game.event.name, "number": game.number}
        text = json.dumps(export_game(game, for_hall=True))
        known = preparing.bring(text=text, title=title, lexicon=game.lexicon_name, by=by, now=now)
        PreparedGame.objects.filter(pk=known.pk).update(order={"game": game.pk})
    return make_link(prepared=known, by=by, now=now)


def close_link(*, link: PracticeLink, now: datetime) -> None:
    """Nobody can play under this link any more; games begun are over with it."""
    PracticeLink.objects.filter(pk=link.pk, closed_at=None).update(closed_at=now)


def is_being_played(prepared: PreparedGame) -> bool:
    """Whether a game of an event follows the script and is not over, in whatever room."""
    return any(not is_over(game) for game in Game.objects.filter(prepared=prepared))


def begin(*, link: PracticeLink, name: str, key: str, now: datetime) -> Practice:
    """Somebody begins; only the hash of `key`, which his browser keeps, is stored. The first clock does not run yet."""
    cleaned = validators.short_text(name, longest=validators.NAME_LENGTH, what=_("name"))
    with transaction.atomic():
        demand_open(link)
        return Practice.objects.create(link=link, name=cleaned, key_hash=hash_of(key), begun_at=now)


def demand_open(link: PracticeLink) -> None:
    """Refuse when the link was closed, or while a game of an event follows the script."""
    fresh = PracticeLink.objects.select_related("prepared").get(pk=link.pk)
    if fresh.closed_at is not None or is_being_played(fresh.prepared):
        raise Refused(_("This game is not open for practice now."))


def next_turn(*, practice: Practice, seen: int, now: datetime) -> Practice:
    """Start the clock of the next rack. `seen` is the turn that the page showed: a second click changes nothing."""
    with _acting_on(practice) as locked:
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


def hand_in(*, practice: Practice, turn: int, word: str, ref: str, declared: int | None, now: datetime) -> Practice:
    """The slip of the turn that is running; one received after the deadline and the grace is late and gets nothing."""
    if len(word) > LONGEST_WORD or len(ref) > LONGEST_REFERENCE or (declared or 0) > HIGHEST_SCORE:
        raise Refused(_("No move is that long: look at the word, the reference and the score again."))
    with _acting_on(practice) as locked:
        if locked.turn != turn or not is_running(locked):
            raise AlreadyDone(_("This turn is over."))
        script = script_of(locked.link.prepared)
        received: Received = "late" if now > last_moment(locked, script) else "in_time"
        _judge(locked, script, Slip(validators.one_line(word), validators.one_line(ref), declared, received=received))
        locked.save()
    return locked


def settle(*, practice: Practice, now: datetime) -> Practice:
    """Close the turn whose time has run out without a slip; changes nothing otherwise."""
    with _acting_on(practice) as locked:
        if _settle(locked, script_of(locked.link.prepared), now):
            locked.save()
    return locked


def is_running(practice: Practice) -> bool:
    """Whether the present turn has no result yet."""
    return practice.turn > len(practice.results)


def last_moment(practice: Practice, script: Script) -> datetime:
    """The last moment at which a slip of the present turn is in time."""
    assert practice.deadline is not None  # noqa: S101  a turn that runs has one
    return practice.deadline + timedelta(milliseconds=profile_of(script).grace_ms)


@contextmanager
def _acting_on(practice: Practice) -> Iterator[Practice]:
    with transaction.atomic():
        locked = Practice.objects.select_for_update(of=("self",)).select_related("link__prepared").get(pk=practice.pk)
        demand_open(locked.link)
        yield locked


def _settle(locked: Practice, script: Script, now: datetime) -> bool:
    if not is_running(locked) or now <= last_moment(locked, script):
        return False
    _judge(locked, script, Slip("", "", None))
    return True


def _judge(locked: Practice, script: Script, slip: Slip) -> None:
    """Append what the slip gets, with its sentence in the active language."""
    rules, edition = profile_of(script), edition_of(script)
    turn = script["turns"][locked.turn - 1]
    board, rack = Board.parse(edition, turn["board"]), Tiles.parse(edition, turn["rack"])
    at = position(board, rack, turn["number"], rules, formula_of(script))
    words = lexicons.open_lexicon(as_game(script), turn["number"], rulings_in(script, turn))
    warnings = sum(len(result["warnings"]) for result in locked.results)
    blitz = rules.is_blitz(script["rhythm_s"])
    verdict = judge(slip, at, rules, words, prior_warnings=warnings, blitz=blitz)
    written: dict[str, Any] = {"word": slip.word, "ref": slip.ref, "declared": slip.declared}
    told = verdict.as_json(_)
    del told["word"]
    locked.results = [*locked.results, {**told, **written}]


def rulings_in(script: Script, turn: ScriptTurn) -> Rulings:
    """The words of the script that are accepted and struck in a turn; of several on a word that of the latest turn."""
    standing: dict[str, tuple[int, str]] = {}
    for kind in _KINDS:
        for ruling in script["lexicon"][kind]:
            if ruling["from_turn"] <= turn["number"]:
                standing[ruling["word"]] = max(standing.get(ruling["word"], (0, "")), (ruling["from_turn"], kind))
    return Rulings(
        accepted=frozenset(word for word, (_turn, kind) in standing.items() if kind == "accepted"),
        struck=frozenset(word for word, (_turn, kind) in standing.items() if kind == "struck"),
    )
