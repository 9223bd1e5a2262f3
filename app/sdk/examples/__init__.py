"""Programs to begin from, written with the packaged client alone."""
