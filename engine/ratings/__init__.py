"""Ratings of members over the games of all events: form, open rating, and the series and handicaps they propose."""
