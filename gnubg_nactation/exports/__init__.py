"""What people read: annotated matches as text and data."""
