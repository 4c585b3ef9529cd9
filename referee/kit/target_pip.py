"""Pip for another computer: environment markers are evaluated for the target instead of the running Python.

`pip download --platform` selects wheels of the target, but would evaluate `sys_platform == "win32"` on this computer
and leave out what only Windows needs. Run as a program: target_pip.py ENVIRONMENT_JSON PIP_ARGUMENTS.
"""

from __future__ import annotations

import json
import sys

from pip._internal.cli.main import main
from pip._vendor.packaging import markers


def run(target: dict[str, str], arguments: list[str]) -> int:
    """Run pip with the marker environment `target`. Returns pip's exit code."""
    present = markers.default_environment()
    markers.default_environment = lambda: {**present, **target}
    return main(arguments)


if __name__ == "__main__":
    sys.exit(run(json.loads(sys.argv[1]), sys.argv[2:]))
