from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0020_two_typists_and_playing_judges"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="disqualified_from",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="entry",
            name="disqualified_for",
            field=models.CharField(blank=True, max_length=300),
        ),
    ]
