"""Nacbracs: plays of a roll with their errors."""
