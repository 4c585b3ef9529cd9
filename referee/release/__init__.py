"""Releases: lock file, licences, bill of materials, packages and their checksums. Runs in a checkout only."""
