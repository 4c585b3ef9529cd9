"""Work that nobody waits for: sheets of paper."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.db import connection

from referee.celery import app
from referee.pdf.making import make
from tournaments.signals import document_asked

_worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sheets")


@app.task(name="multiplo.make_document")
def make_document(document_id: int) -> None:
    """Make one sheet that was asked for."""
    make(document_id)


def listen() -> None:
    """Have sheets made as they are asked for. Once a process."""
    document_asked.connect(_dispatch, dispatch_uid="referee.tasks")


def _dispatch(document_id: int, **_facts: object) -> None:
    """To a Celery worker where there is Redis, else to a thread of this process."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        _worker.submit(_in_thread, document_id)
    else:
        make_document.delay(document_id)


def _in_thread(document_id: int) -> None:
    try:
        make_document.apply(args=[document_id])
    finally:
        connection.close()
