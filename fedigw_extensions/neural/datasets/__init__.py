"""Multi-label data: tables, a reader for files of the Mulan collection, a local cache, downloads, and generated
look-alikes."""
