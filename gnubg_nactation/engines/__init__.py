"""Equities: what GNU Backgammon thinks of plays and of the cube.

The nets of the PyPI package gnubg-nn are not offered as an engine: `scripts/agreement.py nets`
compares them with gnubg's own.
"""
