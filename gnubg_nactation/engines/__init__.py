"""Equities from GNU Backgammon (a child process, around this Python, or built in) and Open Sage.

The package gnubg-nn is not used. On 1,000 positions at 0 plies, without the cube, version 1.1.0a11
agrees with gnubg 1.07.001 in races and bear-offs (within 0.002 points), but not in contact and
crashed positions (median 0.0012 and 0.0022, up to 0.10): its nets differ.
`python -m tests.engines.nets` measures it.
"""
