"""The recipe of fair deals once more, written from its description alone.

It shares no line with `lostcities.play.fairness`: HMAC is built from SHA-256 by
hand, cards are two characters, and the deck is spelled out.
"""

from hashlib import sha256

SCHEME = "lostcities-deal-1"


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, for keys of at most one block."""
    block = key.ljust(64, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in block) + message).digest()
    return sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()


def commitment(secret: str, match: str) -> str:
    return sha256(f"{SCHEME}|{match}|{secret}".encode()).hexdigest()


class Numbers:
    """The stream of 32-bit numbers, eight from each block."""

    def __init__(self, secret: str, context: str) -> None:
        self.key = bytes.fromhex(secret)
        self.context = context
        self.num_taken = 0

    def take(self) -> int:
        block, place = divmod(self.num_taken, 8)
        self.num_taken += 1
        digest = hmac_sha256(self.key, f"{self.context}|{block}".encode())
        return int(digest.hex()[8 * place : 8 * place + 8], 16)

    def take_below(self, limit: int) -> int:
        too_high = (2**32 // limit) * limit
        number = self.take()
        while number >= too_high:
            number = self.take()
        return number % limit


def context_of(match: str, entropy: tuple[str, str], what: str, number: int) -> str:
    return f"{SCHEME}|{match}|A:{entropy[0]}|B:{entropy[1]}|{what}|{number}"


def sorted_deck(colors: int) -> list[str]:
    return [color + mark for color in "YBWGRP"[:colors] for mark in "xxx23456789T"]


def deal(secret: str, match: str, entropy: tuple[str, str], number: int, deck: list[str]) -> str:
    numbers = Numbers(secret, context_of(match, entropy, "deal", number))
    cards = list(deck)
    for size in range(len(cards), 1, -1):
        chosen = numbers.take_below(size)
        cards[size - 1], cards[chosen] = cards[chosen], cards[size - 1]
    return "".join(cards)


def lot(secret: str, match: str, entropy: tuple[str, str], number: int) -> str:
    return "AB"[Numbers(secret, context_of(match, entropy, "lot", number)).take_below(2)]
