"""Settings that differ between https and plain http.

Used by the settings (variable HTTPS) and, once they are loaded, by `serve --tls`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

A_MONTH_S = 30 * 24 * 3600

# Django's deployment checks that plain http in a hall cannot meet; the reasons are in docs/operating.md too.
PLAIN_HTTP: Mapping[str, str] = {
    "security.W004": "HSTS would tell phones to use https, which this server does not speak",
    "security.W008": "there is no https to redirect to",
    "security.W012": "a session cookie that is for https only would never come back, so nobody could log in",
    "security.W016": "the same of the cookie that protects forms",
}


def https_settings(*, hsts_s: int, for_the_world: bool) -> dict[str, Any]:
    """Return the settings of a server that is reached by https. Use `hsts_s` 0 for a temporary certificate.

    `for_the_world` is true for a server with its own name on the internet, whose whole domain may be declared https.
    """
    return {
        "HTTPS": True,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_CROSS_ORIGIN_OPENER_POLICY": "same-origin",
        "SECURE_HSTS_SECONDS": hsts_s,
        "SECURE_HSTS_INCLUDE_SUBDOMAINS": for_the_world,
        "SECURE_HSTS_PRELOAD": for_the_world,
    }
