"""What was played in a position, for people and programs: as a table, as rows, as a page."""
