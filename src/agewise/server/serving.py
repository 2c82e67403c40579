"""Listening: on this machine, or beyond it where visitors are asked who they are."""

from agewise.fleet.extra import refuse_missing_parts
from agewise.server.settings import ServerSettings, refuse_open

PARTS = ("sqlalchemy", "alembic", "fastapi", "uvicorn", "python_multipart", "plotly")
"""Packages of the extra `fleet` that the pages need."""


def serve(settings: ServerSettings) -> None:
    """Serve the folder of a fleet until the process is stopped."""
    refuse_missing_parts(*PARTS)
    import uvicorn

    from agewise.server.app import application
    from agewise.server.security.tokens import read_tokens

    refuse_open(settings, tokens=len(read_tokens(settings.tokens_file)))
    uvicorn.run(
        application(settings),
        host=settings.host,
        port=settings.port,
        # Who asks is decided by the address of the connection, not by what a header claims.
        proxy_headers=False,
        server_header=False,
        ws="none",
        log_level="info",
    )
