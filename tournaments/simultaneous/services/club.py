"""Simultaneous games at a club: open a package, play its games, make the return."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from engine.archive.json_shape import FormatError
from engine.archive.schema import format_timestamp
from engine.draw.reproducible import SEED_BYTES
from engine.prepared.script import ScriptError, edition_of, profile_of, variant_of
from engine.simultaneous.package import ClubKeys, Package, WrongCode, open_package, read_package, times_of
from engine.simultaneous.returned import Returned, make_return
from engine.simultaneous.sealing import SealBroken, open_turns
from tournaments.enums import DrawMode, GameState, PreparationState, ScriptKind
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import rooms_of
from tournaments.events.services.events import NewEvent, create_event
from tournaments.lexicons import word_lists
from tournaments.models import Event, Game, OpenedPackage, PreparedGame
from tournaments.play.queries.phases import is_over
from tournaments.prepared.scripts import to_unsaved_game
from tournaments.prepared.services.scripted_game import follow_script
from tournaments.results.queries.archive import export_game


def read_sealed_package(text: str) -> Package:
    """Read a package from a file or link. Raises Refused if it is none."""
    try:
        package = read_package(text)
        for game in package["games"]:
            edition_of(game["head"]), profile_of(game["head"]), variant_of(game["head"])
    except (FormatError, ScriptError) as error:
        raise Refused(
            _("This is not the package of a simultaneous game: %(why)s. Ask the organiser for it.")
            % {"why": str(error).rstrip(".")}
        ) from None
    return package


def open_sealed_package(
    *, package: Package, code: str, language: str, by: User, now: datetime, hub: str = ""
) -> OpenedPackage:
    """Open a package with the start code of the club and create the event of its first game.

    `hub` is the address from which the package was read, if it names none itself. A package that is opened again
    leads to the event that is there.
    """
    keys = _keys(package, code)
    opened = OpenedPackage.objects.filter(package_id=package["id"], club_number=keys.number).first()
    if opened is not None:
        if opened.by_id != by.pk:
            raise Refused(_("Another judge of this installation opened this package: ask them for the event."))
        return opened
    opens_at, closes_at, embargo_until = times_of(package)
    if now < opens_at:
        raise Refused(
            _("The time window of “%(title)s” opens on %(at)s; open the package then.")
            % {"title": package["title"], "at": date_format(localtime(opens_at), "DATETIME_FORMAT")}
        )
    with transaction.atomic():
        opened = OpenedPackage.objects.create(
            by=by,
            package_id=package["id"],
            title=package["title"][:200],
            note=package["note"][:4000],
            hub=package["hub"] or hub,
            opens_at=opens_at,
            closes_at=closes_at,
            embargo_until=embargo_until,
            club_number=keys.number,
            club_name=keys.name,
            return_key=keys.return_key,
            opened_at=now,
        )
        games = [_store_game(package, at, keys, by, now) for at in range(len(package["games"]))]
        opened.prepared.set(games)
        opened.event = _create_event(opened, package, language, by, now)
        opened.save(update_fields=["event"])
        follow_script(prepared=games[0], event=opened.event, by=by, now=now)
    return opened


def _keys(package: Package, code: str) -> ClubKeys:
    try:
        keys = open_package(package, code)
        for game in package["games"]:
            open_turns({**game, "key": keys.key}, 1)
    except (WrongCode, SealBroken):
        raise Refused(
            _(
                "This start code does not open this package: compare each sign with the code of your club. If it is "
                "right, the package was altered: ask the organiser for it again."
            )
        ) from None
    return keys


def _store_game(package: Package, at: int, keys: ClubKeys, by: User, now: datetime) -> PreparedGame:
    game = package["games"][at]
    word_lists.word_list_of_game(to_unsaved_game(game["head"]))
    return PreparedGame.objects.create(
        by=by,
        kind=ScriptKind.SEALED,
        title=game["head"]["title"][:200],
        created_at=now,
        state=PreparationState.READY,
        progress=100,
        script={**game, "key": keys.key},
    )


def _create_event(opened: OpenedPackage, package: Package, language: str, by: User, now: datetime) -> Event:
    head = package["games"][0]["head"]
    words = word_lists.word_list_of_game(to_unsaved_game(head))
    request = NewEvent(
        name=opened.title,
        date=localtime(now).date(),
        place=opened.club_name,
        language=language,
        edition=head["edition"],
        profile=profile_of(head).name,
        draw_mode=DrawMode.SEEDED,
        lexicon=words.name,
        variant=head["formula"],
        turn_seconds=head["rhythm_s"],
    )
    return create_event(request, [], by=by, now=now, seed=bytes(SEED_BYTES)).event


def start_next_game(*, opened: OpenedPackage, by: User, now: datetime) -> Game:
    """Begin the next game of the package in its event, once the one before is over."""
    if opened.event is None:
        raise Refused(_("The event of this package was deleted, so it cannot be played any more."))
    played = list(
        Game.objects.filter(event=opened.event, prepared__kind=ScriptKind.SEALED).values_list("prepared", flat=True)
    )
    waiting = opened.prepared.exclude(pk__in=played).order_by("pk").first()
    if waiting is None:
        raise AlreadyDone(_("All games of this package have been begun."))
    return follow_script(prepared=waiting, event=opened.event, by=by, now=now)


def make_club_return(*, opened: OpenedPackage, now: datetime) -> Returned:
    """Seal the archives of the games that the club has played. Refused while one of them is not over."""
    order = list(opened.prepared.order_by("pk").values_list("pk", flat=True))
    games = list(Game.objects.filter(event=opened.event, prepared__in=order).order_by("number"))
    if not games or any(game.state != GameState.FINISHED or not is_over(game) for game in games):
        raise Refused(_("Play the game to its end first; then return it."))
    archives = [
        (order.index(game.prepared_id or 0) + 1, export_game(game, room, now=now))
        for game in games
        for room in rooms_of(game.event)
    ]
    return make_return(opened.package_id, opened.club_number, opened.return_key, archives, format_timestamp(now))


def record_answer(*, opened: OpenedPackage, answer: str, now: datetime) -> None:
    """Record that the return was made, and what the hub answered, if it was sent."""
    OpenedPackage.objects.filter(pk=opened.pk).update(returned_at=now, answer=answer[:400])
