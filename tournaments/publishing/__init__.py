"""Publishing: the club's website, tokens of the API, webhooks, results by e-mail."""
