"""How people may be called: any script, 1 to 24 characters, nothing that hides or turns text."""

import unicodedata
from typing import Final

from lostcities.play import InvalidNameError, check_name

_JOINERS: Final = "\u200c\u200d"
"""Some scripts and pictures need them between letters."""
_BLANKS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""They count as letters and show nothing."""


def clean_name(text: str) -> str:
    """Return a name in normal form, with single blanks inside and none around it.

    Raises:
        InvalidNameError: If it is empty, too long, or holds characters that
            steer text instead of showing.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    visible = name.translate(dict.fromkeys(map(ord, _JOINERS + _BLANKS)))
    if not any(unicodedata.category(character)[0] in "LNPS" for character in visible):
        raise InvalidNameError(
            "expected a name of 1 to 24 characters of which some can be seen, got none"
        )
    check_name(name.translate(dict.fromkeys(map(ord, _JOINERS))))
    return check_name(name)
