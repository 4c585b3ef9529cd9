"""Sets a fresh machine up. Standard library only: nothing is installed yet when this runs."""
