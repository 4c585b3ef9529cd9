"""The console of a game in play: pages and actions for rack, clock, slips and placement."""
