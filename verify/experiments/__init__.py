"""What claims measure: runs, worlds, worst cases and the search for them."""
