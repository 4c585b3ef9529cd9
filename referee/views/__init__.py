"""The data shown to each audience (desk, phones and wall, one player), built from queries of `tournaments`."""
