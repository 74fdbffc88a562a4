"""Check the statements of the FedIGW paper: one file or folder each, named after the label of the statement. Parameters
of a check have other values than their defaults only in its negative control, or where `claim.check(given=...)` says
so."""
