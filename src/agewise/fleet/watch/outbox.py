"""Alerts posted to a URL: each beginning and each end once, and again later where that fails."""

import json
from collections.abc import Callable, Sequence
from http.client import HTTPException
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from agewise.errors import InputError
from agewise.files import write_text
from agewise.fleet.catalogue.tables import AlertRow

LEDGER = "posted.json"
"""Name of the file that remembers what was posted, beside the states of the units."""
PATIENCE_S = 10.0
"""Time that a URL has to answer [s]."""
RAISED, CLEARED = "raised", "cleared"
"""What is posted of an alert."""


def checked_url(url: str) -> str:
    """A URL to which alerts can be posted; refused otherwise."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(
            "Alerts are posted to addresses that begin with http:// or https://.",
            hint="give `post` as https://host/path.",
        )
    return url


def posted(
    alerts: Sequence[AlertRow], url: str, folder: Path, *, notify: Callable[[str], None]
) -> int:
    """Post what was not posted yet; a failure is told, stops nobody, and is tried again later.

    Where nothing was ever posted, alerts that have ended are old stories and stay here.

    Args:
        alerts: All alerts of the catalogue, in any order.
        url: Where to; each message is one POST of JSON.
        folder: Where the ledger is kept.
        notify: Called with a sentence about a failure.

    Returns:
        How many messages were taken.
    """
    path = folder / LEDGER
    ledger = _ledger(path)
    if ledger is None:
        ledger = {f"{alert.id}": CLEARED for alert in alerts if alert.cleared is not None}
    count = 0
    for alert, event in _pending(alerts, ledger):
        problem = _problem(url, alert, event)
        if problem:
            notify(f"An alert could not be posted ({problem}); it is tried again next time.")
            break  # whatever ails the address ails it for the others too
        ledger[f"{alert.id}"] = event
        count += 1
        # After every message, so that none is sent twice should we be stopped here.
        write_text(path, json.dumps(ledger) + "\n")
    write_text(path, json.dumps(ledger) + "\n")
    return count


def _pending(alerts: Sequence[AlertRow], ledger: dict[str, str]) -> list[tuple[AlertRow, str]]:
    """What is still to be posted, in the order in which it happened."""
    events = []
    for alert in alerts:
        done = ledger.get(f"{alert.id}")
        if done is None:
            events.append((alert.raised, alert.id, alert, RAISED))
        if alert.cleared is not None and done != CLEARED:
            events.append((alert.cleared, alert.id, alert, CLEARED))
    return [(alert, event) for _, _, alert, event in sorted(events, key=lambda each: each[:2])]


def _problem(url: str, alert: AlertRow, event: str) -> str:
    """Post one message; what went wrong, or an empty text."""
    at = alert.raised if event == RAISED else alert.cleared
    message = {
        "event": event,
        "at": None if at is None else at.isoformat(),
        "asset": alert.asset_id,
        "kind": alert.kind,
        "reason": alert.reason,
        "value": alert.value,
        "alert": alert.id,
    }
    headers = {
        "Content-Type": "application/json",
        # A receiver that has this one already, since its answer was lost, can tell.
        "Idempotency-Key": f"agewise-{alert.id}-{event}",
    }
    try:
        request = Request(url, json.dumps(message).encode(), headers, method="POST")
        with urlopen(request, timeout=PATIENCE_S):
            return ""
    except (URLError, HTTPException, OSError, ValueError) as error:
        # Neither the address nor what it answered: both may hold a secret.
        reason = getattr(error, "reason", None)
        return str(reason) if reason else type(error).__name__


def _ledger(path: Path) -> dict[str, str] | None:
    """What was posted, by the number of the alert; None where nothing ever was."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
