"""Messages that leave the server: webhooks to other programs, and e-mails with results to members."""
