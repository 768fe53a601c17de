"""Durak for 2 to 6 players, peer to peer, with a deck that nobody can see or arrange."""
