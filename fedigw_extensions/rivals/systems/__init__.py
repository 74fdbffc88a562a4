"""The other systems of tab:summary and tab:linear, whole: one file each, with one frozen class whose fields are its
keys.

A system plays a whole online interaction on a `Game` (fedigw/game.py): it looks at contexts, pulls arms, and speaks
through the game's lines, which keep the same ledger as FedIGW's channel. Each file says what its paper guarantees and
what was simplified.
"""
