"""What a federation may count on, what to expect of it, and what it costs to talk."""
