"""The installation that owns the database, with the fingerprint of its secret key."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_simultaneous")]

    operations = [
        migrations.CreateModel(
            name="Installation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key_fingerprint", models.CharField(max_length=200)),
            ],
        ),
    ]
