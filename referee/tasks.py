"""Work that nobody waits for: sheets of paper, games prepared in advance."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

from celery import Task
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from kombu.exceptions import OperationalError as BrokerAway

from referee.celery import app
from referee.pdf.making import make
from tournaments.making import make_game
from tournaments.signals import document_asked, preparing_asked

logger = logging.getLogger(__name__)
TRY_AGAIN_S = 2
MOST_TRIES = 30
# Two, so that the standings for the wall do not wait for a thousand players' own sheets.
_worker = ThreadPoolExecutor(max_workers=2, thread_name_prefix="sheets")


@app.task(name="multiplo.make_document", bind=True, max_retries=MOST_TRIES)
def make_document(self: Task, document_id: int) -> None:
    """Make one sheet that was asked for; one that a dead worker had begun is begun anew."""
    try:
        make(document_id, again=_is_again(self), patient=_is_patient(self))
    except (InterfaceError, OperationalError) as error:
        _later(self, error)


@app.task(name="multiplo.prepare_game", bind=True, max_retries=MOST_TRIES)
def prepare_game(self: Task, prepared_id: int) -> None:
    """Make one game that was ordered."""
    try:
        make_game(prepared_id)
    except (InterfaceError, OperationalError) as error:
        _later(self, error)


def _is_again(task: Task) -> bool:
    """Whether this very call was taken in hand before: by a worker that died, or while the database was away."""
    return bool(task.request.retries or (task.request.delivery_info or {}).get("redelivered"))


def _is_patient(task: Task) -> bool:
    """Whether the database may be waited for: in a worker, up to the last try."""
    return not task.request.is_eager and task.request.retries < MOST_TRIES


def _later(task: Task, error: Exception) -> None:
    """The database is out of reach: a worker tries again in a while."""
    connection.close()
    if not _is_patient(task):
        raise error
    raise task.retry(exc=error, countdown=TRY_AGAIN_S)


def listen() -> None:
    """Have sheets and games made as they are asked for. Once a process."""
    document_asked.connect(_dispatch_sheet, dispatch_uid="referee.tasks.sheets")
    preparing_asked.connect(_dispatch_game, dispatch_uid="referee.tasks.games")


def _dispatch_sheet(document_id: int, **_facts: object) -> None:
    _dispatch(make_document, document_id)


def _dispatch_game(prepared_id: int, **_facts: object) -> None:
    _dispatch(prepare_game, prepared_id)


def _dispatch(task: Task, number: int) -> None:
    """To a Celery worker where there is Redis, else, or while it is away, to a thread of this process."""
    if settings.CELERY_TASK_ALWAYS_EAGER or not _sent(task, number):
        _worker.submit(_in_thread, task, number)


def _sent(task: Task, number: int) -> bool:
    try:
        task.delay(number)
    except BrokerAway as error:
        logger.error("no worker can be reached, so this process does it: %r", error)
        return False
    return True


def _in_thread(task: Task, number: int) -> None:
    try:
        task.apply(args=[number])
    finally:
        connection.close()
