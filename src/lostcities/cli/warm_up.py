"""`lostcities warm-up`: compile the kernels ahead."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes: nothing."""
    parser.description = (
        "Compile the fast kernels for this processor, or load them from the cache if that was "
        "done before. Takes up to a minute the first time."
    )


def run(arguments: argparse.Namespace) -> int:
    """Compile, and say how long it took."""
    del arguments
    from lostcities.kernel.warm_up import warm_up  # noqa: PLC0415 # loads the compiler

    print(f"the kernels are ready ({warm_up():.1f} s)")
    return 0
