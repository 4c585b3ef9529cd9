import django.db.models.deletion
from django.db import migrations, models

from tournaments.append_only import protect


def make_triggers(apps, schema_editor):
    protect(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0007_rehearsals"),
    ]

    operations = [
        migrations.AlterField(
            model_name="ledgerentry",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="ledger", to="tournaments.game"
            ),
        ),
        migrations.AddField(
            model_name="slip",
            name="batch",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="draws_from",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="game",
            name="earlier_draws",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.RunPython(make_triggers, migrations.RunPython.noop, elidable=False),
    ]
