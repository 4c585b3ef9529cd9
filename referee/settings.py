"""Django settings. Without environment variables, one process runs with SQLite and without Redis."""

from __future__ import annotations

import os
import secrets
import sys
from datetime import timedelta
from typing import Any

from csp.constants import NONE, SELF
from tzlocal import get_localzone_name

from referee import program_files
from referee.environment import EnvironmentFault, read_environment
from referee.security import transport
from referee.security.headers import file_headers
from referee.server import databases

BASE_DIR = program_files.PACKAGES
COMMAND = program_files.COMMAND
try:
    _environment = read_environment(os.environ)
except EnvironmentFault as fault:
    sys.stderr.write(f"{fault}\n")  # an exception would hide the sentences under a traceback
    sys.exit(2)

DATA_DIR = _environment.data_dir
DEBUG = False
# Folder for backups, for example a USB stick; the data folder if empty (docs/operating.md).
BACKUP_DIR = _environment.backup_dir
REDIS_URL = _environment.redis_url
EMBEDDED = not REDIS_URL


def _stored_secret_key() -> str:
    """Return the key that set-up stored in the data folder; empty without one."""
    stored = DATA_DIR / "secret_key"
    return stored.read_text().strip() if stored.exists() else ""


_known_key = _environment.secret_key or _stored_secret_key()
SECRET_KEY_FROM_ENVIRONMENT = bool(_environment.secret_key)
# False for a command without a data folder, whose key is forgotten when it ends.
HAS_SECRET_KEY = bool(_known_key)
SECRET_KEY = _known_key or secrets.token_urlsafe(48)
ALLOWED_HOSTS = _environment.allowed_hosts
# Address that phones open, if it differs from the one in the judge's browser.
PUBLIC_URL = _environment.public_url
# Address with the name that `serve` offers in the local network (referee/server/local_name.py); empty without one.
LOCAL_NAME_URL = ""
CSRF_TRUSTED_ORIGINS = _environment.csrf_trusted_origins
# Addresses of proxies whose X-Forwarded headers uvicorn uses.
TRUSTED_PROXIES = _environment.forwarded_allow_ips

# Token of the page /metrics (referee/live/monitoring/probe_pages.py).
METRICS_TOKEN = _environment.metrics_token
# Address of a service that takes reports of errors (referee/server/error_reports.py).
SENTRY_DSN = _environment.sentry_dsn

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
    "referee.server.compression.TextGZipMiddleware",
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
    "referee.server.unavailable_page.UnavailablePage",
]

ROOT_URLCONF = "referee.urls"
ASGI_APPLICATION = "referee.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [program_files.TEMPLATES],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "referee.desk.access.desk_context",
            ],
        },
    }
]


DATABASES = {
    "default": databases.postgresql_config(_environment.database_url)
    if _environment.database_url
    else databases.sqlite_config(DATA_DIR / "multiplo.sqlite3")
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

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # a dead worker takes no waiting tasks with it
# Seconds after which a dead worker's task is delivered again. Only the build of a word list and the website may take
# longer; the second delivery finds that it is under way. Sheets are queued again by the web processes, much earlier.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 150, "socket_timeout": 3, "socket_connect_timeout": 3}
CELERY_TASK_PUBLISH_RETRY = False  # without Redis the web process runs the task
CELERY_TIMEZONE = "UTC"

# Mail server for results to members who asked for them (docs/operating.md).
MAIL_IS_CONFIGURED = _environment.email_url is not None
if _environment.email_url is not None:
    EMAIL_HOST, EMAIL_PORT = _environment.email_url.host, _environment.email_url.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _environment.email_url.user, _environment.email_url.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = _environment.email_url.starts_tls, _environment.email_url.is_tls
    DEFAULT_FROM_EMAIL = _environment.email_from
EMAIL_TIMEOUT = 10

# Days after an event until its players' names are deleted, unless the event sets its own number; 0: never.
RETENTION_DAYS = _environment.retention_days

LANGUAGE_CODE = "en"
# Each language in its own name, for users who read no other.
LANGUAGES = [
    ("en", "English"),
    ("it", "Italiano"),
    ("ca", "Català"),
    ("fr", "Français"),
    ("es", "Español"),
    ("de", "Deutsch"),
    ("ro", "Română"),
]
LOCALE_PATHS = [program_files.LOCALE]
USE_I18N = True
FORMAT_MODULE_PATH = ["referee.formats"]
USE_TZ = True
TIME_ZONE = _environment.tz or get_localzone_name()

STATIC_URL = "/static/"
# Not in the data folder, which other users (a front-end server) cannot read.
STATIC_ROOT = program_files.static_folder()
STATICFILES_DIRS = [("handbook", program_files.PICTURES)]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "referee.server.static_storage.HashedStaticFiles"},
}
SERVESTATIC_USE_FINDERS = True  # files that are not collected yet are served too
SERVESTATIC_USE_MANIFEST = True
SERVESTATIC_USE_STATIC_ROOT = False
SERVESTATIC_ALLOW_ALL_ORIGINS = False
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
# Failed logins are counted by user name and device together, so that many users behind one address are not locked out.
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = timedelta(minutes=10)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "referee.security.login_throttle.device_of"
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
OWN_CA = False  # `serve --tls-ca` turns the page /ca/ on
# Whether the server is reached by https: directly (`serve --tls` sets this) or through a proxy (docs/operating.md).
HTTPS = _environment.https
SILENCED_SYSTEM_CHECKS = [] if HTTPS else list(transport.PLAIN_HTTP)
if HTTPS:
    globals().update(transport.https_settings(hsts_s=_environment.hsts_seconds, for_the_world=True))
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
            "()": "referee.security.log_lines.OneLineFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        },
        "json": {"()": "referee.security.log_lines.JsonFormatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line" if EMBEDDED else "json"},
        "count": {"class": "referee.live.monitoring.measurements.LogCounter"},
    },
    "root": {"handlers": ["console", "count"], "level": "WARNING"},
    "loggers": {
        "axes": {"level": "ERROR"},  # referee.security.login_throttle logs failures without addresses
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # anyone could fill the log
    },
}
