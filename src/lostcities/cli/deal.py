"""`lostcities deal new` and `lostcities deal verify`."""

import argparse
import json
from collections.abc import Sequence

from lostcities.cli.files import read_text
from lostcities.notation import format_cards, format_records, parse_records
from lostcities.notation.records import RoundRecord
from lostcities.play.fairness import (
    Entropy,
    Secret,
    check_match_id,
    deal_of_round,
    lot_of_round,
    new_match_id,
    parse_entropy,
)
from lostcities.play.verification import Check, verify_deals
from lostcities.rules import SEAT_NAMES, Standing, Variant, seat_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    actions = parser.add_subparsers(dest="action", metavar="new|verify", required=True)
    _add_new(actions.add_parser("new", help="make the deals of a match"))
    _add_verify(actions.add_parser("verify", help="verify the deals of a finished record"))


def _add_new(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Make the deals of a match from a new secret, or from a given one. Keep the secret to "
        "yourself until the match is over; publish the commitment before the first deal."
    )
    parser.add_argument("--colors", type=int, choices=(5, 6), default=5)
    parser.add_argument("--rounds", type=int, choices=range(1, 10), default=3, metavar="1..9")
    parser.add_argument("--match", metavar="ID", help="the name of the match (default: a new one)")
    parser.add_argument("--secret", metavar="HEX", help="64 hexadecimal digits (default: new ones)")
    parser.add_argument("--entropy-a", metavar="HEX", default="", help="what seat A adds")
    parser.add_argument("--entropy-b", metavar="HEX", default="", help="what seat B adds")
    parser.add_argument("--json", action="store_true", help="print what programs read")


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compute commitment, lot and every deal again from the revealed secret. Exit code 1 if "
        "anything differs or the record brings no proof."
    )
    parser.add_argument("record", metavar="RECORD", help="a record; '-' is standard input")
    parser.add_argument(
        "--commitment",
        metavar="HEX",
        help="the commitment that was published before the first deal; without it the check "
        "shows only that the record agrees with itself",
    )
    parser.add_argument("--json", action="store_true", help="print what programs read")


def run(arguments: argparse.Namespace) -> int:
    """Make or verify deals."""
    return _new(arguments) if arguments.action == "new" else _verify(arguments)


def _new(arguments: argparse.Namespace) -> int:
    secret = Secret.from_hex(arguments.secret) if arguments.secret else Secret.generate()
    match_id = check_match_id(arguments.match) if arguments.match else new_match_id()
    entropy = parse_entropy(arguments.entropy_a), parse_entropy(arguments.entropy_b)
    variant = Variant(num_colors=arguments.colors, num_rounds=arguments.rounds)
    if arguments.json:
        print(json.dumps(_match_to_data(secret, match_id, entropy, variant)))
    else:
        print(format_records([_first_round(secret, match_id, entropy, variant)]), end="")
    return 0


def _match_to_data(
    secret: Secret, match_id: str, entropy: Entropy, variant: Variant
) -> dict[str, object]:
    rounds = [
        {
            "round": number,
            "lot": seat_name(
                lot_of_round(secret, match_id=match_id, round_number=number, entropy=entropy)
            ),
            "deal": format_cards(
                deal_of_round(
                    secret,
                    match_id=match_id,
                    round_number=number,
                    entropy=entropy,
                    variant=variant,
                )
            ),
        }
        for number in range(1, variant.num_rounds + 1)
    ]
    return {
        "match": match_id,
        "colors": variant.num_colors,
        "commitment": secret.commitment(match_id),
        "entropy": {name: part.hex() for name, part in zip(SEAT_NAMES, entropy, strict=True)},
        "secret": secret.reveal(),
        "rounds": rounds,
    }


def _first_round(secret: Secret, match_id: str, entropy: Entropy, variant: Variant) -> RoundRecord:
    """Return the record of the first round with its deal and no turns."""
    starter = lot_of_round(secret, match_id=match_id, round_number=1, entropy=entropy)
    record = RoundRecord(
        variant=variant,
        standing=Standing(num_rounds=variant.num_rounds, starter=starter),
        deal=deal_of_round(
            secret, match_id=match_id, round_number=1, entropy=entropy, variant=variant
        ),
    )
    added = {
        f"Entropy{name}": part.hex() for name, part in zip(SEAT_NAMES, entropy, strict=True) if part
    }
    return record.with_tags(
        Match=match_id,
        Commitment=secret.commitment(match_id),
        **added,
        Secret=secret.reveal(),
    )


def _verify(arguments: argparse.Namespace) -> int:
    records = parse_records(read_text(arguments.record))
    checks = verify_deals(records, commitment=arguments.commitment)
    problems = [check for check in checks if check.problem is not None]
    if arguments.json:
        print(json.dumps(_checks_to_data(checks)))
    else:
        for check in checks:
            print(f"{check.what}: {'ok' if check.problem is None else check.problem}")
        if not problems and arguments.commitment is None:
            print(
                "note: the record agrees with itself; give --commitment to compare it with "
                "what was published before the deal"
            )
        print(f"{len(checks) - len(problems)} checks passed, {len(problems)} failed")
    return 1 if problems else 0


def _checks_to_data(checks: Sequence[Check]) -> dict[str, object]:
    return {
        "ok": all(check.problem is None for check in checks),
        "checks": [{"what": check.what, "problem": check.problem} for check in checks],
    }
