"""A real server on a free port of this machine, for as long as a test needs it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn

from agewise.server.app import application
from agewise.server.settings import ServerSettings


@dataclass(frozen=True)
class Served:
    """A server that listens."""

    address: str
    app: Any

    def client(self, **options: Any) -> httpx.Client:
        """Somebody who asks it."""
        return httpx.Client(base_url=self.address, timeout=120, **options)


@contextmanager
def served(settings: ServerSettings) -> Iterator[Served]:
    app = application(settings)
    config = uvicorn.Config(
        app, host="127.0.0.1", port=0, proxy_headers=False, ws="none", log_level="warning"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Served(f"http://localhost:{port}", app)
    finally:
        server.should_exit = True
        thread.join(30)
