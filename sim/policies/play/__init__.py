"""Play parts: which card a player leads or follows with."""
