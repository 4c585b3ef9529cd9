"""Requests of a club to the hub of a simultaneous game: fetch the package, send the return."""

from __future__ import annotations

import json
from http import HTTPStatus

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from referee.outgoing.http_request import Answer, Undelivered, send_request
from tournaments.errors import Refused
from tournaments.publishing.webhook_targets import read_target

TIMEOUT_S = 30.0
LARGEST_PACKAGE = 30_000_000
LONGEST_ANSWER = 20_000


def fetch_package(url: str) -> str:
    """Return the text of the package at this address. Raises Refused with the remedy."""
    answer = _ask("GET", url, b"", LARGEST_PACKAGE)
    if answer.status != HTTPStatus.OK:
        raise Refused(
            _("The hub gave no package (status %(status)d): compare the link, or ask the organiser for the file.")
            % {"status": answer.status}
        )
    try:
        return answer.body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(_("There is no package at this link: compare it with what the organiser sent.")) from None


def send_return(url: str, content: bytes) -> str:
    """Send the return of a club and give the hub's sentence. Raises Refused if the hub did not take the file."""
    answer = _ask("POST", url, content, LONGEST_ANSWER)
    try:
        told = json.loads(answer.body)
        sentence, is_kept = str(told["sentence"]), told["kept"] is True
    except (ValueError, KeyError, TypeError):
        raise Refused(
            _("The hub gave no answer (status %(status)d): save the return as a file and send it to the organiser.")
            % {"status": answer.status}
        ) from None
    if not is_kept:
        raise Refused(sentence)
    return sentence


def _ask(method: str, url: str, body: bytes, longest: int) -> Answer:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Accept-Language": get_language() or "en",
        "User-Agent": "Multiplo",
        "Connection": "close",
    }
    target = read_target(url)
    try:
        return send_request(method, target, body, headers, timeout_s=TIMEOUT_S, longest=longest)
    except Undelivered:
        raise Refused(
            _("%(host)s cannot be reached from here: use the file instead, or try again later.") % {"host": target.host}
        ) from None
