"""Declare parts: which of the combinations in his hand a player declares."""
