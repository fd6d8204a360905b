"""Match files read and written."""
