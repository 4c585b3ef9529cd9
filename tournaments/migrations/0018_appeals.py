from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0017_documents_on_paper"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("game", "appeal_minutes", models.PositiveSmallIntegerField(default=15)),
        migrations.AddField("game", "appeal_end_minutes", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("slipruling", "again", models.BooleanField(default=False)),
        migrations.AddField("slipruling", "by_rule", models.BooleanField(default=False)),
        migrations.AddField("wordruling", "ruled_in", models.PositiveIntegerField(blank=True, null=True)),
        migrations.CreateModel(
            name="Appeal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("client_id", models.UUIDField(unique=True)),
                ("source", models.CharField(choices=[("phone", "phone"), ("paper", "paper")], max_length=10)),
                ("sentence", models.CharField(blank=True, max_length=300)),
                ("points", models.PositiveIntegerField()),
                ("made_at", models.DateTimeField()),
                ("entry", models.PositiveIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("upheld", "upheld"), ("rejected", "rejected")],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("answer", models.CharField(blank=True, max_length=300)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("answer_entry", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="appeals", to="tournaments.player"
                    ),
                ),
                (
                    "slip",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="appeals", to="tournaments.slip"
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="appeals", to="tournaments.turn"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("turn", "player"), name="one_appeal_a_slip")],
            },
        ),
    ]
