"""Scripts for browsers: the kit of pages and playground, and how pages carry them."""
