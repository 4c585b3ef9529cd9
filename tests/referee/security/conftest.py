from __future__ import annotations

from tests.referee.live.conftest import lines, served

__all__ = ["lines", "served"]
