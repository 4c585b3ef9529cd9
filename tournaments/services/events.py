"""Events and their games: made, continued, and the word that the hall calls out."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import date as calendar_date
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from engine.draw import SEED_BYTES, commitment
from engine.edition import Edition, EditionError, bad_editions, load_edition
from engine.formulas import NORMAL
from engine.replay.topics import TELLS
from tournaments import lexicons, signals, validators
from tournaments.enums import DrawMode, GameState, Role
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Event, Game, Membership, Player, Room
from tournaments.position import edition_of
from tournaments.selectors.events import current_game
from tournaments.selectors.ledger import after, may_set_hall_word
from tournaments.services import rulings
from tournaments.services.acting import acting_on, record, record_people
from tournaments.services.game_rules import GameRules, TurnsWanted, demand_drawable, rules_of_first, rules_of_next
from tournaments.services.player_lists import NewPlayer
from tournaments.services.players import enter, seat, staying
from tournaments.services.rooms import demand_over

# No vowels, so that a code is no word, and no signs that look like another.
_CODE_SIGNS = "BCDFGHJKMNPQRSTVWXZ23456789"
_CODE_LENGTH = 7
_TOKEN_BYTES = 32


def create_event(
    *,
    name: str,
    date: calendar_date,
    place: str,
    language: str,
    edition: str,
    profile: str,
    switches: Mapping[str, object] | None,
    draw_mode: str,
    players: Sequence[NewPlayer],
    by: User | None,
    now: datetime,
    seed: bytes,
    lexicon: str | None = None,
    second_lexicon: str | None = None,
    formula: str = NORMAL,
    rhythm_s: int | None = None,
) -> Game:
    """A new event with one hall and its first game; `by` directs it.

    `switches` overrides some of the profile's; `formula` is one of `engine.formulas`, `rhythm_s` the seconds of a turn
    (the profile's when None), from which the calls follow. `seed` are the 32 secret random bytes of the draw.
    `lexicon` names an installed word list; without it the edition's own is taken. `second_lexicon` names another one:
    the switch `two_dictionaries` says whether a word must be in one of them or in both.
    """
    rules = rules_of_first(profile=profile, switches=switches or {}, formula=formula, rhythm_s=rhythm_s)
    _check_choices(language, draw_mode)
    demand_drawable(rules, draw_mode)
    tiles = _edition(edition)
    words = lexicons.choose(edition, lexicon)
    if second_lexicon:
        words = lexicons.combined(words, lexicons.choose(edition, second_lexicon), rules.rules.two_dictionaries)
    with transaction.atomic():
        event = Event.objects.create(
            code=free_code(),
            wall_token=secrets.token_urlsafe(_TOKEN_BYTES),
            name=validators.event_name(name),
            date=date,
            place=validators.place(place),
            language=language,
            created_at=now,
        )
        room = _rooms_for(event, players)
        if by is not None:
            Membership.objects.create(event=event, user=by, role=Role.DIRECTOR)
        game = _new_game(event, 1, tiles, rules, words, draw_mode, seed)
        seated = seat(game=game, room=room, players=players, now=now)
        _record_creation(game, seated, by, now, {})
        signals.changed(game)
    return game


def add_game(
    *,
    event: Event,
    by: User | None,
    now: datetime,
    seed: bytes,
    formula: str | None = None,
    rhythm_s: int | None = None,
    profile: str | None = None,
    turns: TurnsWanted = "same",
) -> Game:
    """The next game of an event, with the settings of the last one, its players but those who left, and the words
    ruled on so far.

    `formula`, `rhythm_s` (seconds of a turn), `profile` and `turns` where this game is to have others.
    """
    with acting_on(current_game(event)) as last:
        if (newest := current_game(event)).pk != last.pk:
            raise AlreadyDone(_("Game %(number)d is there already.") % {"number": newest.number})
        if last.state != GameState.FINISHED:
            raise Refused(_("End game %(number)d before the next one.") % {"number": last.number})
        demand_over(last)
        rules = rules_of_next(last, formula=formula, rhythm_s=rhythm_s, profile=profile, turns=turns)
        words = lexicons.by_rules(lexicons.of_game(last), rules.rules)
        draw_mode = last.draw_mode if last.prepared_id is None else DrawMode.SEEDED
        demand_drawable(rules, draw_mode)
        tiles = edition_of(last)
        game = _new_game(event, last.number + 1, tiles, rules, words, draw_mode, seed)
        game.appeal_minutes, game.appeal_end_minutes = last.appeal_minutes, last.appeal_end_minutes
        game.save(update_fields=["appeal_minutes", "appeal_end_minutes"])
        seated = staying(event, last)
        enter(game=game, players=seated, first_turn=1)
        carried = rulings.carry_over(game=game, by=by, now=now)
        told = {"rulings": [[row.word, str(row.ruling)] for row in carried], **after(last)}
        _record_creation(game, seated, by, now, told)
        signals.changed(game)
    return game


def set_hall_word(*, game: Game, word: str, by: User | None, now: datetime) -> Game:
    """Mix a word that the hall called out into the draw, after the commitment is public and before the first rack.

    An empty word takes it back. Once a rack was drawn the word stays, even if that rack was put back: the judge has
    seen it. A game that goes on by a new seed may have another word.
    """
    cleaned = validators.short_text(word, longest=validators.HALL_WORD_LENGTH, what=_("hall word"))
    with acting_on(game) as locked:
        if locked.state == GameState.FINISHED or not may_set_hall_word(locked):
            raise Refused(_("The first rack is drawn; the hall word cannot be changed any more."))
        if locked.draw_mode != DrawMode.SEEDED:
            raise Refused(_("This game is drawn from a bag; a hall word has no part in it."))
        if locked.prepared_id is not None and not locked.earlier_draws:
            raise Refused(_("This game was prepared, so its racks are drawn already; a hall word has no part in it."))
        if locked.hall_word != cleaned:
            locked.hall_word = cleaned
            locked.save(update_fields=["hall_word"])
            record(game=locked, kind="hall_word", by=by, now=now, data={"word": cleaned})
            signals.changed(locked)
    return locked


def _edition(code: str) -> Edition:
    try:
        return load_edition(code)
    except EditionError as error:
        if code in bad_editions():
            raise Refused(_("This edition cannot be used. %(why)s") % {"why": error}) from None
        raise Refused(_("There is no edition “%(name)s”.") % {"name": code}) from None


def _check_choices(language: str, draw_mode: str) -> None:
    if language not in dict(settings.LANGUAGES):
        raise Refused(_("There is no language “%(name)s”.") % {"name": language})
    if draw_mode not in DrawMode.values:
        raise Refused(_("Racks are drawn by the program or typed; choose one of both."))


def _new_game(
    event: Event,
    number: int,
    edition: Edition,
    rules: GameRules,
    words: lexicons.LexiconFile,
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
        formula=rules.formula.code,
        rhythm_s=rules.rules.clock_s,
        **lexicons.fields_of(words),
        draw_mode=draw_mode,
        seed=seed,
        commitment=commitment(seed),
    )


def _record_creation(
    game: Game, seated: Sequence[Player], by: User | None, now: datetime, more: Mapping[str, object]
) -> None:
    facts = {
        "tells": TELLS,
        "event": game.event.name,
        "number": game.number,
        "edition": game.edition,
        "profile": game.profile,
        "switches": game.switches,
        "formula": game.formula,
        "rhythm_s": game.rhythm_s,
        "lexicon": game.lexicon_sha256,
        "draw": game.draw_mode,
        "commitment": game.commitment,
        "players": [player.table for player in seated],
    }
    record(game=game, kind="created", by=by, now=now, data={**facts, **more})
    record_people(game, by=by, now=now)


def free_code() -> str:
    """A code that no event has."""
    while True:
        code = "".join(secrets.choice(_CODE_SIGNS) for _place in range(_CODE_LENGTH))
        if not Event.objects.filter(code=code).exists():
            return code


def _rooms_for(event: Event, players: Sequence[NewPlayer]) -> Room:
    """The rooms that a list of players names, the first of them the drawing room; else one hall. Gives the first."""
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
