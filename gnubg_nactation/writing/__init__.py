"""How Nactation is written and printed: spellings, markup, colours."""
