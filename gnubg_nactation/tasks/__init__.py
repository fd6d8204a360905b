"""What a user can do: one typed function for each, which every face of the program calls."""
