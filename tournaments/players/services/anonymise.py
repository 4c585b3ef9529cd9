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
from tournaments.events.queries.events import current_game
from tournaments.ledger.sealed_slips import seal_of
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
    ReversibleAct,
    SlipRuling,
    Turn,
    Verdict,
    WordRuling,
    new_salt,
)
from tournaments.play.services.game_lock import append_to_all_ledgers, append_to_ledger, lock_game
from tournaments.players.pseudonyms import Scrubber, pseudonym

LONGEST_KEPT_DAYS = 36_500
_DELETED = ("nickname", "stated_surname", "licence", "age_class", "country", "token_hash")


@dataclass(frozen=True, slots=True)
class AnonymisationResult:
    """Effect of an anonymisation: players without a name, deleted sheets and practice games, and the number of
    unchanged ledger entries that hold names."""

    players: int
    documents: int
    practice_games: int
    sealed_entries: int


def preview_anonymisation(event: Event) -> AnonymisationResult:
    """Count the effects of anonymising this event without changing it."""
    games = Game.objects.filter(event=event)
    return AnonymisationResult(
        players=Player.objects.filter(event=event).count(),
        documents=Document.objects.filter(game__in=games).count(),
        practice_games=len(_practice_games(event)),
        sealed_entries=_entries_with_names(event, Scrubber(event)),
    )


def anonymise_event(*, event: Event, by: User | None, now: datetime) -> AnonymisationResult:
    """Put pseudonyms ("Player 17") in the place of names, delete what identifies a person, delete sheets.

    Refused while a game is going on. Archives made afterwards hold pseudonyms and verify as before.
    """
    with lock_game(current_game(event)) as game:
        _require_can_anonymise(Event.objects.select_for_update().get(pk=event.pk))
        result, scrubber = preview_anonymisation(event), Scrubber(event)
        _anonymise_texts(event, scrubber)
        seals = _anonymise_players(event, scrubber)
        with translation.override(event.language):
            for practice in _practice_games(event):
                _anonymise_practice(practice, scrubber)
        _delete_documents(event)
        event.forgotten_at, event.ledger_has_names = now, result.sealed_entries > 0
        event.save(update_fields=["forgotten_at", "ledger_has_names"])
        facts = {"players": result.players, "people": seals}
        append_to_all_ledgers(game=game, kind="forgotten", by=by, now=now, data=facts)
        for each in Game.objects.filter(event=event):
            signals.send_game_changed(each)
    return result


def anonymise_player(*, player: Player, person: str = "", by: User | None, now: datetime) -> None:
    """Put a pseudonym in the place of one player's name, and delete what identifies that person in the event; the other
    players keep their names. All sheets of the event are deleted, since the name is on them.

    `person` is the name of one of a pair: the other one keeps theirs. Refused while a game is going on; nothing is done
    when the names of the event were removed already.
    """
    with lock_game(current_game(player.event)) as game:
        event = Event.objects.select_for_update().get(pk=player.event_id)
        if event.forgotten_at is not None:
            return
        _require_can_anonymise(event)
        player = Player.objects.get(pk=player.pk)
        scrubber = Scrubber(event, player, [person] if person else [player.name, player.nickname])
        sealed_entries = _entries_with_names(event, scrubber)
        _delete_texts_about(Q(player=player))
        _scrub_reasons(event, scrubber)
        name = player.name.replace(person, scrubber.player(player)) if person else scrubber.player(player)
        facts = {"players": 1, "people": _anonymise_one_player(player, name, scrubber)}
        for practice in _practice_games(event):
            _anonymise_practice_of(practice, scrubber)
        _delete_documents(event)
        event.ledger_has_names = event.ledger_has_names or sealed_entries > 0
        event.save(update_fields=["ledger_has_names"])
        append_to_all_ledgers(game=game, kind="forgotten", by=by, now=now, data=facts)
        for each in Game.objects.filter(event=event):
            signals.send_game_changed(each)


def set_retention_days(*, event: Event, days: int | None, by: User | None, now: datetime) -> Event:
    """Set the number of days after the event for which names are stored; 0 for good, None for the server's setting."""
    if days is not None and not 0 <= days <= LONGEST_KEPT_DAYS:
        raise Refused(_("Names are kept for 0 to %(most)d days; 0 keeps them for good.") % {"most": LONGEST_KEPT_DAYS})
    with lock_game(current_game(event)) as game:
        require_not_anonymised(game.event)
        event.keep_days = days
        event.save(update_fields=["keep_days"])
        append_to_ledger(game=game, kind="keep_names", by=by, now=now, data={"days": days})
    return event


def require_not_anonymised(event: Event) -> None:
    """Refuse to write a name into an event that was anonymised. The event is that of a locked game."""
    if event.forgotten_at is not None:
        raise Refused(_("The names of this event were forgotten, so nobody can be added or named; create a new event."))


def _require_can_anonymise(event: Event) -> None:
    if event.forgotten_at is not None:
        raise AlreadyDone(_("The names of this event are forgotten already."))
    if Game.objects.filter(event=event, state=GameState.RUNNING).exists():
        raise Refused(_("A game of this event is going on: end it first, then forget the names."))
    if Document.objects.filter(game__event=event, state__in=[DocumentState.QUEUED, DocumentState.RUNNING]).exists():
        raise Refused(_("A sheet of this event is being created: wait until it is ready, then forget the names."))


def _anonymise_players(event: Event, scrubber: Scrubber) -> dict[str, object]:
    """Replace the names of the players. Return the seals of the pseudonyms by table.

    The seals of the names stay in the ledger; without their salts nobody can guess a name from them.
    """
    players = list(Player.objects.filter(event=event))
    for player in players:
        if player.token_hash:
            signals.send_phone_replaced(player)
        player.name, player.club, player.team = (
            scrubber.player(player),
            scrubber.clubs.get(player.club, ""),
            scrubber.teams.get(player.team, ""),
        )
        for field in _DELETED:
            setattr(player, field, "")
        player.salt = new_salt()
    Player.objects.bulk_update(players, ["name", "club", "team", "salt", *_DELETED], batch_size=500)
    ReversibleAct.objects.filter(event=event).delete()
    Membership.objects.filter(event=event).update(plays_as=None)
    FinalSlip.objects.filter(turn__game__event=event).update(by=None)
    return {str(player.table): {"seal": seal_of(player)} for player in players}


def _anonymise_one_player(player: Player, name: str, scrubber: Scrubber) -> dict[str, object]:
    """Replace the name of a player, also in the name of a team that consists of names. Return the new seals by
    table."""
    if player.token_hash:
        signals.send_phone_replaced(player)
    team = scrubber.text(player.team)
    mates = Player.objects.filter(event=player.event_id, team=player.team).exclude(pk=player.pk)
    changed = [player, *(mates if team != player.team else [])]
    player.name, player.club = name, ""
    for field in _DELETED:
        setattr(player, field, "")
    for each in changed:
        each.team, each.salt = team, new_salt()
        each.save(update_fields=["name", "club", "team", "salt", *_DELETED])
    ReversibleAct.objects.filter(event=player.event_id).delete()
    Membership.objects.filter(plays_as=player).update(plays_as=None)
    FinalSlip.objects.filter(player=player).update(by=None)
    return {str(each.table): {"seal": seal_of(each)} for each in changed}


def _anonymise_texts(event: Event, scrubber: Scrubber) -> None:
    """Remove names from the reasons that people wrote, and all messages to players about themselves.

    Slips stay as written and sealed.
    """
    _delete_texts_about(Q(player__event=event))
    _scrub_reasons(event, scrubber)


def _delete_texts_about(players: Q) -> None:
    """Delete all texts that were written to or about these players."""
    GivenWarning.objects.filter(players).update(reason="")
    Entry.objects.filter(players).update(disqualified_for="")
    Appeal.objects.filter(players).update(sentence="", answer="")


def _scrub_reasons(event: Event, scrubber: Scrubber) -> None:
    _scrub(WordRuling, Q(event=event), "reason", scrubber)
    _scrub(SlipRuling, Q(turn__game__event=event), "reason", scrubber)
    _scrub(Verdict, Q(turn__game__event=event), "decision_reason", scrubber)
    _scrub(Turn, Q(game__event=event), "master_why", scrubber)
    _scrub(GivenWarning, Q(turn__game__event=event), "reason", scrubber)
    _scrub(Entry, Q(game__event=event), "disqualified_for", scrubber)
    _scrub(Appeal, Q(turn__game__event=event), "sentence", scrubber)
    _scrub(Appeal, Q(turn__game__event=event), "answer", scrubber)


def _scrub(model: type[Model], rows: Q, field: str, scrubber: Scrubber) -> None:
    for pk, text in model._default_manager.filter(rows).exclude(**{field: ""}).values_list("pk", field):
        if (cleaned := scrubber.text(text)) != text:
            model._default_manager.filter(pk=pk).update(**{field: cleaned})


def _practice_games(event: Event) -> list[PreparedGame]:
    """The games of this event that people play alone, with those who played them in their field."""
    games = list(Game.objects.filter(event=event).values_list("pk", flat=True))
    return list(PreparedGame.objects.filter(order__game__in=games))


def _anonymise_practice(prepared: PreparedGame, scrubber: Scrubber) -> None:
    """The field has no tables: there "Player 3" is the third."""
    script = prepared.script
    for number, player in enumerate(script.get("field", {}).get("players", []) if script else [], 1):
        player["name"], player["club"] = pseudonym(number), None
    prepared.script = scrubber.reasons(script)
    prepared.save(update_fields=["script"])
    Practice.objects.filter(link__prepared=prepared).update(name="")


def _anonymise_practice_of(prepared: PreparedGame, scrubber: Scrubber) -> None:
    """Replace one person's name in the field of a practice game, and among those who played it."""
    script = prepared.script
    for number, player in enumerate(script.get("field", {}).get("players", []) if script else [], 1):
        if (name := scrubber.text(player["name"])) != player["name"]:
            player["name"], player["club"] = pseudonym(number) if player["name"] in scrubber.names else name, None
    prepared.script = scrubber.reasons(script)
    prepared.save(update_fields=["script"])
    for practice in Practice.objects.filter(link__prepared=prepared).exclude(name=""):
        if scrubber.text(practice.name) != practice.name:
            Practice.objects.filter(pk=practice.pk).update(name="")


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
    return sum(scrubber.has_names(data) for data in rows.iterator())
