from __future__ import annotations

import ast
import shutil
import subprocess

import pytest

from manage import refusal
from tests.referee.setup.conftest import BASE_PYTHON, ROOT


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13)])
def test_an_old_python_is_refused_with_the_remedy(version: tuple[int, ...]) -> None:
    sentence = refusal(version) or ""
    assert f"this is Python {version[0]}.{version[1]}" in sentence
    assert "3.11 or newer" in sentence
    assert "install a newer one" in sentence


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 13, 2), (4, 0, 0)])
def test_a_new_python_is_welcome(version: tuple[int, ...]) -> None:
    assert refusal(version) is None


def test_manage_can_be_read_by_a_python_that_it_refuses() -> None:
    ast.parse((ROOT / "manage.py").read_text(encoding="utf-8"), feature_version=(3, 7))


@pytest.mark.endurance
def test_the_old_pythons_of_this_machine_get_the_sentence_and_no_traceback() -> None:
    for minor in range(6, 11):
        python = shutil.which(f"python3.{minor}")
        if python is None or subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode:
            continue  # not here; the tests above hold the sentence itself
        line = [python, str(ROOT / "manage.py"), "serve"]
        told = subprocess.run(line, capture_output=True, encoding="utf-8", check=False)
        assert told.returncode == 2
        assert told.stderr == f"{refusal((3, minor))}\n"


def test_the_set_up_imports_the_standard_library_only() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import referee.setup.start; "
        "roots = {name.split('.')[0] for name in sys.modules}; "
        "print(*sorted(roots - set(sys.stdlib_module_names) - {'__main__'}))"
    )
    told = subprocess.run([BASE_PYTHON, "-I", "-S", "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert told.stdout.split() == ["engine", "referee"]
