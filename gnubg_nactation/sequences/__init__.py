"""Sequences of turns: written, read and replayed, proof-read."""
