"""How long a test waits for what has to come. Only a test that fails spends it, so it may be long."""

from __future__ import annotations

PATIENCE_S = 60.0
PATIENCE_MS = 1000 * PATIENCE_S
