"""Thread of a server process that queues messages after each change and has them sent. No game waits for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.db import connection

from tournaments.now import utc_now
from tournaments.publishing.services.webhooks import queue_messages

logger = logging.getLogger(__name__)
LOOK_S = 15.0
PAUSE_S = 0.5
Dispatch = Callable[[Callable[[], bool]], None]


class SenderThread:
    """Looks for messages at the start, when woken and every 15 seconds. `dispatch` has the waiting ones sent.

    The end of the program does not wait for it: a webhook that was being sent is sent again after the next start.
    """

    def __init__(self, dispatch: Dispatch) -> None:
        self._dispatch = dispatch
        self._woken = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="multiplo-messages", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """Look for messages now; callable from any thread."""
        self._woken.set()

    def stop(self) -> None:
        """Let the thread end after the message that is being sent."""
        self._stopped.set()
        self._woken.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._woken.wait(LOOK_S)
            self._woken.clear()
            if self._stopped.is_set():
                return
            try:
                queue_messages(now=utc_now())
                self._dispatch(self._stopped.is_set)
            except Exception as error:
                logger.error("messages could not be sent, which is tried again: %r", error)
            finally:
                connection.close()
            self._stopped.wait(PAUSE_S)
