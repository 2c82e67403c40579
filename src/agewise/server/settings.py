"""What is served, where, to whom, and how much may be uploaded."""

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from agewise.errors import InputError

MEGABYTE = 1_000_000
"""A million bytes."""
LOCAL = "127.0.0.1"
"""Address at which only this machine can ask."""


@dataclass(frozen=True)
class UploadLimits:
    """What an upload may cost; more is refused in a sentence."""

    megabytes: float = 50.0
    """Size of everything that is sent at once [MB]: three years of minutes in a CSV."""
    rows: int = 2_000_000
    """Rows of the record."""
    seconds: float = 900.0
    """Time of the assessment on the clock [s]."""
    memory_megabytes: float = 3000.0
    """Memory of the process that reads and assesses [MB]."""
    waiting: int = 20
    """Uploads that may wait for their turn."""

    @property
    def bytes(self) -> int:
        """Size of everything that is sent at once [bytes]."""
        return int(self.megabytes * MEGABYTE)


@dataclass(frozen=True)
class ServerSettings:
    """What is served, where and to whom."""

    directory: Path
    """Folder of the fleet: its catalogue, runs and uploads. Nothing outside it is read."""
    host: str = LOCAL
    """Address to listen at; only this machine can ask at the default one."""
    port: int = 8765
    """Port to listen at."""
    user_header: str | None = None
    """Header in which a reverse proxy names the visitor; None where there is no such proxy."""
    role_header: str = "X-Remote-Role"
    """Header in which that proxy gives the role, `read` or `write`; without it, `read`."""
    proxies: tuple[str, ...] = (LOCAL, "::1")
    """Addresses of reverse proxies, from which alone these headers are believed."""
    root_path: str = ""
    """Path under which a reverse proxy shows the pages, such as `/agewise`."""
    catalogue: str | None = None
    """Address of the catalogue's database; SQLite in the folder if None."""
    limits: UploadLimits = field(default_factory=UploadLimits)
    """What an upload may cost."""

    @property
    def tokens_file(self) -> Path:
        """Where the hashes of the tokens are kept."""
        return self.directory / "tokens.json"

    @property
    def uploads(self) -> Path:
        """Folder of the uploads, one folder each."""
        return self.directory / "uploads"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can ask."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def refuse_open(settings: ServerSettings, *, tokens: int) -> None:
    """Refuse to listen beyond this machine while nobody is asked who they are."""
    if settings.is_local or tokens or settings.user_header:
        return
    raise InputError(
        f"Whoever reaches {settings.host} could read and change everything: there is no token.",
        hint="make one with `new_token`, name the header of a reverse proxy with `user_header`, "
        f"or listen at {LOCAL}.",
    )
