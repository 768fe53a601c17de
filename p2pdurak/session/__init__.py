"""What peers at a table do with messages: sans-I/O, the same for player, spectator and verifier.

``Session`` takes bytes and actions and gives events, among them the bytes to send. What may be said is a function of
the public state alone (``rounds``); each kind of round stands in one place with its proving and its verifying side.
"""
