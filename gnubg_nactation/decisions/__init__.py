"""Decisions of a game: the choices and what they cost, in numbers and in words."""
