"""Generated federations on multi-label data: one file each, with `make` and `EXAMPLES`."""
