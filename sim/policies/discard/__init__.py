"""Discard parts: which two cards the dealer lays away."""
