"""The page of annotated matches."""
