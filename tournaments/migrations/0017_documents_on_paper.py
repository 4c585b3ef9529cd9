from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0016_public_page")]

    operations = [
        migrations.AddField("document", "paper", models.CharField(default="a4", max_length=10)),
        migrations.AlterField("document", "kind", models.CharField(max_length=20)),
    ]
