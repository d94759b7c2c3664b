"""Who may act for a seat: tokens in cookies, codes of invites, links of recovery.

A token is 128 random bits. The store keeps its hash only, so that whoever reads
the database cannot sit down anywhere.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Final

from lostcities.rules import SEAT_NAMES, SEATS, Seat

_TOKEN_BYTES: Final = 16
_CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that look alike."""
_CODE_LENGTH: Final = 10
_COOKIE: Final = re.compile(r"lc_([0-9a-f]{32})_([AB])")
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")
COOKIE_SECONDS: Final = 400 * 24 * 3600
"""As long as browsers keep a cookie at most."""


@dataclass(frozen=True, slots=True)
class SeatKey:
    """What a token opens: a seat at every table of a series of rematches."""

    series: str
    seat: Seat


def new_token() -> str:
    """Return a new token of 128 bits."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hash_of_token(token: str) -> str:
    """Return what the store keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def hash_of_press(where: str, press_id: str) -> str:
    """Return what the store keeps of the id of a press; at another place the same id is another."""
    return hash_of_token(f"press {where} {press_id}")


def new_code() -> str:
    """Return a new code for an invite: 49 bits that can be read out."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def read_code(text: str) -> str:
    """Return a code as it was made, however it was typed; "" if it can be none."""
    code = re.sub(r"[\s-]", "", text).upper()
    return code if len(code) == _CODE_LENGTH and set(code) <= set(_CODE_LETTERS) else ""


def cookie_name(key: SeatKey) -> str:
    """Return the name of the cookie that holds a seat's token."""
    return f"lc_{key.series}_{SEAT_NAMES[key.seat]}"


def read_cookies(header: str) -> dict[SeatKey, str]:
    """Return the tokens that a browser brings, by what they claim to open."""
    tokens: dict[SeatKey, str] = {}
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        found = _COOKIE.fullmatch(name)
        if found and _TOKEN.fullmatch(value):
            tokens[SeatKey(found[1], SEATS[SEAT_NAMES.index(found[2])])] = value
    return tokens


def cookie_header(key: SeatKey, token: str, *, is_secure: bool) -> str:
    """Return the header that gives a browser the token of a seat."""
    secure = "; Secure" if is_secure else ""
    return (
        f"{cookie_name(key)}={token}; Path=/api; Max-Age={COOKIE_SECONDS}; HttpOnly; "
        f"SameSite=Lax{secure}"
    )


def expired_cookie_header(key: SeatKey) -> str:
    """Return the header that makes a browser forget a seat."""
    return f"{cookie_name(key)}=; Path=/api; Max-Age=0; HttpOnly; SameSite=Lax"
