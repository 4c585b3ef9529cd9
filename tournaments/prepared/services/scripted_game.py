"""Games of an event that follow a script: a prepared game, or one that was played before."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.archive.replay.topics import TOPIC_NAMES
from engine.prepared.script import Script
from tournaments import signals
from tournaments.enums import GameState, PreparationState, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import current_game
from tournaments.events.services.rooms import require_game_over
from tournaments.ledger.queries import previous_game_facts
from tournaments.lexicons import word_lists
from tournaments.models import Event, Game, PreparedGame, Turn, WordRuling
from tournaments.play.services.game_lock import append_players_to_ledger, append_to_ledger, lock_game
from tournaments.players.services.players import create_entries, list_staying_players
from tournaments.prepared import scripts

_RULINGS = {"accepted": Ruling.ACCEPTED, "struck": Ruling.STRUCK}


def follow_script(*, prepared: PreparedGame, event: Event, by: User, now: datetime) -> Game:
    """Make the next game of an event follow this script, or the current one if nothing is drawn in it yet.

    Edition, rules, variant, clock and word list are those of the script. Earlier rulings of the event do not count,
    because the script was made without them.
    """
    with lock_game(current_game(event)) as last:
        followed = PreparedGame.objects.select_for_update().get(pk=prepared.pk)
        if followed.state != PreparationState.READY:
            raise Refused(_("This game is not ready yet."))
        script = scripts.script_of(followed)
        facts = _fields(script)
        word_lists.word_list_of_game(Game(**facts))
        if last.prepared_id == prepared.pk and last.state == GameState.READY:
            raise AlreadyDone(_("The game of this event follows the script already."))
        if last.state == GameState.FINISHED:
            require_game_over(last)
            limits = {"appeal_minutes": last.appeal_minutes, "appeal_end_minutes": last.appeal_end_minutes}
            game = Game.objects.create(event=event, number=last.number + 1, prepared=followed, **limits, **facts)
            create_entries(game=game, players=list_staying_players(event, last), first_turn=1)
        elif not Turn.objects.filter(game=last).exists() and not last.typed_rejected:
            game = last
            Game.objects.filter(pk=last.pk).update(prepared=followed, hall_word="", **facts)
            game.refresh_from_db()
        else:
            raise Refused(_("End game %(number)d before the next one.") % {"number": last.number})
        _take_rulings(game, script, by, now)
        _record(game, followed, by, now, previous_game_facts(last) if game.pk != last.pk else {})
        signals.send_game_changed(game)
    return game


def _fields(script: Script) -> dict[str, Any]:
    """Fields that a game copies from its script."""
    game = scripts.to_unsaved_game(script)
    names = (
        "edition",
        "edition_toml",
        "profile",
        "switches",
        "variant",
        "turn_seconds",
        "lexicon_name",
        "lexicon_words",
    )
    more = ("lexicon_sha256", "lexicon_parts", "draw_mode", "seed", "commitment")
    return {name: getattr(game, name) for name in (*names, *more)}


def _take_rulings(game: Game, script: Script, by: User, now: datetime) -> None:
    """Replace all rulings by those of the script, each from its turn on."""
    WordRuling.objects.filter(game=game).delete()
    WordRuling.objects.bulk_create(
        WordRuling(
            event_id=game.event_id,
            game=game,
            word=ruling["word"],
            ruling=kind,
            from_turn=ruling["from_turn"],
            known_since=ruling["from_turn"],
            reason=(ruling["reason"] or "")[:300],
            by=by,
            at=now,
        )
        for name, kind in _RULINGS.items()
        for ruling in script["lexicon"][name]  # type: ignore[literal-required]
    )


def _record(game: Game, prepared: PreparedGame, by: User, now: datetime, more: Mapping[str, object]) -> None:
    """Record the followed game, its draw and earlier accesses to its script in the ledger."""
    rulings = WordRuling.objects.filter(game=game).order_by("pk")
    facts = {
        "tells": TOPIC_NAMES,
        "event": game.event.name,
        "number": game.number,
        "title": prepared.title,
        "kind": str(prepared.kind),
        "edition": game.edition,
        "profile": game.profile,
        "switches": game.switches,
        "formula": game.variant,
        "rhythm_s": game.turn_seconds,
        "lexicon": game.lexicon_sha256,
        "draw": str(game.draw_mode),
        "commitment": game.commitment,
        "acts": prepared.acts,
        "rulings": [[row.word, str(row.ruling), row.from_turn] for row in rulings],
        "players": list(game.entries.order_by("player__table").values_list("player__table", flat=True)),
    }
    append_to_ledger(game=game, kind="prepared", by=by, now=now, data={**facts, **more})
    append_players_to_ledger(game, by=by, now=now)
