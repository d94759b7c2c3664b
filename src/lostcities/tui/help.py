"""The help text of a match."""

from lostcities.rules import Variant


def help_lines(variant: Variant) -> list[str]:
    """Return the help for a game with these numbers."""
    guard = (
        f"After {variant.stall_limit} turns in a row that discarded and took a discard, a turn\n"
        "that discards must draw from the deck, so that every round ends (house rule).\n"
        if variant.stall_limit is not None
        else ""
    )
    return (
        f"""\
A turn is one card down, then one card drawn. The higher total of all rounds wins.
  R7        play red 7 on your own expedition        also: play red 7
  -R7       discard red 7 to the red pile            also: discard red 7
  D         draw from the deck                       also: deck
  Y         take the top card of the yellow pile     also: take yellow
  R7/D      a whole turn at once                     also: play red 7 draw deck
Wagers are x: Rx is a red wager. Ten is T or 10: RT, R10.
Colors: Y yellow, B blue, W white, G green, R red, P purple (six colors).
Cards on an expedition only rise; gaps are fine; wagers go before numbers.
Any card may be discarded. The card just discarded cannot be taken at once.
A round ends when the last card of the deck is drawn; hands count nothing. An
expedition counts (sum - {variant.expedition_cost}) x (1 + wagers), and {variant.bonus} more with
{variant.bonus_threshold} or more cards; one that was never opened counts 0.
{guard}Other words:
  last      what the other side did                  hand    your cards
  scores    every column with its parts              table   the whole table
  left      cards in the deck and turns left         help    this text
  undo      take back the card put down, before you draw
  save      where the match is saved                 deal    the commitment to the deals
  resign    give up the match                        quit    leave; it goes on later
What some rule sheets call a game or a match of one deal is a round here; what
they call the whole game is a match."""
    ).splitlines()
