"""Forgetting who played an event: results stay, under pseudonyms; names, phones and papers with names are gone.

The ledger is never touched: it names players by their tables. Entries of older versions that do hold names stay in
the database, sealed, and are left out of archives from then on (`Event.ledger_has_names`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, Q
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.enums import DocumentState, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import (
    Appeal,
    Document,
    Entry,
    Event,
    FinalSlip,
    Game,
    GivenWarning,
    LedgerEntry,
    Membership,
    Player,
    Practice,
    PreparedGame,
    Slip,
    SlipRuling,
    Turn,
    Verdict,
    WordRuling,
    new_salt,
)
from tournaments.pseudonyms import Scrubber, pseudonym
from tournaments.sealed import seal_of
from tournaments.selectors.events import current_game
from tournaments.services.acting import acting_on, record, record_in_all

LONGEST_KEPT_DAYS = 36_500


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What forgetting did, or would do: players without a name, sheets and practice games deleted, and how many
    entries of the ledger hold names and stay as they are."""

    players: int
    documents: int
    practice_games: int
    sealed_entries: int


def what_is_kept(event: Event) -> Forgotten:
    """What forgetting this event would do."""
    games = Game.objects.filter(event=event)
    return Forgotten(
        players=Player.objects.filter(event=event).count(),
        documents=Document.objects.filter(game__in=games).count(),
        practice_games=len(_practice_games(event)),
        sealed_entries=_entries_with_names(event, Scrubber(event)),
    )


def forget(*, event: Event, by: User | None, now: datetime) -> Forgotten:
    """Put pseudonyms ("Player 17") in the place of names, delete what identifies a person, delete sheets.

    Refused while a game is going on. Archives made afterwards hold pseudonyms and verify as before.
    """
    with acting_on(current_game(event)) as game:
        _demand_forgettable(Event.objects.select_for_update().get(pk=event.pk))
        told, scrubber = what_is_kept(event), Scrubber(event)
        _forget_texts(event, scrubber)
        seals = _forget_players(event, scrubber)
        with translation.override(event.language):
            for practice in _practice_games(event):
                _forget_practice(practice, scrubber)
        _delete_documents(event)
        event.forgotten_at, event.ledger_has_names = now, told.sealed_entries > 0
        event.save(update_fields=["forgotten_at", "ledger_has_names"])
        facts = {"players": told.players, "people": seals}
        record_in_all(game=game, kind="forgotten", by=by, now=now, data=facts)
        for each in Game.objects.filter(event=event):
            signals.changed(each)
    return told


def keep_names(*, event: Event, days: int | None, by: User | None, now: datetime) -> Event:
    """Keep names for so many days after the date of the event; 0 for good, None as the server's setting says."""
    if days is not None and not 0 <= days <= LONGEST_KEPT_DAYS:
        raise Refused(_("Names are kept for 0 to %(most)d days; 0 keeps them for good.") % {"most": LONGEST_KEPT_DAYS})
    with acting_on(current_game(event)) as game:
        demand_not_forgotten(game.event)
        event.keep_days = days
        event.save(update_fields=["keep_days"])
        record(game=game, kind="keep_names", by=by, now=now, data={"days": days})
    return event


def demand_not_forgotten(event: Event) -> None:
    """Refuse to write a name into an event that was to be without names. The event is that of a locked game."""
    if event.forgotten_at is not None:
        raise Refused(_("The names of this event were forgotten, so nobody can be added or named; make a new event."))


def _demand_forgettable(event: Event) -> None:
    if event.forgotten_at is not None:
        raise AlreadyDone(_("The names of this event are forgotten already."))
    if Game.objects.filter(event=event, state=GameState.RUNNING).exists():
        raise Refused(_("A game of this event is going on: end it first, then forget the names."))
    if Document.objects.filter(game__event=event, state__in=[DocumentState.QUEUED, DocumentState.RUNNING]).exists():
        raise Refused(_("A sheet of this event is being made: wait until it is ready, then forget the names."))


def _forget_players(event: Event, scrubber: Scrubber) -> dict[str, object]:
    """Gives the seals of the pseudonyms by table. Those of the names stay in the ledger; without their salts nobody can
    guess a name by them."""
    players = list(Player.objects.filter(event=event))
    for player in players:
        if player.token_hash:
            signals.replaced(player)
        player.name, player.club, player.team = (
            scrubber.player(player),
            scrubber.clubs.get(player.club, ""),
            scrubber.teams.get(player.team, ""),
        )
        player.nickname = player.age_class = player.country = player.token_hash = ""
        player.salt = new_salt()
    fields = ["name", "nickname", "club", "team", "age_class", "country", "token_hash", "salt"]
    Player.objects.bulk_update(players, fields, batch_size=500)
    Membership.objects.filter(event=event).update(plays_as=None)
    FinalSlip.objects.filter(turn__game__event=event).update(by=None)
    return {str(player.table): {"seal": seal_of(player)} for player in players}


def _forget_texts(event: Event, scrubber: Scrubber) -> None:
    """Reasons that people wrote may name somebody; what was said to a player about himself goes as a whole.

    Slips stay as they were written and sealed, but for what the phone's own clock said.
    """
    GivenWarning.objects.filter(turn__game__event=event).update(reason="")
    Entry.objects.filter(game__event=event).update(disqualified_for="")
    Appeal.objects.filter(turn__game__event=event).update(sentence="", answer="")
    Slip.objects.filter(turn__game__event=event).update(sent_at=None)
    _scrub(WordRuling, Q(event=event), "reason", scrubber)
    _scrub(SlipRuling, Q(turn__game__event=event), "reason", scrubber)
    _scrub(Verdict, Q(turn__game__event=event), "decision_reason", scrubber)
    _scrub(Turn, Q(game__event=event), "master_why", scrubber)


def _scrub(model: type[Model], rows: Q, field: str, scrubber: Scrubber) -> None:
    for pk, text in model._default_manager.filter(rows).exclude(**{field: ""}).values_list("pk", field):
        if (cleaned := scrubber.text(text)) != text:
            model._default_manager.filter(pk=pk).update(**{field: cleaned})


def _practice_games(event: Event) -> list[PreparedGame]:
    """The games of this event that people play alone, with those who played them in their field."""
    games = list(Game.objects.filter(event=event).values_list("pk", flat=True))
    return list(PreparedGame.objects.filter(order__game__in=games))


def _forget_practice(prepared: PreparedGame, scrubber: Scrubber) -> None:
    """The field has no tables: there "Player 3" is the third."""
    script = prepared.script
    for number, player in enumerate(script.get("field", {}).get("players", []) if script else [], 1):
        player["name"], player["club"] = pseudonym(number), None
    prepared.script = scrubber.reasons(script)
    prepared.save(update_fields=["script"])
    Practice.objects.filter(link__prepared=prepared).update(name="")


def _delete_documents(event: Event) -> None:
    """The rows now, the files once that is certain."""
    documents = Document.objects.filter(game__event=event)
    paths = [Path(settings.DATA_DIR) / path for path in documents.exclude(path="").values_list("path", flat=True)]
    documents.delete()
    transaction.on_commit(lambda: _delete_files(paths))


def _delete_files(paths: Iterable[Path]) -> None:
    """Each with the pictures of its pages."""
    for path in paths:
        path.unlink(missing_ok=True)
        for picture in path.parent.glob(f"{path.stem}.page-*.png"):
            picture.unlink(missing_ok=True)


def _entries_with_names(event: Event, scrubber: Scrubber) -> int:
    rows = LedgerEntry.objects.filter(game__event=event).values_list("data", flat=True)
    return sum(scrubber.names_somebody(data) for data in rows.iterator())
