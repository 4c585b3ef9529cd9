"""The server process: uvicorn, addresses, databases, backups and the text that `serve` prints."""
