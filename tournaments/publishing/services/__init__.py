"""Writes of the club's settings, tokens, webhooks and deliveries."""
