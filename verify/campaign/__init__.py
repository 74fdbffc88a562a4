"""Running claims: units of work over processes or a cluster, on disk as they finish, judged at the end."""
