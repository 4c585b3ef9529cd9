"""Background tasks as a Celery worker runs them; installed with the extra `federation` only."""

from __future__ import annotations

from celery import Task
from django.db import InterfaceError, OperationalError, connection

from referee.celery import app
from referee.outgoing.delivery import send_waiting_messages
from referee.pdf.make_document import make_stored_document
from referee.website.publish import run_website
from tournaments.lexicons.list_builds import run_build
from tournaments.prepared.make_game import make_game
from tournaments.simultaneous.services.returns import judge_return as judge_club_return

TRY_AGAIN_S = 2
MOST_TRIES = 30


@app.task(name="multiplo.make_document", bind=True, max_retries=MOST_TRIES)
def make_document(self: Task, document_id: int) -> None:
    """Make a requested document. The web processes queue it again if a worker ends while making it."""
    try:
        make_stored_document(document_id, again=self.request.retries > 0, patient=_has_tries_left(self))
    except (InterfaceError, OperationalError) as error:
        _retry_later(self, error)


@app.task(name="multiplo.prepare_game", bind=True, max_retries=MOST_TRIES)
def prepare_game(self: Task, prepared_id: int) -> None:
    """Make a requested prepared game."""
    try:
        make_game(prepared_id)
    except (InterfaceError, OperationalError) as error:
        _retry_later(self, error)


@app.task(name="multiplo.judge_return", bind=True, max_retries=MOST_TRIES)
def judge_return(self: Task, return_id: int) -> None:
    """Judge the return of a club again."""
    try:
        judge_club_return(return_id)
    except (InterfaceError, OperationalError) as error:
        _retry_later(self, error)


@app.task(name="multiplo.build_word_list")
def build_word_list(token: str) -> None:
    """Build a requested word list; a task that is delivered twice finds that it is under way."""
    run_build(token)


@app.task(name="multiplo.write_website")
def write_website(run_id: int) -> None:
    """Write the club's website; a task that is delivered twice finds that the run is claimed."""
    run_website(run_id)


@app.task(name="multiplo.send_messages")
def send_messages() -> None:
    """Send the waiting messages."""
    send_waiting_messages()


def _has_tries_left(task: Task) -> bool:
    """Tell if the task may wait for the database, until the last try."""
    return bool(task.request.retries < MOST_TRIES)


def _retry_later(task: Task, error: Exception) -> None:
    """Retry later, as the database is not available."""
    connection.close()
    if not _has_tries_left(task):
        raise error
    raise task.retry(exc=error, countdown=TRY_AGAIN_S)
