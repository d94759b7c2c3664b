"""The table for browsers and scripts: HTTP, sockets, and a log that loses nothing.

Knows who sits where, keeps every step of every table on disk, and shows each
viewer its own view. Does not know the rules, which are `lostcities.play`'s, and
never thinks about a move: agents do that in processes of their own.
"""
