"""Access to the API: it does not exist without a valid token, and each token has a rate limit."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver
from ninja.security import HttpBearer

from referee.security import failure_throttle
from referee.security.token_bucket import Rate, Throttle
from tournaments.now import utc_now
from tournaments.players.queries.players import hash_of
from tournaments.publishing.queries.api_tokens import ActiveToken, load_active_tokens
from tournaments.publishing.services.api_tokens import record_use

REQUESTS_OF_A_TOKEN = Rate(per_second=60, burst=200)
TOKENS_CHECK_S = 1.0
View = Callable[..., HttpResponseBase]


class TokenCache:
    """The valid tokens, read once a second at most."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tokens: dict[str, ActiveToken] = {}
        self._read_at = -math.inf
        self._lock = threading.Lock()

    def current(self) -> dict[str, ActiveToken]:
        """Return the valid tokens by their hash."""
        with self._lock:
            if self._clock() - self._read_at >= TOKENS_CHECK_S:
                self._tokens, self._read_at = load_active_tokens(), self._clock()
            return self._tokens

    def forget(self) -> None:
        """Read the tokens again at the next request."""
        with self._lock:
            self._read_at = -math.inf


valid_tokens = TokenCache()
_requests = Throttle(REQUESTS_OF_A_TOKEN)


class BearerToken(HttpBearer):
    """The token in the header `Authorization: Bearer …`, for the OpenAPI document; `guard` has checked it before."""

    def authenticate(self, request: HttpRequest, token: str) -> bool:
        """Accept the request."""
        return True


def guard(patterns: Iterable[URLPattern | URLResolver]) -> list[URLPattern]:
    """Return the patterns with views that answer valid tokens only, without the empty page at the root."""
    return [
        URLPattern(each.pattern, _guarded(each.callback), each.default_args, each.name)
        for each in patterns
        if isinstance(each, URLPattern) and each.name != "api-root"
    ]


def reset_requests() -> None:
    """Forget the tokens and their numbers of requests."""
    valid_tokens.forget()
    _requests.forget()


def _guarded(view: View) -> View:
    @wraps(view)
    def for_tokens(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        tokens = valid_tokens.current()
        if not tokens:
            raise Http404
        token = tokens.get(hash_of(_token_of(request)))
        if token is None:
            failure_throttle.count_failed_request(request)
            return _fault(401, "This needs a valid token: send the header Authorization: Bearer TOKEN.")
        if wait_s := _requests.take(str(token.pk)):
            return _too_many(wait_s)
        _note_use(token)
        return view(request, *args, **kwargs)

    return for_tokens


def _token_of(request: HttpRequest) -> str:
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _note_use(token: ActiveToken) -> None:
    """Store the day of the use, once a day."""
    today = utc_now().date()
    if token.last_used_on != today:
        record_use(pk=token.pk, today=today)
        valid_tokens.forget()


def _too_many(wait_s: float) -> HttpResponse:
    answer = _fault(429, "This token asks too often: wait as many seconds as the header Retry-After says.")
    answer["Retry-After"] = str(math.ceil(wait_s))
    return answer


def _fault(status: int, sentence: str) -> HttpResponse:
    answer = JsonResponse({"detail": sentence}, status=status)
    if status == 401:
        answer["WWW-Authenticate"] = "Bearer"
    return answer
