"""Prose: the sequences, plays and nacbracs that stand in a post or a chapter."""
