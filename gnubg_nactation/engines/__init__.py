"""Equities: what GNU Backgammon thinks of plays and of the cube, as a child process or inside it.

The package gnubg-nn is no engine here. On 1,000 positions at 0 plies, without the cube, its
version 1.1.0a11 agrees with gnubg 1.07.001 in races and bear-offs (to 0.002 points) but not in
contact and crashed positions (0.0012 and 0.0022 by the median, up to 0.10): it comes with other
nets. `python -m tests.engines.nets` measures it.
"""
