"""The line between a browser and the server, to be cut, mended, or left dead without a word."""

import selectors
import socket
import threading
from contextlib import suppress
from typing import Final

from program import free_port

_CHUNK: Final = 65_536


class Cable:
    """Passes on what is said between a port of its own and the server's.

    A cut ends all connections and takes no new ones, as when a network is
    gone. A cable that hangs keeps its connections open and passes nothing on,
    as when a phone has changed its network: nobody is told.
    """

    def __init__(self, server_port: int) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._server_port = server_port
        self._lock = threading.Lock()
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._hangs: set[socket.socket] = set()
        self._is_cut = False
        self._is_over = False
        self._selector = selectors.DefaultSelector()
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=64)
        self._listener.settimeout(0)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """End all connections, and refuse new ones."""
        with self._lock:
            self._is_cut = True
            for one in tuple(self._pairs):
                self._drop(one)

    def hang(self) -> None:
        """Pass on nothing more of what is open now; new connections are well."""
        with self._lock:
            self._hangs.update(self._pairs)

    def mend(self) -> None:
        """Let connections through again."""
        with self._lock:
            self._is_cut = False

    def close(self) -> None:
        self._is_over = True
        self._thread.join(5)
        self.cut()
        self._listener.close()
        self._selector.close()

    def _run(self) -> None:
        while not self._is_over:
            for key, _ in self._selector.select(0.05):
                with self._lock:
                    if key.fileobj is self._listener:
                        self._accept()
                    elif isinstance(key.fileobj, socket.socket):
                        self._pass_on(key.fileobj)

    def _accept(self) -> None:
        try:
            client, _ = self._listener.accept()
        except OSError:
            return
        try:
            if self._is_cut:
                raise ConnectionRefusedError
            server = socket.create_connection(("127.0.0.1", self._server_port), 2)
        except OSError:
            client.close()
            return
        self._pairs[client], self._pairs[server] = server, client
        for end in (client, server):
            self._selector.register(end, selectors.EVENT_READ)

    def _pass_on(self, end: socket.socket) -> None:
        other = self._pairs.get(end)
        if other is None:
            return
        try:
            data = end.recv(_CHUNK)
            if data and end not in self._hangs:
                other.sendall(data)
        except OSError:
            data = b""
        if not data:
            self._drop(end)

    def _drop(self, end: socket.socket) -> None:
        other = self._pairs.pop(end, None)
        for one in (end, other):
            if one is not None:
                self._pairs.pop(one, None)
                self._hangs.discard(one)
                with suppress(KeyError, ValueError):
                    self._selector.unregister(one)
                one.close()
