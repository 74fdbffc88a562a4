"""Papers, a folder each: statements, claims, errata, headlines."""
