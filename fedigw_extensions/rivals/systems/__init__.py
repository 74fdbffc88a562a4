"""The other systems of the paper's tables, one file each. A file defines one frozen class, whose fields are the
system's options.

A system plays a whole interaction on a `Game` (fedigw/game.py). It sees contexts, pulls arms and communicates
through the game's lines, which count messages like FedIGW's channel. Each file says what its paper guarantees and
what was simplified. A comment below has proofs and the source with which the program was compared ("Checked").
"""
