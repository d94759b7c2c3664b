"""A complete bot for the protocol of docs/bot-protocol.md, in plain Python.

It goes on with what it has opened, lowest card first, opens colors of which it
holds 16 points or more, throws away the rest, and draws from the deck.
"""

import json
import sys

RANKS = "x-23456789T"


def liking(turn: str, opened: dict[str, str], held: dict[str, str]) -> float:
    """Return how much this bot likes a turn."""
    card = turn.lstrip("-")
    color, mark = card[0], card[1]
    from_deck = 0.5 if turn.endswith("/D") else 0.0
    promise = sum(RANKS.index(held_mark) for held_mark in held[color].strip("-"))
    is_wanted = opened[color] != "-" or promise >= 16
    if turn.startswith("-"):
        return from_deck - (20 if is_wanted else 0) - RANKS.index(mark)
    return from_deck + (40 if is_wanted else -40) - RANKS.index(mark)


colors, seat = "", 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "new":
        colors = "YBWGRP"[: message["colors"]]
        seat = "AB".index(message["seat"])
    elif message["type"] == "choose":
        fields = message["observation"].split()
        opened = dict(zip(colors, fields[seat].split("/"), strict=True))
        held = dict(zip(colors, fields[3 + seat].split("/"), strict=True))
        _, best = max((liking(turn, opened, held), turn) for turn in message["legal"])
        print(json.dumps({"id": message["id"], "turn": best}), flush=True)
