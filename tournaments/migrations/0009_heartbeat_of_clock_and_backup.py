from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0008_append_only_ledger"),
    ]

    operations = [
        migrations.AddField(
            model_name="heartbeat",
            name="boot",
            field=models.CharField(blank=True, default="", max_length=36),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="heartbeat",
            name="steady_us",
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="heartbeat",
            name="backup_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
