"""A complete bot for the protocol of docs/bot-protocol.md, in plain Python.

It plays the lowest card that follows one of its own expeditions, opens an
expedition with a low number if it must, and draws from the deck.
"""

import json
import sys

RANKS = "x-23456789T"


def points(turn, expeditions):
    """Return how much this bot likes a turn."""
    is_discard, card, source = turn.startswith("-"), turn.lstrip("-")[:2], turn.split("/")[1]
    rank = RANKS.index(card[1])
    liking = 5 if source == "D" else 0
    if is_discard:
        return liking - rank
    opened = expeditions[card[0]] != "-"
    return liking + (40 if opened else 10 if rank >= 6 else -20) - rank


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "new":
        colors = "YBWGRP"[: message["colors"]]
        seat = "AB".index(message["seat"])
    elif message["type"] == "choose":
        fields = message["observation"].split()
        mine = dict(zip(colors, fields[seat].split("/")))
        best = max(message["legal"], key=lambda turn: points(turn, mine))
        print(json.dumps({"id": message["id"], "turn": best}), flush=True)
