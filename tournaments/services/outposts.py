"""A room that plays on its own server, seen from there: it takes part in another hall's game, follows its feed, and
hands in. Nothing here asks the network; referee/outpost does.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import date as calendar_date
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from engine.edition import EditionError, UnknownLetter, read_edition
from engine.feed import Feed, FeedError, MasterPart, read_feed
from engine.formulas import FormulaError, load_formula
from engine.replay.topics import TELLS
from engine.rules.profile import Profile, ProfileError
from engine.script import letters_of
from tournaments import fed, lexicons, signals, validators
from tournaments.enums import DrawMode, GameState, Role, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.feed_seal import RACK, Unopenable, kept, unkept, unseal
from tournaments.models import Event, FollowedFeed, Game, Membership, Room, Turn, WordRuling
from tournaments.position import edition_of
from tournaments.selectors.events import current_game
from tournaments.selectors.phases import current_turn
from tournaments.services.acting import acting_on, record, record_people
from tournaments.services.events import free_code
from tournaments.services.players import enter, staying
from tournaments.services.rulings import judge_anew

LARGEST_FEED = 4_000_000
LEASE = timedelta(seconds=1)
_LINK = re.compile(r"https?://[^\s/]{1,300}(/[^\s?#]{0,200})?/feed/[A-Za-z0-9_-]{22}/?")


def read_link(text: str) -> str:
    """The address of a feed as somebody pasted it; `Refused` for anything else."""
    link = text.strip()
    if not _LINK.fullmatch(link) or urlsplit(link).username:
        raise Refused(_("This is not the link of a drawing room: it ends with /feed/ and 22 signs. Copy it whole."))
    return link.rstrip("/") + "/"


def take_part(
    *, link: str, text: str, by: User, now: datetime, lexicon: str | None = None, etag: str = "", heard: bool = True
) -> Game:
    """A new event whose game follows this feed, with one room; `by` directs it.

    `link` is the address of the feed, `text` the feed as it came from there, or out of a file (`heard` False). Edition,
    rules, formula and clock are those of the drawing room. `lexicon` names a word list where its own is not here.
    """
    address, feed = read_link(link), _readable(text)
    _demand_key(feed, address)
    rules, words = _rules_of(feed), _words_for(feed, lexicon)
    with transaction.atomic():
        event = _event(feed, now)
        Room.objects.create(event=event, name=validators.room_name(feed["room"]))
        Membership.objects.create(event=event, user=by, role=Role.DIRECTOR)
        game = _game(event, feed, rules, words, _line(address, text, etag, now, heard=heard))
        _tell(game, feed, by, now)
    return game


def follow_next_game(*, event: Event, text: str, by: User, now: datetime) -> Game:
    """The next game of the drawing room, once the one here is over or given up; with the players of the last one."""
    feed = _readable(text)
    with acting_on(current_game(event)) as last:
        if last.feed_id is None:
            raise Refused(_("This event follows no other hall."))
        line = fed.line_of(last)
        _demand_key(feed, unkept(line.link))
        if feed["draw"]["commitment"] == last.commitment:
            raise AlreadyDone(_("The drawing room has no further game yet."))
        if last.state != GameState.FINISHED and line.given_up_at is None:
            raise Refused(_("End game %(number)d before the next one.") % {"number": last.number})
        following = _line(unkept(line.link), text, "", now, heard=True)
        words = _words_for(feed, last.lexicon_name)
        game = _game(event, feed, _rules_of(feed), words, following, number=last.number + 1)
        enter(game=game, players=staying(event, last), first_turn=1)
        _tell(game, feed, by, now)
    return game


def paste_link(*, game: Game, link: str, by: User | None, now: datetime) -> None:
    """Follow by another link from now on: the drawing room gave a new one, or this is another computer now, whose key
    does not open the one that was kept."""
    address = read_link(link)
    with acting_on(game) as locked:
        line = fed.line_of(locked)
        FollowedFeed.objects.filter(pk=line.pk).update(link=kept(address), etag="")
        record(game=locked, kind="feed", by=by, now=now, data={"act": "another link"})
        signals.changed(locked)


def lease(*, line: FollowedFeed, now: datetime) -> bool:
    """Whether this process may ask the drawing server now; of several one alone may."""
    mine = FollowedFeed.objects.filter(pk=line.pk).filter(Q(asked_at=None) | Q(asked_at__lte=now - LEASE))
    return mine.update(asked_at=now) == 1


def heard(*, line: FollowedFeed, now: datetime, text: str | None = None, etag: str = "") -> None:
    """The drawing server has answered, with the same feed as before (None) or with a new one."""
    game = Game.objects.select_related("event").get(feed=line)
    fresh: dict[str, Any] = {"heard_at": now, "asked_at": now, "told": ""}
    if text is not None:
        feed = _readable(text)
        if feed["draw"]["commitment"] == game.commitment:
            fresh |= {"text": text, "etag": etag}
    with acting_on(game) as locked:
        before = FollowedFeed.objects.get(pk=line.pk)
        FollowedFeed.objects.filter(pk=line.pk).update(**fresh)
        if before.told or "text" in fresh:
            signals.changed(locked)


def not_heard(*, line: FollowedFeed, why: str, now: datetime) -> None:
    """The drawing server has not answered, or not as it should; `why` is a sentence for the desk."""
    before = FollowedFeed.objects.get(pk=line.pk)
    FollowedFeed.objects.filter(pk=line.pk).update(asked_at=now, told=why[:400])
    if before.told != why[:400]:
        with acting_on(Game.objects.get(feed=line)) as game:
            signals.changed(game)


def take_over(*, turn: Turn, now: datetime) -> bool:
    """Let the drawing room's rulings count in a turn whose clock is closed, and accept the words of its move; whether
    anything changed. The caller has locked the game, or calls `take_over_due`."""
    part = fed.master_part(turn)
    if part is None:
        return False
    changed = [_rule(turn, word, ruling, reason, now) for word, ruling, reason in _rulings(turn, part)]
    if any(changed):
        judge_anew(turn.game, turn)
    return any(changed)


def take_over_due(*, line: FollowedFeed, now: datetime) -> None:
    """The same for the turn that the game of this line is at, so that nobody judges what is decided already."""
    with acting_on(Game.objects.get(feed=line)) as game:
        turn = current_turn(game)
        if turn is not None and turn.placed_at is None and game.state == GameState.RUNNING:
            turn.game = game
            take_over(turn=turn, now=now)


def handed_in(*, line: FollowedFeed, entries: int, again: bool, now: datetime) -> None:
    """So many entries of our ledger are with the drawing server; `again`: it wants the same once more later."""
    tried = FollowedFeed.objects.filter(pk=line.pk)
    tried.update(handed_in=entries, again=again, handed_in_at=now, refused="")


def not_handed_in(*, line: FollowedFeed, why: str, now: datetime) -> None:
    """The drawing server did not take it, for a reason that the desk shows; it is tried again later."""
    FollowedFeed.objects.filter(pk=line.pk).update(refused=why[:400], handed_in_at=now)


def end_here(*, game: Game, by: User | None, now: datetime) -> None:
    """Play no further: what was played is handed in for good, and the drawing room waits for nothing more."""
    with acting_on(game) as locked:
        if locked.feed_id is None:
            raise Refused(_("This event follows no other hall."))
        if not FollowedFeed.objects.filter(pk=locked.feed_id, given_up_at=None).update(given_up_at=now):
            raise AlreadyDone(_("This room has ended already."))
        record(game=locked, kind="feed", by=by, now=now, data={"act": "ended here"})
        signals.changed(locked)


def _readable(text: str) -> Feed:
    if len(text) > LARGEST_FEED:
        raise Refused(_("This feed is too large to be one."))
    try:
        return read_feed(text)
    except FeedError as error:
        raise Refused(_("This file cannot be used. %(why)s") % {"why": error}) from None


def _demand_key(feed: Feed, link: str) -> None:
    """The link opens what is sealed in the feed."""
    token = link.rstrip("/").rpartition("/")[2]
    for turn in feed["turns"][:1]:
        try:
            unseal(token, RACK, turn["number"], turn["rack"])
        except Unopenable:
            raise Refused(
                _("What came from the drawing room cannot be opened with this link: ask for the link again.")
            ) from None


def _rules_of(feed: Feed) -> Profile:
    try:
        read_edition(feed["edition"], feed["edition_file"])
        load_formula(feed["formula"])
        return Profile.from_switches(feed["profile"])
    except (EditionError, FormulaError, ProfileError) as error:
        raise Refused(_("This file cannot be used. %(why)s") % {"why": error}) from None


def _words_for(feed: Feed, name: str | None) -> lexicons.LexiconFile:
    """The very list of the drawing room, or its two, by the checksum; else the one named, else the edition's."""
    edition = read_edition(feed["edition"], feed["edition_file"])
    with suppress(Refused):
        return lexicons.of_game(_as_game(feed))
    listed = lexicons.fitting(edition)
    for entry in (*(entry for entry in listed if entry.name == name), *listed):
        return entry
    raise Refused(lexicons.missing(edition))


def _as_game(feed: Feed) -> Game:
    """A game, not stored, with the edition, rules and word list of the drawing room."""
    words = feed["lexicon"]
    return Game(
        edition=feed["edition"],
        edition_toml=feed["edition_file"],
        switches=feed["profile"],
        lexicon_name=words["name"],
        lexicon_sha256=words["sha256"],
        lexicon_parts=words.get("parts", []),
    )


def _event(feed: Feed, now: datetime) -> Event:
    told = feed["event"]
    try:
        day = calendar_date.fromisoformat(told["date"])
    except ValueError:
        day = now.date()
    return Event.objects.create(
        code=free_code(),
        wall_token=secrets.token_urlsafe(32),
        name=validators.event_name(told["name"]),
        date=day,
        place=validators.place(told["place"] or ""),
        language=feed["language"] if feed["language"] in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE,
        created_at=now,
    )


def _line(address: str, text: str, etag: str, now: datetime, *, heard: bool) -> FollowedFeed:
    moment = now if heard else None
    return FollowedFeed.objects.create(link=kept(address), text=text, etag=etag, asked_at=moment, heard_at=moment)


def _game(
    event: Event, feed: Feed, rules: Profile, words: lexicons.LexiconFile, line: FollowedFeed, number: int = 1
) -> Game:
    return Game.objects.create(
        event=event,
        number=number,
        edition=feed["edition"],
        edition_toml=feed["edition_file"],
        profile=rules.name[:40],
        switches=rules.switches(),
        formula=feed["formula"],
        rhythm_s=feed["rhythm_s"],
        **lexicons.fields_of(words),
        draw_mode=DrawMode.TYPED,
        seed=b"",
        commitment=feed["draw"]["commitment"][:64],
        hall_word="",
        feed=line,
    )


def _tell(game: Game, feed: Feed, by: User, now: datetime) -> None:
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
        "draw": str(game.draw_mode),
        "commitment": game.commitment,
        "follows": {"room": feed["room"], "game": feed["game"], "lexicon": feed["lexicon"]["sha256"]},
        "players": list(game.entries.order_by("player__table").values_list("player__table", flat=True)),
    }
    record(game=game, kind="created", by=by, now=now, data=facts)
    record_people(game, by=by, now=now)
    signals.changed(game)


def _rulings(turn: Turn, part: MasterPart) -> Iterator[tuple[str, str, str]]:
    """(word, ruling, reason) of all that counts in the drawing room from this turn on and not here."""
    edition = edition_of(turn.game)
    for word in part["accepted"]:
        yield word["word"], Ruling.ACCEPTED, word["reason"] or ""
    for word in part["struck"]:
        yield word["word"], Ruling.STRUCK, word["reason"] or ""
    chosen = fed.master(turn)
    struck = {word["word"] for word in part["struck"]}
    for codes in fed.words_of(turn, chosen.move) if chosen else ():
        text = edition.word_text(letters_of(codes))
        if text not in struck:
            yield text, Ruling.ACCEPTED, _("laid by the drawing room")


def _rule(turn: Turn, word: str, ruling: str, reason: str, now: datetime) -> bool:
    """Write a ruling of the drawing room down unless it counts so already; its word wins over ours."""
    words = lexicons.open_lexicon(turn.game, turn.number)
    try:
        counts = edition_of(turn.game).parse_word(word) in words
    except UnknownLetter:
        return False  # no player can write it
    if counts == (ruling == Ruling.ACCEPTED):
        return False
    standing = WordRuling.objects.filter(game=turn.game, word=word, from_turn=turn.number, revoked_at=None)
    standing.update(revoked_at=now)
    WordRuling.objects.create(
        event_id=turn.game.event_id,
        game=turn.game,
        word=word[:60],
        ruling=ruling,
        from_turn=turn.number,
        reason=validators.one_line(reason)[: validators.REASON_LENGTH],
        by=None,
        at=now,
    )
    ruled = {"word": word, "ruling": str(ruling), "turn": turn.number, "reason": reason}
    record(game=turn.game, kind="word_ruling", by=None, now=now, data=ruled)
    return True
