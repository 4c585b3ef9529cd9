"""Who may sit at which desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from tournaments.models import Event, Game, Room

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Desk:
    """What a request at the desk is about."""

    event: Event
    game: Game
    room: Room
    user: User


def at_desk(view: Callable[Concatenate[HttpRequest, Desk, P], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Find the event by its code for a user who belongs to it; for anybody else the event does not exist."""

    @wraps(view)
    @login_required
    def with_desk(request: HttpRequest, code: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        user = request.user
        assert isinstance(user, User)  # noqa: S101  login_required let nobody else pass
        event = get_object_or_404(Event, code=code.upper(), memberships__user=user)
        desk = Desk(event=event, game=event.games.latest("number"), room=event.rooms.earliest("pk"), user=user)
        response = view(request, desk, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    return with_desk
