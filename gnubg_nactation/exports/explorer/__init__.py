"""The plays made in a position: as a table, as rows, as a page."""
