"""Who may come in: seats of players, the judge's link, where requests come from, how many of them."""
