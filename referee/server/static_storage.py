"""Static files with a hash in their names, so that browsers cache them until they change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from servestatic.storage import CompressedManifestStaticFilesStorage

from referee.server.bundles import SCRIPTS, STYLES, make_bundle
from referee.server.minifiers import cssmin, jsmin

MINIFIERS: dict[str, Callable[[str], str]] = {".css": cssmin, ".js": jsmin}


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Storage with hashed names, also in imports of ES modules; files that are not collected keep their names.

    Comments and spaces of scripts and styles are left out, and what imports others is bundled with it.
    """

    support_js_module_import_aggregation = True

    def stored_name(self, name: str) -> str:
        """Return the hashed name of a file, or its own."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name

    def post_process(self, paths: dict[str, tuple[Storage, str]], **options: Any) -> Iterator[Any]:
        """Hash and compress the collected files, with the bundles in place of what imports others."""
        bundles = InMemoryStorage()
        for name in (*SCRIPTS, *STYLES):
            if name in paths:
                bundles.save(name, ContentFile(make_bundle(name, _source).encode()))
                paths[name] = (bundles, name)
        yield from super().post_process(paths, **options)

    def _save(self, name: str, content: File[Any]) -> str:
        """Store a file, without the comments and spaces of a script or a style sheet."""
        minify = MINIFIERS.get(PurePosixPath(name).suffix)
        if minify is not None:
            with content.open("rb") as source:
                content = ContentFile(minify(source.read().decode()).encode())
        return str(super()._save(name, content))


def _source(name: str) -> str:
    """Return the text of a static file as it is in the sources."""
    path = finders.find(name)
    if path is None:
        raise ImproperlyConfigured(f"There is no static file {name}.")
    return Path(path).read_text(encoding="utf-8")
