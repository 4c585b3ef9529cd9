"""Offline kit: a folder that installs Multiplo on a computer without internet."""
