"""Many matches in one database: every turn of every game, and what can be asked of them."""
