"""Which characters may stand in a name or in the value of a tag."""

from typing import Final

_JOINERS: Final = dict.fromkeys(map(ord, "\u200c\u200d"))
"""Persian, scripts of India and pictures need them inside words; they steer nothing else."""


def is_printable(text: str) -> bool:
    """Return whether all characters show on one line, or join those that do."""
    return text.translate(_JOINERS).isprintable()
