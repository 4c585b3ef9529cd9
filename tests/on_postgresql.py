"""Tests on PostgreSQL, with the channel layer in Redis: pytest --database postgresql.

Each test process has a database and channels of its own, and so have the servers that its tests start on that database
(tests/referee/live/served.py). Installations with a data folder of their own keep SQLite.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from referee.environment.service_url import DATABASE_NAME, read_service_url
from referee.server.databases import postgresql_config

_SERVER, _REDIS = "TESTS_POSTGRESQL", "TESTS_REDIS"


def choose(server_url: str, redis_url: str) -> None:
    """Have this process and those that it starts use these servers. Django is set up, and no test has run yet."""
    from django.conf import settings
    from django.db import connections

    import_module("referee.asgi")  # on PostgreSQL it checks, as it is imported, the variables of an installation
    os.environ |= {_SERVER: server_url, _REDIS: redis_url}
    name = f"multiplo_tests_{os.getpid()}"
    test_name = f"test_{name}"
    connections.close_all()
    del connections["default"]
    connections.databases["default"] = {**database(name), "TEST": {"NAME": test_name}}
    connections.configure_settings(connections.databases)
    settings.CHANNEL_LAYERS = {"default": channel_layer(test_name)}


def is_chosen() -> bool:
    """True if this process, or the one that started it, tests on PostgreSQL."""
    return _SERVER in os.environ


def database(name: str) -> dict[str, Any]:
    """The settings of a database on the chosen server, which does not wait for its disk."""
    url = read_service_url(os.environ[_SERVER], ("postgresql",), DATABASE_NAME)
    config = postgresql_config(url)
    config["OPTIONS"]["options"] = "-c synchronous_commit=off"  # a test that commits empties all tables afterwards
    return config | {"NAME": name}


def channel_layer(prefix: str) -> dict[str, Any]:
    """The settings of a channel layer, whose messages only those with the same prefix receive."""
    hosts = [{"address": os.environ[_REDIS], "socket_timeout": None, "max_connections": 1000}]
    return {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": hosts, "prefix": prefix}}
