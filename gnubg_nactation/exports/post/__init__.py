"""Posts for forums and sites."""
