"""Multi-label data: tables, readers for Mulan's files, the local cache, downloads, and generated look-alikes."""
