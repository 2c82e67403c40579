"""Style sheets and scripts, ours and the charts' library, all from installed packages."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from agewise import __version__
from agewise.errors import InputError
from agewise.server.security.headers import CACHED

OWN = Path(__file__).parent / "static"
"""Folder of our own files."""
PLOTLY = "plotly.min.js"
"""The charts' library, which the Python package `plotly` carries."""
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""Media types by suffix; a system's own table may say otherwise."""


@cache
def static_files() -> dict[str, Path]:
    """Every file that can be asked for, by name: nothing else can."""
    files = {path.name: path for path in OWN.iterdir() if path.suffix in KINDS}
    return files | {PLOTLY: _plotly()}


def _plotly() -> Path:
    # Found without importing the package, which takes a second and is not needed.
    spec = find_spec("plotly")
    path = Path(spec.origin).parent / "package_data" / PLOTLY if spec and spec.origin else None
    if path is None or not path.is_file():
        raise InputError(
            "This needs the Python package plotly, which is not installed.",
            hint="pip install 'agewise[fleet]'.",
        )
    return path


@cache
def static_version() -> str:
    """Part of every address of a static file: a new file has a new address."""
    newest = max(path.stat().st_mtime_ns for path in static_files().values())
    return f"{__version__}-{newest:x}"


def static_routes() -> list[BaseRoute]:
    """The addresses of these files; who may not read the fleet may still see its style."""
    return [Route("/static/{name}", _file, methods=["GET"])]


async def _file(request: Request) -> Response:
    path = static_files().get(request.path_params["name"])
    if path is None:
        return Response("There is no such file.", 404, media_type="text/plain")
    kind = KINDS[path.suffix]
    return FileResponse(path, media_type=kind, headers={"Cache-Control": CACHED})
