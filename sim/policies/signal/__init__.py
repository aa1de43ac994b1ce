"""Signal parts: what a player lets his partner, and all others, know with a card."""
