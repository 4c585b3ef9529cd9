"""Chains of the ledger for rooms that follow, and clocks that are closed before they are judged.

Present entries stay in the chains of their games; closed clocks have been judged.
"""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tournaments.ledger.append_only import protect


def mark_judged(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("tournaments", "TurnClock").objects.filter(state="closed").update(judged=True)


def protect_ledger(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    protect(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_members_and_seasons")]

    operations = [
        migrations.RemoveConstraint(model_name="ledgerentry", name="one_ledger_entry_of_a_number"),
        migrations.AddField(
            model_name="ledgerentry",
            name="room",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="ledger",
                to="tournaments.room",
            ),
        ),
        migrations.AddField(
            model_name="slip",
            name="batch_room",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tournaments.room",
            ),
        ),
        migrations.AddField(model_name="turnclock", name="judged", field=models.BooleanField(default=False)),
        migrations.AddIndex(
            model_name="turnclock",
            index=models.Index(
                condition=models.Q(("judged", False), ("state", "closed")), fields=["turn"], name="clocks_not_judged"
            ),
        ),
        migrations.AddIndex(
            model_name="turnclock",
            index=models.Index(condition=models.Q(("state", "open")), fields=["deadline"], name="clocks_running"),
        ),
        migrations.AddConstraint(
            model_name="ledgerentry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("room", None)), fields=("game", "n"), name="one_ledger_entry_of_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="ledgerentry",
            constraint=models.UniqueConstraint(fields=("game", "room", "n"), name="one_room_entry_of_a_number"),
        ),
        migrations.RunPython(mark_judged, migrations.RunPython.noop),
        migrations.RunPython(protect_ledger, migrations.RunPython.noop, elidable=False),
    ]
