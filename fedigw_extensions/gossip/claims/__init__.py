"""Claims about federations without a server, one file or folder each."""
