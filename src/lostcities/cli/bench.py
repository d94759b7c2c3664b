"""`lostcities bench`: behaviour as a fingerprint, and speed."""

import argparse
import json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.description = (
        "Print a hash of whole games, which stays the same as long as they go the same way, and "
        "speeds in CPU time of one thread."
    )
    parser.add_argument(
        "--fingerprint", action="store_true", help="print the fingerprint alone, measure nothing"
    )
    parser.add_argument("--json", action="store_true", help="print what programs read")


def run(arguments: argparse.Namespace) -> int:
    """Measure."""
    from lostcities.arena import bench  # noqa: PLC0415 # loads the compiler

    if arguments.fingerprint:
        data: dict[str, object] = {"fingerprint": bench.fingerprint()}
    else:
        data = bench.measure()
    if arguments.json:
        print(json.dumps(data))
        return 0
    for name, value in data.items():
        print(f"{name.replace('_', ' '):<30} {_format(value)}")
    return 0


def _format(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{part:.2f} ({colors} colors)" for colors, part in value.items())
    return f"{value:,}" if isinstance(value, int) else str(value)
