"""The line from a room on its own server to the drawing server: asked every two seconds, and told what was played."""

from __future__ import annotations

import gzip
import http.client
import logging
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any

from django.utils import translation
from django.utils.translation import gettext as _

from engine.bounded_input import read_json
from tournaments.errors import Refused
from tournaments.feed_seal import Unopenable, unkept
from tournaments.models import FollowedFeed, Game
from tournaments.selectors.handing_in import hand_in_of
from tournaments.selectors.lines import is_to_hand_in, lines_to_ask
from tournaments.services import outposts

EVERY_S = 2.0
PATIENCE_S = 3.0
PATIENCE_WITH_A_HAND_IN_S = 20.0
_log = logging.getLogger(__name__)


class NoAnswer(Exception):
    """The drawing server did not answer as it should; `sentence` is for the desk."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Answered:
    """`text` is None when nothing is new."""

    text: str | None
    etag: str


def ask_all(clock: Callable[[], datetime]) -> None:
    """Ask every drawing server that a game here follows, and hand in what it does not have; of several processes one
    does. What goes wrong is shown at the desk."""
    for line in lines_to_ask(clock()):
        if outposts.lease(line=line, now=clock()):
            game = Game.objects.select_related("event").get(feed=line)
            with translation.override(game.event.language):
                _ask(line, game, clock)


def fetch(address: str, etag: str = "") -> Answered:
    """The feed at this address; `NoAnswer` with a sentence."""
    headers = {"If-None-Match": etag} if etag else {}
    status, text, found = _request(address, None, headers, PATIENCE_S)
    if status == http.client.NOT_MODIFIED:
        return Answered(None, etag)
    if status != http.client.OK:
        raise NoAnswer(_sentence_of(status, text))
    return Answered(text, found)


def _ask(line: FollowedFeed, game: Game, clock: Callable[[], datetime]) -> None:
    try:
        address = unkept(line.link)
        answered = fetch(address, line.etag)
        outposts.heard(line=line, now=clock(), text=answered.text, etag=answered.etag)
    except Unopenable:
        why = _("The secret link was kept on another computer: paste it again on the page “Line”.")
        outposts.not_heard(line=line, why=why, now=clock())
        return
    except (NoAnswer, Refused) as fault:
        outposts.not_heard(line=line, why=fault.sentence, now=clock())
        outposts.take_over_due(line=line, now=clock())
    else:
        _go_on(line, game, clock)


def _go_on(line: FollowedFeed, game: Game, clock: Callable[[], datetime]) -> None:
    """With a line: what came counts at once where it may, and what was played is handed in."""
    outposts.take_over_due(line=line, now=clock())
    fresh = FollowedFeed.objects.get(pk=line.pk)
    if is_to_hand_in(game, fresh, clock()):
        hand_in(fresh, game, clock)


def hand_in(line: FollowedFeed, game: Game, clock: Callable[[], datetime]) -> None:
    """Send what was played so far, and remember what became of it."""
    entries = game.ledger.count()
    body = gzip.compress(hand_in_of(game).encode(), compresslevel=6)
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    try:
        status, text, _etag = _request(unkept(line.link) + "results", body, headers, PATIENCE_WITH_A_HAND_IN_S)
        if status != http.client.OK:
            raise NoAnswer(_sentence_of(status, text))
        again = bool(read_json(text)["again"])
    except NoAnswer as fault:
        outposts.not_handed_in(line=line, why=fault.sentence, now=clock())
    except (ValueError, KeyError, TypeError):
        outposts.not_handed_in(line=line, why=_("This is no drawing server."), now=clock())
    else:
        outposts.handed_in(line=line, entries=entries, again=again, now=clock())


def _request(address: str, body: bytes | None, headers: dict[str, str], seconds: float) -> tuple[int, str, str]:
    """(status, text, ETag); whatever the status."""
    request = urllib.request.Request(address, data=body, headers=headers)  # noqa: S310  http or https: read_link
    try:
        with _opener().open(request, timeout=seconds) as response:
            return response.status, _read(response), response.headers.get("ETag", "")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, _read(error), ""
    except (OSError, http.client.HTTPException) as error:
        _log.info("no answer from a drawing server: %r", error)
        raise NoAnswer(_("The drawing server does not answer.")) from None


def _read(response: IO[bytes]) -> str:
    text = response.read(outposts.LARGEST_FEED + 1)
    return text.decode("utf-8", "replace")


class _Stay(urllib.request.HTTPRedirectHandler):
    """Nobody leads this line anywhere else."""

    def redirect_request(self, *_arguments: Any) -> None:
        """Do not follow."""
        return


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay())


def _sentence_of(status: int, text: str) -> str:
    """What the drawing server says, else its number."""
    try:
        told = read_json(text)["sentence"]
    except (ValueError, KeyError, TypeError):
        told = None
    return str(told)[:400] if told else _("The drawing server answers with error %(number)d.") % {"number": status}
