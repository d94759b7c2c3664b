"""What all tests share: Hypothesis profiles, and the rule that nothing is skipped in CI."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    max_examples=60,
    deadline=None,
    derandomize=True,  # a run that fails here fails everywhere
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs us in the background has Ctrl-C ignored, and so would the programs that we interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)

_skipped: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped:
        _skipped.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.skipped:
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _skipped and os.environ.get("LOSTCITIES_FORBID_SKIPS") == "1":
        print(f"\nskipped tests are forbidden here: {', '.join(_skipped)}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
