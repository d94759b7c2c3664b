"""Learning by self-play: stages that meet only in folders.

Knows how a network is taught: by imitation, by its own games, by search. Knows
nothing of how a trained one is used; `lostcities.agents` plays it without torch,
which is imported here and nowhere else.
"""
