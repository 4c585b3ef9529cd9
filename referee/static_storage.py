"""Static files under names with a hash, so that a phone keeps them until they change."""

from __future__ import annotations

from servestatic.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """ES modules find each other by hashed names; a file that was not collected is served under its own name."""

    support_js_module_import_aggregation = True

    def stored_name(self, name: str) -> str:
        """The hashed name of a file, or its own."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name
