"""Settings for both ways to run. Without any environment variable everything is embedded: SQLite, no Redis."""

from __future__ import annotations

import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from tzlocal import get_localzone_name

from referee import databases
from referee.security import transport
from referee.security.headers import file_headers

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.FileAwareEnv()

DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
DEBUG = False
# Where backups go, for example a USB stick; without it into the data folder (docs/operating.md).
BACKUP_DIR: str = env.str("BACKUP_DIR", default="")
REDIS_URL: str = env.str("REDIS_URL", default="")
EMBEDDED = not REDIS_URL


def _secret_key() -> str:
    """The key from the environment, else the one that set-up left in the data folder."""
    if key := env.str("SECRET_KEY", default=""):
        return str(key)
    kept = DATA_DIR / "secret_key"
    return kept.read_text().strip() if kept.exists() else secrets.token_urlsafe(48)


SECRET_KEY = _secret_key()
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
# Where phones find this server, when a browser on the same machine calls it by another name.
PUBLIC_URL: str = env.str("PUBLIC_URL", default="")
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "referee.apps.StaticConfig",
    "channels",
    "csp",
    "axes",
    "django_htmx",
    "tournaments.apps.TournamentsConfig",
    "referee.apps.RefereeConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "referee.security.headers.page_headers",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "referee.outages.OutagePage",
]

ROOT_URLCONF = "referee.urls"
ASGI_APPLICATION = "referee.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "referee.desk.access.which_desk",
            ],
        },
    }
]


DATABASE_URL: str = env.str("DATABASE_URL", default="")
DATABASES = {
    "default": databases.server(DATABASE_URL) if DATABASE_URL else databases.sqlite(DATA_DIR / "multiplo.sqlite3")
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    if EMBEDDED
    else {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": None, "max_connections": 1000}]},
    }
}

CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_TASK_ALWAYS_EAGER = EMBEDDED
CELERY_TASK_EAGER_PROPAGATES = True
CELERY_TASK_ACKS_LATE = True
# What a worker had in hand when it died comes again after so many seconds; no task takes as long.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 150}
CELERY_TIMEZONE = "UTC"

# For how many days after an event the names of its players are kept, where the event says nothing else; 0 is for good.
RETENTION_DAYS: int = env.int("RETENTION_DAYS", default=0)

LANGUAGE_CODE = "en"
# Each by its own name: whoever looks for his language reads that one.
LANGUAGES = [
    ("en", "English"),
    ("it", "Italiano"),
    ("ca", "Català"),
    ("fr", "Français"),
    ("es", "Español"),
    ("de", "Deutsch"),
    ("ro", "Română"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = ["referee.formats"]
USE_TZ = True
TIME_ZONE = env.str("TZ", default="") or get_localzone_name()

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"  # not in the data folder, which is closed to other users
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "referee.static_storage.HashedStaticFiles"},
}
SERVESTATIC_USE_FINDERS = True  # a file that is not collected yet is served all the same
SERVESTATIC_USE_MANIFEST = True
SERVESTATIC_USE_STATIC_ROOT = False
SERVESTATIC_ADD_HEADERS_FUNCTION = file_headers

PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 10}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
LOGIN_URL = "desk:locked"
# Tries of a password, counted by user name and device together: a hall behind one address is never locked out.
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = timedelta(minutes=10)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "referee.security.attempts.device_of"
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = None  # browsers ignore it on plain http and complain in the console
OWN_CA = False  # `serve --tls-ca` switches the page /ca/ on
# Reached by https: by `serve --tls`, which sets this itself, or through a proxy in front (docs/operating.md).
HTTPS: bool = env.bool("HTTPS", default=False)
SILENCED_SYSTEM_CHECKS = [] if HTTPS else list(transport.PLAIN_HTTP)
if HTTPS:
    hsts_s: int = env.int("HSTS_SECONDS", default=transport.A_MONTH_S)
    globals().update(transport.https_settings(hsts_s=hsts_s, for_the_world=True))
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "object-src": [NONE],
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "referee.security.log_lines.OneLine",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "axes": {"level": "ERROR"},  # referee.security.attempts logs what fails, without addresses
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # anybody could fill the log
    },
}
