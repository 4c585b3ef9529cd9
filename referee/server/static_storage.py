"""Static files with a hash in their names, so that browsers cache them until they change."""

from __future__ import annotations

from servestatic.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Storage with hashed names, also in imports of ES modules; files that are not collected keep their names."""

    support_js_module_import_aggregation = True

    def stored_name(self, name: str) -> str:
        """Return the hashed name of a file, or its own."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name
