"""`agewise serve`: a fleet in a browser, and as JSON for other systems."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from agewise.errors import InputError


def serve(
    directory: Annotated[Path, Argument(help="Folder of a fleet that agewise fleet assess wrote.")],
    port: Annotated[int, Option(min=1, max=65535, help="Port to listen at.")] = 8765,
    host: Annotated[
        str, Option(help="Address to listen at; any but this machine's needs a token or a proxy.")
    ] = "127.0.0.1",
    new_token: Annotated[
        str | None, Option(help="Create a token of this name, print it once, and exit.")
    ] = None,
    role: Annotated[
        Literal["read", "write"],
        Option(help="What a new token allows: reading, or also uploading."),
    ] = "read",
    forget_token: Annotated[
        str | None, Option(help="Revoke the token of this name, and exit.")
    ] = None,
    user_header: Annotated[
        str | None, Option(help="Header in which a reverse proxy names the visitor.")
    ] = None,
    role_header: Annotated[
        str, Option(help="Header in which that proxy gives read or write.")
    ] = "X-Remote-Role",
    proxy: Annotated[
        list[str] | None,
        Option(help="Address of that proxy; this machine's if left out; may be repeated."),
    ] = None,
    root_path: Annotated[
        str, Option(help="Path under which that proxy shows the pages, as /agewise.")
    ] = "",
    catalogue: Annotated[
        str | None,
        Option(help="URL of the catalogue's database; the folder's SQLite if left out."),
    ] = None,
    most_megabytes: Annotated[float, Option(min=0.001, help="Size of an upload [MB].")] = 50.0,
    most_rows: Annotated[int, Option(min=2, help="Rows of an upload.")] = 2_000_000,
    most_seconds: Annotated[float, Option(min=1, help="Time of its assessment [s].")] = 900.0,
    most_memory: Annotated[
        float, Option(min=500, help="Memory of the process that assesses it [MB].")
    ] = 3000.0,
) -> None:
    """Show a fleet in a browser: list, assets, uploads, ratings; and all of it as JSON."""
    from agewise.server.serving import PARTS, refuse_missing_parts, serve
    from agewise.server.settings import LOCAL, ServerSettings, UploadLimits

    refuse_missing_parts(*PARTS)
    if not directory.is_dir():
        raise InputError(
            f"{directory} is not a folder.", hint="make one with agewise fleet assess."
        )
    settings = ServerSettings(
        directory=directory,
        host=host,
        port=port,
        user_header=user_header,
        role_header=role_header,
        proxies=tuple(proxy) if proxy else (LOCAL, "::1"),
        root_path=root_path.rstrip("/"),
        catalogue=catalogue,
        limits=UploadLimits(most_megabytes, most_rows, most_seconds, most_memory),
    )
    if new_token is not None:
        _make_token(settings.tokens_file, new_token, role)
    elif forget_token is not None:
        _forget_token(settings.tokens_file, forget_token)
    else:
        serve(settings)


def _make_token(path: Path, name: str, role: Literal["read", "write"]) -> None:
    from agewise.server.security.tokens import new_token

    print(new_token(path, name, role))


def _forget_token(path: Path, name: str) -> None:
    from agewise.server.security.tokens import forget_token

    forget_token(path, name)
    print(f"forgotten  {name}")
