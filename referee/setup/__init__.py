"""Set-up of a fresh machine. Standard library only, since nothing is installed when it runs."""
