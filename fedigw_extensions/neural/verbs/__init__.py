"""Commands that this topic adds to `python -m verify`, one file each."""
