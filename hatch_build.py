"""Build of the package `multiplo`: its requirements, and the files beside the Python packages.

The files are put into `referee/program`, where referee/program_files.py looks for them.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PROGRAM = "referee/program"
FOLDERS = ("templates", "docs/handbook", "docs/pictures")


class Requirements(MetadataHookInterface):
    """The pins of requirements.txt as the package's dependencies, those for a federation as an extra."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the dependencies to the metadata. pip fetches the sources of word lists; uv installs none by itself."""
        root = Path(self.root)
        metadata["dependencies"] = [*read_pins(root / "requirements.txt"), "pip"]
        metadata["optional-dependencies"] = {"federation": read_pins(root / "requirements-federation.txt")}


class ProgramFiles(BuildHookInterface[Any]):
    """The templates, the compiled catalogues and the handbook as parts of the package."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues into a temporary folder and add all files."""
        root = Path(self.root)
        self._catalogues = tempfile.TemporaryDirectory(prefix="multiplo-")
        compiled = compile_catalogues(root, Path(self._catalogues.name))
        build_data["force_include"].update({str(root / path): place for path, place in program_files(root).items()})
        build_data["force_include"].update({str(path): place for path, place in compiled.items()})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        self._catalogues.cleanup()


def read_pins(requirements: Path) -> list[str]:
    """Return the requirements of a file without those that it takes from another one."""
    lines = (line.partition("#")[0].strip() for line in requirements.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if re.match(r"\w", line)]


def program_files(root: Path) -> dict[str, str]:
    """Return the files of the checkout in `root` that are not in a Python package, with their places in the wheel."""
    paths = (path for folder in FOLDERS for path in sorted((root / folder).rglob("*")) if path.is_file())
    return {(name := path.relative_to(root).as_posix()): f"{PROGRAM}/{name}" for path in paths}


def compile_catalogues(root: Path, target: Path) -> dict[Path, str]:
    """Write the compiled form of each catalogue into a folder; return the files with their places in the wheel."""
    import polib

    places = {}
    for source in sorted(root.glob("locale/*/LC_MESSAGES/*.po")):
        name = source.relative_to(root).with_suffix(".mo")
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        polib.pofile(str(source), encoding="utf-8").save_as_mofile(str(target / name))
        places[target / name] = f"{PROGRAM}/{name.as_posix()}"
    return places
