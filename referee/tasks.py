"""Work that nobody waits for: sheets of paper, games prepared in advance."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from celery import Task
from django.conf import settings
from django.db import connection

from referee.celery import app
from referee.pdf.making import make
from tournaments.making import make_game
from tournaments.signals import document_asked, preparing_asked

_worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sheets")


@app.task(name="multiplo.make_document")
def make_document(document_id: int) -> None:
    """Make one sheet that was asked for."""
    make(document_id)


@app.task(name="multiplo.prepare_game")
def prepare_game(prepared_id: int) -> None:
    """Make one game that was ordered."""
    make_game(prepared_id)


def listen() -> None:
    """Have sheets and games made as they are asked for. Once a process."""
    document_asked.connect(_dispatch_sheet, dispatch_uid="referee.tasks.sheets")
    preparing_asked.connect(_dispatch_game, dispatch_uid="referee.tasks.games")


def _dispatch_sheet(document_id: int, **_facts: object) -> None:
    _dispatch(make_document, document_id)


def _dispatch_game(prepared_id: int, **_facts: object) -> None:
    _dispatch(prepare_game, prepared_id)


def _dispatch(task: Task, number: int) -> None:
    """To a Celery worker where there is Redis, else to a thread of this process."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        _worker.submit(_in_thread, task, number)
    else:
        task.delay(number)


def _in_thread(task: Task, number: int) -> None:
    try:
        task.apply(args=[number])
    finally:
        connection.close()
