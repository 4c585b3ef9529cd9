"""Slips that a phone sent in time and that were received late.

Until now no ledger entry sealed the time at which a phone sent a slip. It may decide a verdict from now on, so the
unsealed times are removed.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def remove_unsealed_times(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("tournaments", "Slip").objects.update(sent_at=None)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_names_licence_and_undo")]

    operations = [
        migrations.AddField(
            model_name="slip", name="sent_in_time", field=models.BooleanField(default=False)
        ),
        migrations.RunPython(remove_unsealed_times, migrations.RunPython.noop),
    ]
