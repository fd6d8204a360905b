"""Decisions of a game: what could be done, what it costs, in numbers and in words."""
