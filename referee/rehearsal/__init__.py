"""Load test before an event: the number of phones that this computer and the network can serve."""
