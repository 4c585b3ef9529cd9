"""A game of an event that follows a script: a prepared game, or one that was played before."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.replay.topics import TELLS
from engine.script import Script
from tournaments import lexicons, scripts, signals
from tournaments.enums import GameState, MakingState, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Event, Game, PreparedGame, Turn, WordRuling
from tournaments.selectors.events import current_game
from tournaments.selectors.ledger import after
from tournaments.services.acting import acting_on, record, record_people
from tournaments.services.players import enter, staying
from tournaments.services.rooms import demand_over

_RULINGS = {"accepted": Ruling.ACCEPTED, "struck": Ruling.STRUCK}


def play(*, prepared: PreparedGame, event: Event, by: User, now: datetime) -> Game:
    """The next game of an event follows this script; a game in which nothing is drawn yet becomes it.

    Edition, rules, formula, clock and word list are those of the script. The words ruled on in the event before do not
    count: the script was made without them.
    """
    with acting_on(current_game(event)) as last:
        followed = PreparedGame.objects.select_for_update().get(pk=prepared.pk)
        if followed.state != MakingState.READY:
            raise Refused(_("This game is not ready yet."))
        script = scripts.script_of(followed)
        facts = _fields(script)
        lexicons.of_game(Game(**facts))
        if last.prepared_id == prepared.pk and last.state == GameState.READY:
            raise AlreadyDone(_("The game of this event follows the script already."))
        if last.state == GameState.FINISHED:
            demand_over(last)
            limits = {"appeal_minutes": last.appeal_minutes, "appeal_end_minutes": last.appeal_end_minutes}
            game = Game.objects.create(event=event, number=last.number + 1, prepared=followed, **limits, **facts)
            enter(game=game, players=staying(event, last), first_turn=1)
        elif not Turn.objects.filter(game=last).exists() and not last.typed_rejected:
            game = last
            Game.objects.filter(pk=last.pk).update(prepared=followed, hall_word="", **facts)
            game.refresh_from_db()
        else:
            raise Refused(_("End game %(number)d before the next one.") % {"number": last.number})
        _take_rulings(game, script, by, now)
        _record(game, followed, by, now, after(last) if game.pk != last.pk else {})
        signals.changed(game)
    return game


def _fields(script: Script) -> dict[str, Any]:
    """What a game takes from its script."""
    game = scripts.as_game(script)
    names = ("edition", "edition_toml", "profile", "switches", "formula", "rhythm_s", "lexicon_name", "lexicon_words")
    more = ("lexicon_sha256", "lexicon_parts", "draw_mode", "seed", "commitment")
    return {name: getattr(game, name) for name in (*names, *more)}


def _take_rulings(game: Game, script: Script, by: User, now: datetime) -> None:
    """The words accepted and struck in the script, each from its turn on, in place of all others."""
    WordRuling.objects.filter(game=game).delete()
    WordRuling.objects.bulk_create(
        WordRuling(
            event_id=game.event_id,
            game=game,
            word=ruling["word"],
            ruling=kind,
            from_turn=ruling["from_turn"],
            reason=(ruling["reason"] or "")[:300],
            by=by,
            at=now,
        )
        for name, kind in _RULINGS.items()
        for ruling in script["lexicon"][name]  # type: ignore[literal-required]
    )


def _record(game: Game, prepared: PreparedGame, by: User, now: datetime, more: Mapping[str, object]) -> None:
    """The ledger says what is followed, by what it is drawn, and who has looked behind its seal so far."""
    rulings = WordRuling.objects.filter(game=game).order_by("pk")
    facts = {
        "tells": TELLS,
        "event": game.event.name,
        "number": game.number,
        "title": prepared.title,
        "kind": str(prepared.kind),
        "edition": game.edition,
        "profile": game.profile,
        "switches": game.switches,
        "formula": game.formula,
        "rhythm_s": game.rhythm_s,
        "lexicon": game.lexicon_sha256,
        "draw": str(game.draw_mode),
        "commitment": game.commitment,
        "acts": prepared.acts,
        "rulings": [[row.word, str(row.ruling), row.from_turn] for row in rulings],
        "players": list(game.entries.order_by("player__table").values_list("player__table", flat=True)),
    }
    record(game=game, kind="prepared", by=by, now=now, data={**facts, **more})
    record_people(game, by=by, now=now)
