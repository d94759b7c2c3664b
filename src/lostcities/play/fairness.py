"""Deals that nobody can arrange, and that anybody can check afterwards.

Before the first deal the dealer publishes a SHA-256 commitment to a 256-bit
secret. Each seat may then add entropy of its own, which the dealer could not
know when it committed. Every deck is a Fisher-Yates shuffle of the sorted deck,
driven by an HMAC-SHA-256 stream under the secret. After the match the secret is
revealed, and anybody can compute the commitment and every deal again.

The exact recipe, with a test vector, is in docs/fair-deals.md; it needs nothing
but SHA-256 and HMAC.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator
from typing import Final

from lostcities.rules import SEAT_NAMES, SEATS, Cards, LostCitiesError, Seat, Variant

SCHEME: Final = "lostcities-deal-1"
"""Names this recipe; part of everything that is hashed."""
SECRET_BYTES: Final = 32
MAX_ENTROPY_BYTES: Final = 64
_WORD_BYTES: Final = 4
_LOTS_WORDS: Final = 8
_WORD_RANGE: Final = 1 << (8 * _WORD_BYTES)
_MATCH_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")

Entropy = tuple[bytes, bytes]
"""What seat A and seat B have added; b"" if nothing."""


class FairnessError(LostCitiesError, ValueError):
    """A secret, an entropy or a match id that is not of its form."""


class Secret:
    """The 256 bits that decide every deal of a match.

    It shows itself on purpose only: neither `repr` nor `str` gives it away.
    """

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) != SECRET_BYTES:
            raise FairnessError(f"expected a secret of {SECRET_BYTES} bytes, got {len(key)}")
        self._key = key

    @classmethod
    def generate(cls) -> "Secret":
        """Return a new secret from the operating system's generator."""
        return cls(secrets.token_bytes(SECRET_BYTES))

    @classmethod
    def from_hex(cls, text: str) -> "Secret":
        """Return the secret that these hexadecimal digits write.

        Raises:
            FairnessError: If they are not 64 hexadecimal digits; it does not repeat them.
        """
        return cls(_from_hex(text, "a secret of 64 hexadecimal digits"))

    def reveal(self) -> str:
        """Return the secret in 64 hexadecimal digits."""
        return self._key.hex()

    def commitment(self, match_id: str) -> str:
        """Return the SHA-256 commitment that is published before the deal."""
        text = f"{SCHEME}|{check_match_id(match_id)}|{self.reveal()}"
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def stream(self, context: str) -> Iterator[int]:
        """Yield 32-bit words, for ever: HMAC-SHA-256 of the context and a block number."""
        block = 0
        while True:
            message = f"{context}|{block}".encode("ascii")
            digest = hmac.digest(self._key, message, "sha256")
            for start in range(0, len(digest), _WORD_BYTES):
                yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")
            block += 1

    def __eq__(self, other: object) -> bool:
        """Compare without telling by the time how far two secrets agree."""
        return isinstance(other, Secret) and hmac.compare_digest(self._key, other._key)

    def __hash__(self) -> int:
        """Return a hash that says nothing about the key to whoever prints it."""
        return hash((Secret, hashlib.sha256(self._key).digest()))

    def __repr__(self) -> str:
        """Return a text without the secret."""
        return "Secret(hidden)"


def new_match_id() -> str:
    """Return a new identifier of 128 bits for a match."""
    return secrets.token_hex(16)


def check_match_id(text: str) -> str:
    """Return the identifier.

    Raises:
        FairnessError: If it is not 1 to 64 letters, digits, '-' or '_'.
    """
    if not _MATCH_ID.fullmatch(text):
        raise FairnessError(
            f"expected a match id of 1 to 64 letters, digits, '-' or '_', got {text[:70]!r}"
        )
    return text


def check_commitment(text: str) -> str:
    """Return the commitment.

    Raises:
        FairnessError: If it is not 64 hexadecimal digits.
    """
    return _from_hex(text, "a commitment of 64 hexadecimal digits", size=32).hex()


def parse_entropy(text: str) -> bytes:
    """Return the bytes that these hexadecimal digits write.

    Raises:
        FairnessError: If they are not hexadecimal digits, or too many.
    """
    entropy = _from_hex(text, "entropy in hexadecimal digits")
    if len(entropy) > MAX_ENTROPY_BYTES:
        raise FairnessError(
            f"expected at most {MAX_ENTROPY_BYTES} bytes of entropy, got {len(entropy)}"
        )
    return entropy


def _from_hex(text: str, what: str, size: int | None = None) -> bytes:
    is_hex = re.fullmatch(r"(?:[0-9a-fA-F]{2})*", text)
    if not is_hex or (size is not None and len(text) != 2 * size):
        # The text is not repeated: it may be a secret.
        raise FairnessError(f"expected {what}, got something else ({len(text)} characters)")
    return bytes.fromhex(text)


def below(limit: int, words: Iterator[int]) -> int:
    """Return a uniform number from 0 to *limit* - 1: words that would bias it are skipped."""
    usable = _WORD_RANGE - _WORD_RANGE % limit
    return next(word for word in words if word < usable) % limit


def shuffle(cards: Cards, words: Iterator[int]) -> Cards:
    """Return the cards in an order that the words decide, every order being equally likely.

    Source:
        Fisher and Yates, in Durstenfeld's form (Algorithm 235, 1964).
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1, words)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def deal_of_round(
    secret: Secret, *, match_id: str, round_number: int, entropy: Entropy, variant: Variant
) -> Cards:
    """Return the deal of a round: all cards, top first."""
    context = _context(match_id, entropy, "deal", round_number)
    return shuffle(variant.deck, secret.stream(context))


def lot_of_round(secret: Secret, *, match_id: str, round_number: int, entropy: Entropy) -> Seat:
    """Return the seat that the lot gives; it decides who starts the first round."""
    return below(len(SEATS), secret.stream(_context(match_id, entropy, "lot", round_number)))


def lots_of_match(secret: Secret, *, match_id: str, entropy: Entropy) -> str:
    """Return the name of all lots that the computer draws in a match, as secret as the secret.

    Who runs the computer cannot pick its luck: after the match anybody can
    compute these, as they can the deals.
    """
    words = secret.stream(_context(match_id, entropy, "lots", 0))
    return "".join(f"{next(words):08x}" for _ in range(_LOTS_WORDS))


def _context(match_id: str, entropy: Entropy, purpose: str, round_number: int) -> str:
    added = "|".join(f"{name}:{part.hex()}" for name, part in zip(SEAT_NAMES, entropy, strict=True))
    return f"{SCHEME}|{check_match_id(match_id)}|{added}|{purpose}|{round_number}"
