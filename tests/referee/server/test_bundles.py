"""Bundles: each is one sound file, and everything that a template loads and that imports others has one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from referee.server.bundles import SCRIPTS, STYLES, make_bundle
from tests.js.test_modules import node  # noqa: F401  a fixture

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "referee" / "static"
SCRIPT = re.compile(r"static '([^']+[.]js)'")


def read(name: str) -> str:
    return (STATIC / name).read_text()


def test_every_script_of_a_template_that_imports_others_has_a_bundle() -> None:
    loaded = {name for page in (ROOT / "templates").rglob("*.html") for name in SCRIPT.findall(page.read_text())}
    loaded = {name for name in loaded if (STATIC / name).exists()}
    assert {name for name in loaded if re.search("^import ", read(name), re.MULTILINE)} == set(SCRIPTS)


def test_a_bundle_runs_each_script_once_and_in_order(tmp_path: Path, node: str) -> None:  # noqa: F811
    scripts = {
        "a/main.js": 'import { two, one as first } from "./b.js";\nimport { Three } from "../c.js";\n'
        "console.log(first, two(), new Three().value);\n",
        "a/b.js": 'import { Three } from "../c.js";\nexport const one = 1;\nexport function two() {\n'
        "  return new Three().value - 1;\n}\n",
        "c.js": 'console.log("once");\nexport class Three {\n  value = 3;\n}\n',
    }
    path = tmp_path / "bundle.mjs"
    path.write_text(make_bundle("a/main.js", scripts.__getitem__))
    said = subprocess.run([node, str(path)], capture_output=True, text=True, check=True)
    assert said.stdout == "once\n1 2 3\n"


def test_a_style_sheet_has_what_it_imports_in_its_place() -> None:
    sheets = {"a/main.css": '@import "b.css";\nx {}\n', "a/b.css": '@import "../c.css";\ny {}\n', "c.css": "z {}\n"}
    assert make_bundle("a/main.css", sheets.__getitem__) == "z {}\ny {}\nx {}\n"
    assert {sheet for sheet in STATIC.rglob("*.css") if "@import" in sheet.read_text()} == {STATIC / s for s in STYLES}


@pytest.mark.parametrize("entry", SCRIPTS)
def test_every_bundle_is_a_module_without_imports(entry: str, tmp_path: Path, node: str) -> None:  # noqa: F811
    path = tmp_path / "bundle.mjs"
    path.write_text(make_bundle(entry, read))
    assert re.search(r"^(import|export)\b", path.read_text(), re.MULTILINE) is None
    subprocess.run([node, "--check", str(path)], check=True)


@pytest.mark.parametrize(
    "text",
    [
        'import all from "./b.js";\n',
        "export default 1;\n",
        "export let count = 1;\n",
        'import * as all from "./b.js";\n',
        'import { a } from "./main.js";\nexport const a = 1;\n',
    ],
)
def test_what_cannot_be_bundled_is_a_fault(text: str) -> None:
    with pytest.raises(ImproperlyConfigured):
        make_bundle("main.js", lambda name: text)
