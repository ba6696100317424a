"""What a request may say, whose it is, and every way in which the service says no."""
