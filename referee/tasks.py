"""Background tasks: documents, prepared games, word lists, the club's website and messages to programs and members."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from celery import Task
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from kombu.exceptions import OperationalError as BrokerAway

from referee.celery import app
from referee.outgoing.delivery import has_waiting_messages, send_waiting_messages
from referee.pdf.make_document import make_stored_document
from referee.website.publish import run_website
from tournaments.lexicons.list_builds import run_build
from tournaments.prepared.make_game import make_game
from tournaments.signals import (
    document_requested,
    list_build_requested,
    preparation_requested,
    website_requested,
)

logger = logging.getLogger(__name__)
TRY_AGAIN_S = 2
MOST_TRIES = 30
# Two threads, so that standings do not wait for a thousand players' sheets.
_worker = ThreadPoolExecutor(max_workers=2, thread_name_prefix="sheets")


@app.task(name="multiplo.make_document", bind=True, max_retries=MOST_TRIES)
def make_document(self: Task, document_id: int) -> None:
    """Make a requested document; start again if a worker died while making it."""
    try:
        make_stored_document(document_id, again=_is_redelivered(self), patient=_has_tries_left(self))
    except (InterfaceError, OperationalError) as error:
        _retry_later(self, error)


@app.task(name="multiplo.prepare_game", bind=True, max_retries=MOST_TRIES)
def prepare_game(self: Task, prepared_id: int) -> None:
    """Make a requested prepared game."""
    try:
        make_game(prepared_id)
    except (InterfaceError, OperationalError) as error:
        _retry_later(self, error)


@app.task(name="multiplo.build_word_list", bind=True)
def build_word_list(self: Task, token: str) -> None:
    """Build a requested word list; a task that is delivered twice finds that it is under way."""
    run_build(token)


@app.task(name="multiplo.write_website", bind=True)
def write_website(self: Task, run_id: int) -> None:
    """Write the club's website; a task that is delivered twice finds that the run is claimed."""
    run_website(run_id)


@app.task(name="multiplo.send_messages")
def send_messages() -> None:
    """Send the waiting messages."""
    send_waiting_messages()


def dispatch_messages(is_stopped: Callable[[], bool]) -> None:
    """Have a Celery worker send the waiting messages; without Redis, send them in this thread until `is_stopped`."""
    if not has_waiting_messages():
        return
    if settings.CELERY_TASK_ALWAYS_EAGER or not _sent(send_messages):
        send_waiting_messages(is_stopped)


def _is_redelivered(task: Task) -> bool:
    """Tell if this task ran before: in a worker that died, or while the database was not available."""
    return bool(task.request.retries or (task.request.delivery_info or {}).get("redelivered"))


def _has_tries_left(task: Task) -> bool:
    """Tell if the task may wait for the database: only in a worker, until the last try."""
    return not task.request.is_eager and task.request.retries < MOST_TRIES


def _retry_later(task: Task, error: Exception) -> None:
    """Retry later in a worker, as the database is not available."""
    connection.close()
    if not _has_tries_left(task):
        raise error
    raise task.retry(exc=error, countdown=TRY_AGAIN_S)


def connect_signals() -> None:
    """Start tasks for requested documents and games. Called once in a process."""
    document_requested.connect(_dispatch_sheet, dispatch_uid="referee.tasks.sheets")
    preparation_requested.connect(_dispatch_game, dispatch_uid="referee.tasks.games")
    list_build_requested.connect(_dispatch_list, dispatch_uid="referee.tasks.lists")
    website_requested.connect(_dispatch_website, dispatch_uid="referee.tasks.website")


def _dispatch_sheet(document_id: int, **_facts: object) -> None:
    _dispatch(make_document, document_id)


def _dispatch_game(prepared_id: int, **_facts: object) -> None:
    _dispatch(prepare_game, prepared_id)


def _dispatch_list(token: str, **_facts: object) -> None:
    _dispatch_long(build_word_list, token)


def _dispatch_website(run_id: int, **_facts: object) -> None:
    _dispatch_long(write_website, run_id)


def _dispatch_long(task: Task, argument: int | str) -> None:
    """Send a task of some minutes to a Celery worker, or to a thread of its own, for which the end of the program does
    not wait."""
    if settings.CELERY_TASK_ALWAYS_EAGER or not _sent(task, argument):
        threading.Thread(target=_in_thread, args=(task, argument), name=task.name, daemon=True).start()


def _dispatch(task: Task, number: int) -> None:
    """Send a task to a Celery worker, or to a thread of this process if Redis is not available."""
    if settings.CELERY_TASK_ALWAYS_EAGER or not _sent(task, number):
        _worker.submit(_in_thread, task, number)


def _sent(task: Task, *arguments: int | str) -> bool:
    try:
        task.delay(*arguments)
    except BrokerAway as error:
        logger.error("Redis is not available, so this process runs the task: %r", error)
        return False
    return True


def _in_thread(task: Task, argument: int | str) -> None:
    try:
        task.apply(args=[argument])
    finally:
        connection.close()
