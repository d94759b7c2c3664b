"""The game at machine speed: NumPy rows of machine words, Numba loops over them.

Knows how a position lies in 32 machine words, how it changes, how it is scored,
played out and shown to a network. Does not know what is legal by its own lights:
`lostcities.rules` is the law, the two meet in `bridge` only, and tests hold
them together. Nothing here is imported until somebody asks for it by name,
because Numba takes half a second to arrive.
"""
