"""Commands that this extension adds to `python -m verify`, one file each."""
