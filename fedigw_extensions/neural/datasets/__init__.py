"""Multi-label data: what a table is, how Mulan's files are read, kept and fetched, and a generated look-alike."""
