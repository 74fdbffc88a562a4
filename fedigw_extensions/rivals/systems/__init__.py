"""The other systems of the paper's tables, one file each. A file defines one frozen class, whose fields are the
system's options.

A system plays a whole interaction on a `Game` (fedigw/game.py). It sees contexts, pulls arms and communicates
through the game's lines of communication, which count messages like FedIGW's channel. The docstring of each file says
what its paper guarantees and what was simplified. The comment below that docstring has proofs ("Proved") and names the
source with which the program was compared ("Checked").
"""
