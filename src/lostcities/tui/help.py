"""The help text of a match."""

HELP = """\
A turn is one card down, then one card drawn.
  R7        play red 7 on your own expedition        also: play red 7
  -R7       discard red 7 to the red pile            also: discard red 7
  D         draw from the deck                       also: deck
  Y         take the top card of the yellow pile     also: take yellow
  R7/D      a whole turn at once                     also: play red 7 draw deck
Wagers are x: Rx is a red wager. Ten is T or 10: RT, R10.
Colors: Y yellow, B blue, W white, G green, R red, P purple (six colors).
Other words:
  last      what the other side did                  hand    your cards
  scores    every column with its parts              table   the whole table
  left      cards in the deck and turns left         help    this text
  undo      take back the card put down, before you draw
  save      where the match is saved                 deal    the commitment to the deals
  resign    give up the match                        quit    leave; it goes on later
A round ends when the last card of the deck is drawn. An expedition counts
(sum - 20) x (1 + wagers), and 20 more if it has 8 or more cards.
What rule sheets call a game or match of one deal is a round here; what they
call the whole game is a match of three rounds.
""".splitlines()
