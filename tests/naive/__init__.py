"""Slow reference implementations of the rules, written from RULES alone."""
