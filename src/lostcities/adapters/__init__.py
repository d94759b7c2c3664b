"""Other people's interfaces: PettingZoo, Gymnasium and OpenSpiel.

Knows the APIs of its peers, each in a file of its own that imports this peer
and no other. Holds no rules: what is legal, what happens and what it is worth
comes from `lostcities.kernel` and `lostcities.rules`, and what a player sees is
`kernel.features`, the only encoder. Nothing here is imported until somebody
asks for it by name, so the game runs without any of the peers.
"""
