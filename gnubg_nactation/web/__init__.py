"""What runs in browsers: the kit that pages and playground share, and how pages carry scripts."""
