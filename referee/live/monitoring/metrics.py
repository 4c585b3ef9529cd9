"""Metrics of this process in the text format of Prometheus. docs/operating.md lists them; none names a player."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import DatabaseError, connection
from prometheus_client import (
    GC_COLLECTOR,
    PLATFORM_COLLECTOR,
    PROCESS_COLLECTOR,
    CollectorRegistry,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from referee.live.monitoring.measurements import Durations, measurements
from referee.live.monitoring.readiness import LONGEST_CHECK_S, OK, check_readiness
from referee.live.rooms.live_server import LiveServer
from referee.live.sockets.connections import AUDIENCES
from referee.server.database_outage import free_bytes
from tournaments.events.queries.events import RoomLabels, label_rooms
from tournaments.now import utc_now
from tournaments.publishing.queries.backlog import Backlog, get_backlog


async def write_metrics(live_server: LiveServer) -> bytes:
    """Measure and encode everything; values from the database are left out while it does not answer."""
    checks = await check_readiness(live_server)
    rooms, backlog = await _read_database(live_server) if checks["database"] == OK else ({}, None)
    registry = CollectorRegistry()
    registry.register(_Measured([*_live_metrics(live_server, rooms), *_service_metrics(checks), *_backlog(backlog)]))
    for collector in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR):
        registry.register(collector)
    return generate_latest(registry)


class _Measured(Collector):
    """Metrics that are measured already."""

    def __init__(self, metrics: Collection[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> Iterable[Metric]:
        """Return them."""
        return self._metrics


async def _read_database(live_server: LiveServer) -> tuple[RoomLabels, Backlog | None]:
    rooms = {phone.room_key[1] for phone in live_server.connections.list_phones()}
    try:
        return await asyncio.wait_for(
            live_server.reader.read(lambda: (label_rooms(rooms), get_backlog())), LONGEST_CHECK_S
        )
    except (DatabaseError, TimeoutError):
        return {}, None


def _live_metrics(live_server: LiveServer, rooms: RoomLabels) -> Iterator[Metric]:
    yield _histogram("slip_ack_seconds", "Time from a slip to its receipt", measurements.slip_acks)
    yield _counter("slips", "Slips of phones, stored or not", "outcome", measurements.slips)
    yield _histogram("turn_close_delay_seconds", "Time from the end of a turn to its closing", measurements.closings)
    phones = GaugeMetricFamily("multiplo_phones", "Connected players of a room", labels=["event", "room"])
    for key, (event, room) in rooms.items():
        players = {phone.player_id for phone in live_server.connections.list_sockets(key, "phone")}
        phones.add_metric([event, str(room)], len(players))
    yield phones
    counts = {str(audience): 0 for audience in AUDIENCES}
    for socket in live_server.connections.everybody():
        counts[socket.audience] += 1
    yield _gauges("sockets", "Open WebSockets", "audience", counts)
    yield _gauge("slip_queue_length", "Slips that wait to be stored", live_server.slip_queue.length)
    yield _gauge("slip_queue_age_seconds", "Age of the oldest of them", live_server.slip_queue.age_s)
    yield _gauge(
        "clock_offset_seconds", "Clock that is followed, minus the time here", live_server.heartbeat.clock_off_ms / 1000
    )


def _service_metrics(checks: Mapping[str, str]) -> Iterator[Metric]:
    yield _gauges("ready", "Result of a check of /readyz", "check", {name: it == OK for name, it in checks.items()})
    yield _gauge("disk_free_bytes", "Free space on the disk of the data folder", free_bytes())
    yield _counter("http_requests", "Answered requests by class of status", "status", measurements.statuses)
    yield _histogram("http_request_seconds", "Time to the end of an answer", measurements.requests)
    yield _counter("log_messages", "Warnings and errors in the log", "level", measurements.log_messages)
    pool = getattr(connection, "pool", None)
    if pool is not None:
        stats = pool.get_stats()
        idle = stats.get("pool_available", 0)
        states = {"open": stats.get("pool_size", 0), "idle": idle}
        yield _gauges("database_pool_connections", "Connections of the pool", "state", states)
        yield _gauge("database_pool_waiting", "Requests that wait for one", stats.get("requests_waiting", 0))
        errors = stats.get("requests_errors", 0) + stats.get("connections_errors", 0)
        yield CounterMetricFamily("multiplo_database_pool_errors", "Failed requests and connections", errors)


def _backlog(backlog: Backlog | None) -> Iterator[Metric]:
    if backlog is not None:
        yield _gauges("sheets", "Sheets of the installation by state", "state", backlog.sheets)
        yield _gauge("sheet_queue_age_seconds", "Age of the oldest unfinished sheet", _age_s(backlog.oldest_sheet))
        yield _gauge("messages_waiting", "Messages to programs and members", backlog.messages)
        yield _gauge("message_queue_age_seconds", "Age of the oldest of them", _age_s(backlog.oldest_message))


def _age_s(moment: datetime | None) -> float:
    return 0.0 if moment is None else max(0.0, (utc_now() - moment).total_seconds())


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"multiplo_{name}", text, value)


def _gauges(name: str, text: str, label: str, values: Mapping[str, Any]) -> Metric:
    return _labelled(GaugeMetricFamily(f"multiplo_{name}", text, labels=[label]), values)


def _counter(name: str, text: str, label: str, values: Mapping[str, int]) -> Metric:
    return _labelled(CounterMetricFamily(f"multiplo_{name}", text, labels=[label]), values)


def _labelled(metric: Any, values: Mapping[str, Any]) -> Metric:
    for value, number in values.items():
        metric.add_metric([value], number)
    return metric  # type: ignore[no-any-return]


def _histogram(name: str, text: str, durations: Durations) -> Metric:
    return HistogramMetricFamily(f"multiplo_{name}", text, durations.buckets(), durations.total_s)
