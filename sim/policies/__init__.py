"""Strategies, taken apart into a discard, a declare, a play and a signal part.

A guide for authors, with a policy worked from start to finish, is in ``sim/policies/README.md``.
"""
