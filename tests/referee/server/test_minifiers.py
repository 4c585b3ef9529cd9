"""Style sheets mean the same without their comments and spaces."""

from __future__ import annotations

import re
from pathlib import Path

from referee.server.minifiers import cssmin

STATIC = Path(__file__).parents[3] / "referee" / "static"
OF_A_DESCENDANT = re.compile(r"(?<=[\w*)\]]) ::?[a-z-]+")


def test_a_pseudo_class_of_a_descendant_stays_one() -> None:
    """rcssmin drops the space before it within rules that it does not know, such as @container."""
    for path in STATIC.rglob("*.css"):
        source = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        minified = OF_A_DESCENDANT.findall(cssmin(source))
        assert minified == OF_A_DESCENDANT.findall(source), path.name
