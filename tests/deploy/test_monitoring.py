"""Dashboard and alerts ask only for metrics that the program exports, and each alert leads to its incident."""

from __future__ import annotations

import json
import re
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from referee.handbook.rendering import anchor_of
from tests.chaos.conftest import opened

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "deploy" / "monitoring"
OF_PROMETHEUS = {"up"}
TOKEN = "t" * 32


def _rules() -> list[dict[str, Any]]:
    stored = yaml.safe_load((FOLDER / "alerts.yml").read_text())
    return [rule for group in stored["groups"] for rule in group["rules"]]


def _panels() -> list[dict[str, Any]]:
    panels: list[dict[str, Any]] = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    return panels


def _selectors() -> list[tuple[str, set[str]]]:
    """Each metric that is asked for, with the labels by which it is chosen."""
    found: list[tuple[str, set[str]]] = []

    def collect(node: Any) -> None:
        if isinstance(node, promql_parser.VectorSelector):
            found.append((str(node.name), {matcher.name for matcher in node.matchers.matchers}))

    for text in [rule["expr"] for rule in _rules()] + [
        each["expr"] for panel in _panels() for each in panel["targets"]
    ]:
        promql_parser.walk(promql_parser.parse(text), collect)
    return found


@pytest.mark.services
@pytest.mark.endurance
def test_every_metric_that_is_asked_for_is_exported_with_its_labels() -> None:
    with opened("postgres", METRICS_TOKEN=TOKEN) as hall:
        connection = HTTPConnection("127.0.0.1", hall.ports[0], timeout=60)
        connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
    assert answer.status == 200
    families = list(text_string_to_metric_families(text))
    labels = {sample.name: set(sample.labels) for family in families for sample in family.samples}
    exported = {family.name for family in families} | set(labels) | OF_PROMETHEUS
    selectors = _selectors()
    assert len(selectors) > 40
    assert {name for name, _ in selectors} - exported == set()
    chosen = [(name, each - {"job"}) for name, each in selectors if name in labels]
    assert [(name, each) for name, each in chosen if not each <= labels[name]] == []


def test_every_alert_leads_to_an_incident_that_names_it() -> None:
    incidents = (ROOT / "docs" / "incidents.md").read_text()
    sections = {anchor_of(part.partition("\n")[0]): part for part in incidents.split("\n## ")[1:]}
    for rule in _rules():
        page, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert page == "docs/incidents.md"
        assert f"`{rule['alert']}`" in sections[anchor], rule["alert"]
        assert rule["labels"]["severity"] in ("page", "ticket")
    named = set(re.findall(r"[Aa]lerts? ((?:`\w+`(?:, | and )?)+)", incidents.replace("\n  ", " ")))
    assert set(re.findall(r"`(\w+)`", " ".join(named))) == {rule["alert"] for rule in _rules()}


def test_every_incident_has_a_symptom_and_an_action() -> None:
    for section in (ROOT / "docs" / "incidents.md").read_text().split("\n## ")[1:]:
        parts = re.findall(r"^\* \*\*(\w+)\.\*\*", section, re.MULTILINE)
        assert parts in (["Symptom", "Cause", "Action"], ["Symptom", "Action"]), section[:60]


def test_panels_have_targets_and_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in _panels():
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
        assert panel["targets"]
