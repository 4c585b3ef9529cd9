"""Simultaneous games at the hub: create one, invite clubs, change its times, write comments."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from engine.simultaneous.sealing import KEY_BYTES, seal_game
from engine.simultaneous.start_code import make_start_code
from tournaments import validators
from tournaments.enums import PreparationState, ScriptKind
from tournaments.errors import Refused
from tournaments.models import InvitedClub, PracticeLink, PreparedGame, Simultaneous, SimultaneousGame
from tournaments.players.name_folding import fold_text
from tournaments.prepared.scripts import script_of

MOST_CLUBS, MOST_GAMES, LONGEST_TEXT = 1000, 12, 4000
_TOKEN_BYTES = 12


@dataclass(frozen=True, slots=True)
class Times:
    """Time window in which the clubs play and return, and the end of the embargo."""

    opens_at: datetime
    closes_at: datetime
    embargo_until: datetime


def create_simultaneous(
    *, title: str, note: str, games: Sequence[PreparedGame], clubs: str, times: Times, by: User, now: datetime
) -> Simultaneous:
    """Create a simultaneous game of prepared games, which stay sealed. `clubs` has the name of a club on each line."""
    name = validators.short_text(title, longest=validators.NAME_LENGTH, what=_("title"))
    if not name:
        raise Refused(_("Give the simultaneous game a title."))
    _check_times(times)
    _require_text(note)
    if not 1 <= len(games) <= MOST_GAMES:
        raise Refused(_("Choose 1 to %(most)d prepared games.") % {"most": MOST_GAMES})
    names = _read_clubs(clubs, [])
    if not names:
        raise Refused(_("Write the name of at least one club."))
    key = secrets.token_bytes(KEY_BYTES)
    with transaction.atomic():
        locked = [_lock_sealed_game(game, by) for game in games]
        simultaneous = Simultaneous.objects.create(
            by=by,
            title=name,
            note=note.strip(),
            package_id=secrets.token_hex(16),
            token=secrets.token_urlsafe(_TOKEN_BYTES),
            content_key=key.hex(),
            games=[seal_game(script_of(game), at, key, secrets.token_bytes) for at, game in enumerate(locked, 1)],
            opens_at=times.opens_at,
            closes_at=times.closes_at,
            embargo_until=times.embargo_until,
            created_at=now,
        )
        SimultaneousGame.objects.bulk_create(
            SimultaneousGame(simultaneous=simultaneous, number=at, prepared=game) for at, game in enumerate(locked, 1)
        )
        _invite(simultaneous, names)
    return simultaneous


def invite_clubs(*, simultaneous: Simultaneous, clubs: str) -> int:
    """Invite more clubs, a name on each line; those already invited are left alone. Return the number of new ones."""
    with transaction.atomic():
        locked = Simultaneous.objects.select_for_update().get(pk=simultaneous.pk)
        names = _read_clubs(clubs, list(locked.clubs.values_list("name", flat=True)))
        _invite(locked, names)
    return len(names)


def change_times(*, simultaneous: Simultaneous, times: Times) -> None:
    """Change the times; a package that a club has opened before keeps the old ones."""
    _check_times(times)
    Simultaneous.objects.filter(pk=simultaneous.pk).update(
        opens_at=times.opens_at, closes_at=times.closes_at, embargo_until=times.embargo_until
    )


def delete_simultaneous(*, simultaneous: Simultaneous, now: datetime) -> None:
    """Delete a simultaneous game with its returns, which name the players of other clubs, once it is published."""
    if now < simultaneous.embargo_until:
        raise Refused(_("Clubs may still play or wait for results: delete it once the results are published."))
    simultaneous.delete()


def write_comments(*, game: SimultaneousGame, comments: Mapping[int, str]) -> None:
    """Store the commentator's texts by number of the turn; an empty text removes one."""
    for text in comments.values():
        _require_text(text)
    kept = {str(turn): text.strip() for turn, text in sorted(comments.items()) if text.strip()}
    SimultaneousGame.objects.filter(pk=game.pk).update(comments=kept)


def _invite(simultaneous: Simultaneous, names: Sequence[str]) -> None:
    last = simultaneous.clubs.aggregate(last=Max("number"))["last"] or 0
    if last + len(names) > MOST_CLUBS:
        raise Refused(_("At most %(most)d clubs can be invited.") % {"most": MOST_CLUBS})
    InvitedClub.objects.bulk_create(
        InvitedClub(
            simultaneous=simultaneous,
            number=number,
            name=name,
            start_code=make_start_code(secrets.choice),
            return_key=secrets.token_hex(KEY_BYTES),
        )
        for number, name in enumerate(names, last + 1)
    )


def _read_clubs(text: str, known: Sequence[str]) -> list[str]:
    """Return the new names on the lines of a text, each once."""
    seen = {fold_text(name) for name in known}
    names = []
    for line in text.splitlines():
        name = validators.club(line)
        if name and fold_text(name) not in seen:
            seen.add(fold_text(name))
            names.append(name)
    return names


def _lock_sealed_game(game: PreparedGame, by: User) -> PreparedGame:
    """Lock a prepared game and require that it can be sealed."""
    locked = PreparedGame.objects.select_for_update().get(pk=game.pk)
    if locked.by_id != by.pk or locked.kind != ScriptKind.PREPARED or locked.state != PreparationState.READY:
        raise Refused(_("Choose games that you have prepared and that are ready."))
    if PracticeLink.objects.filter(prepared=locked, closed_at=None).exists():
        raise Refused(_("People practise “%(title)s”: close its practice link first.") % {"title": locked.title})
    return locked


def _check_times(times: Times) -> None:
    if not times.opens_at < times.closes_at:
        raise Refused(_("The time window must close after it opens."))
    if times.embargo_until < times.closes_at:
        raise Refused(_("The embargo must not end before the time window closes: clubs may still be playing."))


def _require_text(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise Refused(_("A text has at most %(most)d characters.") % {"most": LONGEST_TEXT})
