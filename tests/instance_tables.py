"""Instance files as dictionaries, one of each kind, small enough for any test."""

FINITE = {
    "kind": "finite_class",
    "horizon": 16,
    "truth": 0,
    "functions": [[["1", "0"]], [["0", "1"]]],
    "agents": [{"contexts": ["1"]}, {"contexts": ["1"]}],
}
LINEAR = {
    "kind": "linear",
    "horizon": 16,
    "parameter": ["1/2", "1/2"],
    "features": [[["1", "0"], ["0", "1"]]],
    "agents": [{"contexts": ["1"]}, {"contexts": ["1"]}],
}
PERSONALISED = {
    "kind": "linear_personalised",
    "horizon": 16,
    "shared_parameter": ["1/2", "1/4"],
    "agents": [{"features": [[["1", "0"], ["0", "1"]]]}, {"features": [[["1", "0"], ["0", "1"]]]}],
}
TABLES = {"finite_class": FINITE, "linear": LINEAR, "linear_personalised": PERSONALISED}
