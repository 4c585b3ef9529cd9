"""Slips from phones: message form, submission, queue and receipts."""
