"""The other systems of tab:summary and tab:linear, one file each. A file defines one frozen class, whose fields are the
options of the system.

A system plays a whole online interaction on a `Game` (fedigw/game.py). It sees contexts, pulls arms and communicates
through the game's lines, which count messages like FedIGW's channel. Each file states what its paper guarantees and
what was simplified.
"""
