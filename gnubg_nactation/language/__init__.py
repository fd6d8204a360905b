"""Nactation, the language: characters, families, and their order."""
