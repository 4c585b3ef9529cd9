"""Requests to any address, by any role and in any phase, never cause a 500, a traceback or more than one log line."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import transaction

from tests.fuzz.event import PHASES, FuzzedEvent, forget_limits, make_event, uploads
from tests.fuzz.fuzzing import SECONDS, Fault, FuzzRun, quiet_log
from tests.fuzz.mutations import Mutator
from tests.fuzz.requests import Form, forms_of, make_request, path_of, routes

pytestmark = [pytest.mark.endurance, pytest.mark.timeout(SECONDS + 1_200)]
STEPS_OF_AN_EVENT = 300
ASYNC = ("play/state.json", "play/slip")  # answered by other threads: tests/fuzz/test_live.py


@pytest.mark.django_db
def test_no_request_ends_in_a_fault() -> None:
    files, made = uploads(), dict[int, tuple[FuzzedEvent, dict[str, list[Form]]]]()

    def step(number: int, random: Mutator) -> None:
        age = number // STEPS_OF_AN_EVENT
        if age not in made:
            made.clear()
            made[age] = _fresh_event(age)
        event, forms = made[age]
        role = random.choice(list(event.clients))
        asked = make_request(random, event.known, forms[role], files)
        if asked.path.partition("?")[0].strip("/") in ASYNC:
            return
        forget_limits()
        with quiet_log(lambda: f"{role}: {asked}"), transaction.atomic():
            try:
                answer: Any = asked.send(event.clients[role])
                _read(answer)
            finally:
                transaction.set_rollback(True)
        if answer.status_code >= 500:
            raise Fault(f"{answer.status_code} for {role}: {asked}")

    FuzzRun("pages", 0.4).run(step)


def _fresh_event(age: int) -> tuple[FuzzedEvent, dict[str, list[Form]]]:
    """Create an event in a phase derived from its number; return it with the forms and links of all roles' pages."""
    transaction.set_rollback(False)
    event = make_event(PHASES[age % len(PHASES)])
    forms: dict[str, list[Form]] = {}
    random = Mutator(f"pages {age}")
    for role, client in event.clients.items():
        found: dict[Form, None] = {}
        for route in routes():
            if route in ASYNC or "<slug:action>" in route:
                continue
            path = path_of(random, route, event.known, 1.0)
            forget_limits()
            with transaction.atomic():
                answer: Any = client.get(path)
                transaction.set_rollback(True)
            if answer.status_code == 200 and "html" in answer.headers.get("Content-Type", ""):
                found.update((_hashable(form), None) for form in forms_of(answer.content.decode(), path))
        forms[role] = list(found)
    return event, forms


def _hashable(form: Form) -> Form:
    return Form(form.method, form.address, tuple(form.fields), form.has_file)


def _read(answer: Any) -> None:
    """Read the whole answer; a file that is streamed may come from an asynchronous iterator."""

    async def read_async() -> bytes:
        return b"".join([part async for part in answer.streaming_content])

    if answer.streaming and answer.is_async:
        async_to_sync(read_async)()
    else:
        _ = b"".join(answer.streaming_content) if answer.streaming else answer.content
