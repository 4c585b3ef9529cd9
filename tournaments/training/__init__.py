"""Training: the turns in which a member lost most points, played again until they are solved."""
