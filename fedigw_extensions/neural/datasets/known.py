"""The data sets of the paper's experiments: their files, identified by digest, and their expected properties.

The files carry no licence and no citation. Cite Katakis, Tsoumakas, Vlahavas 2008 (Bibtex) and Tsoumakas, Katakis,
Vlahavas 2008 (Delicious). They are not part of this program, because it is unclear whether they may be redistributed.
"""

from dataclasses import dataclass

LARGEST = 64_000_000  # bytes of one file


@dataclass(frozen=True)
class Known:
    """A known data set. arff, xml: SHA-256 of its two files. Other fields: sizes and mean rewards of its table."""

    name: str
    arff: str
    xml: str
    rows: int
    features: int
    labels: int
    features_per_row: float
    labels_per_row: float
    uniform_reward: float
    best_constant_arm: float


KNOWN = {
    known.name: known
    for known in (
        Known(
            "bibtex",
            "a282a6d1fb3cdaf39bde3f81cd4e6079850a7a538a6bc44f8b4ed95dfe1e5014",
            "08fe20013c1e75dcf1888c185f5187c95e76495b8518ce289b4d3afce38d1232",
            *(7395, 1836, 159, 68.74, 2.402, 0.0151, 0.1409),
        ),
        Known(
            "delicious",
            "b944de0bca910050c11d97eed57d17b073110ea3646a587f3d15d127cf581aab",
            "4e0c0f93c7d86a39b9fca4aaefaa00e9428f2c80277732dfbf03ca48e2c14da2",
            *(16105, 500, 983, 18.28, 19.02, 0.0193, 0.4033),
        ),
    )
}
