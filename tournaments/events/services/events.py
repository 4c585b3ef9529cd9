"""Create events and add games to them; set the word that the audience adds to the draw."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date as calendar_date
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from engine.archive.replay.topics import TOPIC_NAMES
from engine.draw.reproducible import SEED_BYTES, commitment
from engine.tiles.edition import Edition, EditionError, find_edition_errors, load_edition
from engine.variants.variant import NORMAL
from tournaments import signals, validators
from tournaments.enums import DrawMode, GameState, Role
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import current_game
from tournaments.events.services.game_rules import (
    GameRules,
    TurnsWanted,
    require_drawable,
    rules_of_first_game,
)
from tournaments.events.services.rooms import require_game_over
from tournaments.events.services.round_setup import rules_as_planned, setup_of_next_game
from tournaments.judging.services import rulings
from tournaments.ledger.queries import may_set_hall_word, previous_game_facts
from tournaments.lexicons import word_lists
from tournaments.models import Event, Game, Membership, Player, Room
from tournaments.play.position import edition_of
from tournaments.play.services.game_lock import append_players_to_ledger, append_to_ledger, lock_game
from tournaments.players.roster_text import NewPlayer
from tournaments.players.services.players import create_entries, list_staying_players, store_players

# No vowels, so that a code is no word, and no signs that look like another.
_CODE_SIGNS = "BCDFGHJKMNPQRSTVWXZ23456789"
_CODE_LENGTH = 7
_TOKEN_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """The organiser's choices for an event and its first game.

    `switches` overrides some of the profile's; `variant` is one of `engine.variants.variant`; `turn_seconds` is the
    time of a turn (the profile's when None) and determines the calls. `lexicon` names an installed word list;
    without it the edition's own is used. `second_lexicon` names another one: the switch `two_dictionaries` says whether
    a word must be in one of them or in both.
    """

    name: str
    date: calendar_date
    place: str
    language: str
    edition: str
    profile: str
    draw_mode: str
    switches: Mapping[str, object] | None = None
    lexicon: str | None = None
    second_lexicon: str | None = None
    variant: str = NORMAL
    turn_seconds: int | None = None


def create_event(
    request: NewEvent, players: Sequence[NewPlayer], *, by: User | None, now: datetime, seed: bytes
) -> Game:
    """Create an event with one room and its first game; `by` becomes its director.

    `seed` holds the 32 secret random bytes of the draw.
    """
    rules = rules_of_first_game(
        profile=request.profile,
        switches=request.switches or {},
        variant=request.variant,
        turn_seconds=request.turn_seconds,
    )
    _check_choices(request.language, request.draw_mode)
    require_drawable(rules, request.draw_mode)
    tiles = _edition(request.edition)
    words = word_lists.choose_list(request.edition, request.lexicon)
    if request.second_lexicon:
        second = word_lists.choose_list(request.edition, request.second_lexicon)
        words = word_lists.combine_two_lists(words, second, rules.rules.two_dictionaries)
    with transaction.atomic():
        event = Event.objects.create(
            code=free_code(),
            wall_token=secrets.token_urlsafe(_TOKEN_BYTES),
            name=validators.event_name(request.name),
            date=request.date,
            place=validators.place(request.place),
            language=request.language,
            created_at=now,
        )
        room = _create_rooms(event, players)
        if by is not None:
            Membership.objects.create(event=event, user=by, role=Role.DIRECTOR)
        game = _new_game(event, 1, tiles, rules, words, request.draw_mode, seed)
        seated = store_players(game=game, room=room, players=players, now=now)
        _record_creation(game, seated, by, now, {})
        signals.send_game_changed(game)
    return game


def add_game(
    *,
    event: Event,
    by: User | None,
    now: datetime,
    seed: bytes,
    variant: str | None = None,
    turn_seconds: int | None = None,
    profile: str | None = None,
    turns: TurnsWanted = "same",
) -> Game:
    """Add the next game of an event with the settings of the last one, its remaining players and the earlier rulings.

    The setup of the planned round overrides that of the last game; `variant`, `turn_seconds` (seconds of a turn),
    `profile` and `turns` override both.
    """
    with lock_game(current_game(event)) as last:
        if (newest := current_game(event)).pk != last.pk:
            raise AlreadyDone(_("Game %(number)d is there already.") % {"number": newest.number})
        if last.state != GameState.FINISHED:
            raise Refused(_("End game %(number)d before the next one.") % {"number": last.number})
        require_game_over(last)
        plan = setup_of_next_game(event, last.number + 1)
        rules = rules_as_planned(last, plan, variant=variant, turn_seconds=turn_seconds, profile=profile, turns=turns)
        words = word_lists.adapt_to_rules(word_lists.word_list_of_game(last), rules.rules)
        draw_mode = last.draw_mode if last.prepared_id is None else DrawMode.SEEDED
        require_drawable(rules, draw_mode)
        tiles = edition_of(last)
        game = _new_game(event, last.number + 1, tiles, rules, words, draw_mode, seed)
        game.appeal_minutes, game.appeal_end_minutes = last.appeal_minutes, last.appeal_end_minutes
        game.save(update_fields=["appeal_minutes", "appeal_end_minutes"])
        seated = list_staying_players(event, last)
        create_entries(game=game, players=seated, first_turn=1)
        carried = rulings.carry_over_rulings(game=game, by=by, now=now)
        details = {"rulings": [[row.word, str(row.ruling)] for row in carried], **previous_game_facts(last)}
        _record_creation(game, seated, by, now, details)
        signals.send_game_changed(game)
    return game


def set_hall_word(*, game: Game, word: str, by: User | None, now: datetime) -> Game:
    """Mix a word called out by the audience into the draw, after the commitment is public and before the first rack.

    An empty word removes it. Once a rack was drawn the word is final, even if that rack was returned, because the
    judge has seen it. A game that continues with a new seed may have another word.
    """
    cleaned = validators.short_text(word, longest=validators.HALL_WORD_LENGTH, what=_("called-out word"))
    with lock_game(game) as locked:
        if locked.state == GameState.FINISHED or not may_set_hall_word(locked):
            raise Refused(_("The first rack is drawn, so the called-out word cannot be changed any more."))
        if locked.draw_mode != DrawMode.SEEDED:
            raise Refused(_("This game is drawn from a bag, so it uses no called-out word."))
        if locked.prepared_id is not None and not locked.earlier_draws:
            raise Refused(_("This game was prepared: its racks are drawn already, so it uses no called-out word."))
        if locked.hall_word != cleaned:
            locked.hall_word = cleaned
            locked.save(update_fields=["hall_word"])
            append_to_ledger(game=locked, kind="hall_word", by=by, now=now, data={"word": cleaned})
            signals.send_game_changed(locked)
    return locked


def _edition(code: str) -> Edition:
    try:
        return load_edition(code)
    except EditionError as error:
        if code in find_edition_errors():
            raise Refused(_("This edition cannot be used. %(why)s") % {"why": error}) from None
        raise Refused(_("There is no edition “%(name)s”.") % {"name": code}) from None


def _check_choices(language: str, draw_mode: str) -> None:
    if language not in dict(settings.LANGUAGES):
        raise Refused(_("There is no language “%(name)s”.") % {"name": language})
    if draw_mode not in DrawMode.values:
        raise Refused(_("Racks are drawn by the program or typed; choose one of the two."))


def _new_game(
    event: Event,
    number: int,
    edition: Edition,
    rules: GameRules,
    words: word_lists.LexiconFile,
    draw_mode: str,
    seed: bytes,
) -> Game:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return Game.objects.create(
        event=event,
        number=number,
        edition=edition.code,
        edition_toml=edition.toml,
        profile=rules.profile,
        switches=rules.rules.switches(),
        variant=rules.variant.code,
        turn_seconds=rules.rules.clock_s,
        **word_lists.fields_of(words),
        draw_mode=draw_mode,
        seed=seed,
        commitment=commitment(seed),
    )


def _record_creation(
    game: Game, seated: Sequence[Player], by: User | None, now: datetime, more: Mapping[str, object]
) -> None:
    facts = {
        "tells": TOPIC_NAMES,
        "event": game.event.name,
        "number": game.number,
        "edition": game.edition,
        "profile": game.profile,
        "switches": game.switches,
        "formula": game.variant,
        "rhythm_s": game.turn_seconds,
        "lexicon": game.lexicon_sha256,
        "draw": game.draw_mode,
        "commitment": game.commitment,
        "players": [player.table for player in seated],
    }
    append_to_ledger(game=game, kind="created", by=by, now=now, data={**facts, **more})
    append_players_to_ledger(game, by=by, now=now)


def free_code() -> str:
    """Generate an unused event code."""
    while True:
        code = "".join(secrets.choice(_CODE_SIGNS) for _place in range(_CODE_LENGTH))
        if not Event.objects.filter(code=code).exists():
            return code


def _create_rooms(event: Event, players: Sequence[NewPlayer]) -> Room:
    """Create the rooms that a list of players names, the drawing room first, or a single room. Return the first."""
    named = {player.room.casefold(): player.room for player in reversed(players) if player.room}
    in_order = dict.fromkeys(player.room.casefold() for player in players if player.room)
    rooms = [Room.objects.create(event=event, name=_name_of_hall(event.language))] if not named else []
    for number, key in enumerate(in_order, 1):
        token = None if number == Room.DRAWING else secrets.token_urlsafe(_TOKEN_BYTES)
        rooms.append(Room.objects.create(event=event, number=number, name=named[key], wall_token=token))
    return rooms[0]


def _name_of_hall(language: str) -> str:
    with translation.override(language):
        return _("Hall")
