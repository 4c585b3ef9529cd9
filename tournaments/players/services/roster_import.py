"""Import of a list of players: new players are added, known ones updated, nobody is removed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.standings.person_names import name_parts
from tournaments import signals
from tournaments.errors import Refused
from tournaments.events.queries.events import get_drawing_room
from tournaments.ledger.sealed_slips import people_of, seal_of
from tournaments.models import Event, Room
from tournaments.play.services.game_lock import append_to_all_ledgers, append_to_ledger, lock_current_game
from tournaments.players.roster_changes import Answers, PlayerChange, compare_roster
from tournaments.players.roster_table import PlayerSheet
from tournaments.players.services.anonymise import require_not_anonymised
from tournaments.players.services.players import PlayerDetails, change_details, store_players


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The number of players that were added, and of those that were updated."""

    added: int
    changed: int


def import_roster(
    *,
    event: Event,
    sheet: PlayerSheet,
    answers: Answers,
    shown: str,
    room: Room | None = None,
    by: User | None,
    now: datetime,
) -> ImportResult:
    """Add and update the players of a file. `shown` is the digest of the differences that the judge has seen; refused
    when they are others by now. New players get the room that they name, else `room`, else the first one."""
    with lock_current_game(event) as game:
        require_not_anonymised(game.event)
        changes = compare_roster(event, sheet, answers)
        if sheet.errors or not changes.is_ready or changes.digest != shown:
            raise Refused(_("The list of players has changed in the meantime: look at the differences again."))
        changed = {str(change.player.table): _update(change) for change in changes.changed}
        if changed:
            seals = {str(change.player.table): {"seal": seal_of(change.player)} for change in changes.changed}
            facts = {"changed": changed, "people": seals}
            append_to_all_ledgers(game=game, kind="players_updated", by=by, now=now, data=facts)
        if changes.added:
            place, newcomers = room or get_drawing_room(event), [each.player for each in changes.added]
            added = store_players(game=game, room=place, players=newcomers, now=now, namesakes=True)
            details = {"added": [player.table for player in added], "people": people_of(game, added)}
            append_to_ledger(game=game, kind="players", by=by, now=now, data=details)
        signals.send_game_changed(game)
    return ImportResult(len(changes.added), len(changed))


def _update(change: PlayerChange) -> list[str]:
    """Store what a row changes; return the fields."""
    new = {each.field: each.new for each in change.fields}
    listed = change.read.player
    if listed.surname and new.keys() & {"name", "surname"}:
        parts = name_parts(listed.name, listed.surname)
        new |= {"surname": parts.surname, "first_name": parts.first_name}
    return change_details(change.player, PlayerDetails(**new))
