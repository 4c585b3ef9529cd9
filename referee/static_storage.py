"""Static files under names with a hash, so that a phone keeps them until they change."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Falls back to the plain name for a file that was not collected; ES modules find each other by hashed names."""

    manifest_strict = False
    support_js_module_import_aggregation = True
