"""The connections to a database server of one opening of a store: all of them can be cut, from any thread.

A thread that waits for the server waits for as long as the network lets it: to a proxy that acknowledges every packet
and forwards none, for ever. There is no way to interrupt such a wait but to shut its socket down.
"""

from __future__ import annotations

import os
import socket
import weakref
from contextlib import suppress
from threading import Lock
from typing import Protocol

from baccarat.serve.store.base import NodeCutOff


class _HasSocket(Protocol):
    def fileno(self) -> int:
        """The number of its socket."""


class ConnectionGroup:
    """The open connections of one store."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sockets: dict[int, socket.socket] = {}
        self.is_cut = False

    def add(self, connection: _HasSocket) -> None:
        """Add a connection that was just made. `NodeCutOff` if the group was cut meanwhile."""
        # A duplicate: the number of a socket that its owner has closed may belong to another one a moment later.
        twin = socket.socket(fileno=os.dup(connection.fileno()))
        key = id(twin)
        with self._lock:
            self._sockets[key] = twin
            is_cut = self.is_cut
        weakref.finalize(connection, self._remove, key)
        if is_cut:
            _shut_down(twin)
            self.check()

    def check(self) -> None:
        """`NodeCutOff` if the group was cut: no other connection is to be made, which might wait for an answer."""
        if self.is_cut:
            raise NodeCutOff("the connections of this store are cut, and no other is made")

    def cut(self) -> None:
        """Shut every connection down, now and in future: any caller waiting for the server gets an error."""
        with self._lock:
            self.is_cut = True
            for each in self._sockets.values():
                _shut_down(each)

    def _remove(self, key: int) -> None:
        with self._lock:
            self._sockets.pop(key).close()


def _shut_down(twin: socket.socket) -> None:
    with suppress(OSError):  # the other side was faster
        twin.shutdown(socket.SHUT_RDWR)
