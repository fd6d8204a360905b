"""The game of backgammon: positions, plays, notation, IDs and matches."""
