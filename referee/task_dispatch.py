"""Start of background tasks: documents, prepared games, returns of clubs, word lists, the website, messages.

With Redis a Celery worker runs them (referee.tasks), otherwise a thread of this process. Every process imports this
module at its start, so what only tasks need is imported with the first of them: it takes a second of processor time.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.db import connection

from tournaments.signals import (
    document_requested,
    list_build_requested,
    preparation_requested,
    return_received,
    website_requested,
)

logger = logging.getLogger(__name__)
# Two threads, so that standings do not wait for a thousand players' sheets.
_worker = ThreadPoolExecutor(max_workers=2, thread_name_prefix="sheets")


def connect_signals() -> None:
    """Start tasks for requested documents and games. Called once in a process."""
    document_requested.connect(_dispatch_sheet, dispatch_uid="referee.tasks.sheets")
    preparation_requested.connect(_dispatch_game, dispatch_uid="referee.tasks.games")
    list_build_requested.connect(_dispatch_list, dispatch_uid="referee.tasks.lists")
    website_requested.connect(_dispatch_website, dispatch_uid="referee.tasks.website")
    return_received.connect(_dispatch_return, dispatch_uid="referee.tasks.returns")


def judge_waiting_returns() -> None:
    """Start the tasks of the returns that were not judged before the program ended."""
    from tournaments.simultaneous.services.returns import list_waiting_returns

    for return_id in list_waiting_returns():
        _dispatch_return(return_id)


def dispatch_messages(is_stopped: Callable[[], bool]) -> None:
    """Have a Celery worker send the waiting messages; without Redis, send them in this thread until `is_stopped`."""
    from referee.outgoing.delivery import has_waiting_messages, send_waiting_messages

    if has_waiting_messages() and not _is_sent("multiplo.send_messages"):
        send_waiting_messages(is_stopped)


def _dispatch_sheet(document_id: int, **_facts: object) -> None:
    if not _is_sent("multiplo.make_document", document_id):
        from referee.pdf.make_document import make_stored_document

        _worker.submit(_run, lambda: make_stored_document(document_id))


def _dispatch_game(prepared_id: int, **_facts: object) -> None:
    if not _is_sent("multiplo.prepare_game", prepared_id):
        from tournaments.prepared.make_game import make_game

        _worker.submit(_run, lambda: make_game(prepared_id))


def _dispatch_list(token: str, **_facts: object) -> None:
    if not _is_sent("multiplo.build_word_list", token):
        from tournaments.lexicons.list_builds import run_build

        _run_in_own_thread(lambda: run_build(token))


def _dispatch_website(run_id: int, **_facts: object) -> None:
    if not _is_sent("multiplo.write_website", run_id):
        from referee.website.publish import run_website

        _run_in_own_thread(lambda: run_website(run_id))


def _dispatch_return(return_id: int, **_facts: object) -> None:
    if not _is_sent("multiplo.judge_return", return_id):
        from tournaments.simultaneous.services.returns import judge_return

        _worker.submit(_run, lambda: judge_return(return_id))


def _is_sent(task: str, *arguments: int | str) -> bool:
    """Send a task to a Celery worker; False without Redis, or if it is not available."""
    if settings.EMBEDDED:
        return False
    from kombu.exceptions import OperationalError as BrokerAway

    from referee.celery import app

    try:
        app.send_task(task, arguments)
    except BrokerAway as error:
        logger.error("Redis is not available, so this process runs the task: %r", error)
        return False
    return True


def _run_in_own_thread(task: Callable[[], None]) -> None:
    """Run a task of some minutes in a thread for which the end of the program does not wait."""
    threading.Thread(target=_run, args=(task,), daemon=True).start()


def _run(task: Callable[[], object]) -> None:
    try:
        task()
    finally:
        connection.close()
