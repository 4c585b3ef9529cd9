"""Style sheets and scripts without comments and spaces.

The two packages exist as built packages for Linux only (docs/packages.md): elsewhere the text stays as it is.
"""

from __future__ import annotations

try:
    from rcssmin import cssmin
    from rjsmin import jsmin
except ImportError:

    def cssmin(style: str) -> str:
        """Return the style sheet as it is."""
        return style

    def jsmin(script: str) -> str:
        """Return the script as it is."""
        return script


__all__ = ["cssmin", "jsmin"]
