"""What the command line runs; the only place that prints."""
