"""What the server counts, for Prometheus; nothing in it tells one table from another."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_MOVE_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.requests = Counter(
            "lostcities_http_requests",
            "Answers to HTTP requests",
            ("method", "route", "status"),
            registry=registry,
        )
        self.commands = Counter(
            "lostcities_commands", "Commands of seats, by outcome", ("outcome",), registry=registry
        )
        self.command_seconds = Histogram(
            "lostcities_command_seconds",
            "From a command to the moment when all have been told",
            buckets=_MOVE_SECONDS,
            registry=registry,
        )
        self.commit_seconds = Histogram(
            "lostcities_commit_seconds",
            "Durable commits of the log",
            buckets=_MOVE_SECONDS,
            registry=registry,
        )
        self.committed = Counter(
            "lostcities_committed_entries", "Entries of the log made durable", registry=registry
        )
        self.sockets = Gauge("lostcities_sockets", "Open sockets", registry=registry)
        self.dropped = Counter(
            "lostcities_dropped_readers",
            "Readers dropped because they were slow",
            registry=registry,
        )
        self.tables = Gauge("lostcities_tables_in_memory", "Tables in memory", registry=registry)
        self.bot_seconds = Histogram(
            # What anybody sees at the table: the time of thinking alone could tell of cards.
            "lostcities_bot_seconds",
            "Until a computer's turn is made, in whole delays",
            registry=registry,
        )
        self.bot_faults = Counter(
            "lostcities_bot_faults",
            "Turns that an agent failed to make",
            ("kind",),
            registry=registry,
        )

    def committed_in(self, seconds: float, num_entries: int) -> None:
        """Count a commit."""
        self.commit_seconds.observe(seconds)
        self.committed.inc(num_entries)

    def text(self) -> bytes:
        """Return all counters in the format of Prometheus."""
        return generate_latest(self.registry)
