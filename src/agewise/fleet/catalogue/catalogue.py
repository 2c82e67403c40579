"""The catalogue of a fleet: assets, what every run said of them, and alerts, read and written."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from agewise.errors import InputError
from agewise.fleet.catalogue.opening import WRITES, opened
from agewise.fleet.catalogue.tables import AlertRow, AssetRow, RunRow

TRIES = 5
"""Times that assets are written where other writers register the same ones at that moment."""


class Catalogue:
    """An open catalogue; every method is one transaction, so two writers never mix.

    Rows that come back are copies: changing one changes nothing until it is recorded.

    Examples:
        >>> from agewise.fleet.catalogue.catalogue import Catalogue
        >>> from agewise.fleet.catalogue.tables import AssetRow
        >>> with Catalogue("fleet") as catalogue:
        ...     catalogue.register([AssetRow(id="T1", name="North 1")])
        ...     [asset.name for asset in catalogue.assets()]
        ['North 1']
    """

    def __init__(self, place: str | Path, *, make: bool = True):
        """Open the catalogue of a fleet.

        Args:
            place: Folder of the fleet, or the URL of a database, as `postgresql://user@host/fleet`.
            make: Whether a folder without a catalogue gets one; else it is refused.
        """
        self.engine: Engine = opened(place, make=make)

    def __enter__(self) -> "Catalogue":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that reads, for questions that no method below answers."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session that writes: all that happens in it, or nothing where it raises."""
        bind = self.engine.execution_options(**{WRITES: True})
        with Session(bind, expire_on_commit=False) as session, session.begin():
            yield session

    def register(self, assets: Iterable[AssetRow]) -> None:
        """Write assets; those that are known by their `id` take the new names and paths."""
        rows = list(assets)
        for left in reversed(range(TRIES)):
            try:
                with self.writing() as session:
                    for asset in rows:
                        session.merge(asset)
                return
            except IntegrityError:
                # Another writer was the first with one of them, which is known from now on.
                if left == 0:
                    raise

    def assets(self) -> Sequence[AssetRow]:
        """All assets, in the order of their ids."""
        with self.reading() as session:
            return session.scalars(select(AssetRow).order_by(AssetRow.id)).all()

    def asset(self, asset_id: str) -> AssetRow:
        """One asset; an `InputError` where the catalogue does not know it."""
        with self.reading() as session:
            row = session.get(AssetRow, asset_id)
        if row is None:
            raise InputError(
                f"The catalogue has no asset {asset_id!r}.", hint="check the asset's id."
            )
        return row

    def record(self, run: RunRow) -> RunRow:
        """Add a run and return it with its number; its asset must be registered."""
        with self.writing() as session:
            session.add(run)
        return run

    def run(self, number: int) -> RunRow:
        """One run by its number; an `InputError` where there is none."""
        with self.reading() as session:
            row = session.get(RunRow, number)
        if row is None:
            raise InputError(f"The catalogue has no run {number}.", hint="check the number.")
        return row

    def latest_runs(self) -> dict[str, RunRow]:
        """The latest run of every asset that was ever assessed, by the asset's id."""
        newest = select(func.max(RunRow.id)).group_by(RunRow.asset_id)
        with self.reading() as session:
            rows = session.scalars(select(RunRow).where(RunRow.id.in_(newest))).all()
        return {row.asset_id: row for row in rows}

    def history(self, asset_id: str) -> Sequence[RunRow]:
        """All runs of an asset, the latest first."""
        chosen = select(RunRow).where(RunRow.asset_id == asset_id).order_by(RunRow.id.desc())
        with self.reading() as session:
            return session.scalars(chosen).all()

    def raise_alert(
        self,
        asset_id: str,
        kind: str,
        reason: str,
        *,
        value: float | None = None,
        at: datetime | None = None,
    ) -> AlertRow | None:
        """Raise an alert, now unless `at` says when; None where one of its kind stands already."""
        alert = AlertRow(asset_id=asset_id, kind=kind, reason=reason, value=value)
        alert.raised = at or datetime.now(UTC)
        try:
            with self.writing() as session:
                session.add(alert)
        except IntegrityError:
            # One of this kind is open. An asset that is not there is another matter, and is told.
            self.asset(asset_id)
            return None
        return alert

    def clear_alert(self, asset_id: str, kind: str, *, at: datetime | None = None) -> bool:
        """End the alert of a kind, now unless `at` says when; False where none stood."""
        standing = select(AlertRow).where(
            AlertRow.asset_id == asset_id, AlertRow.kind == kind, AlertRow.cleared.is_(None)
        )
        with self.writing() as session:
            alert = session.scalars(standing).one_or_none()
            if alert is not None:
                alert.cleared = at or datetime.now(UTC)
        return alert is not None

    def alerts(self, asset_id: str | None = None, *, standing: bool = False) -> Sequence[AlertRow]:
        """Alerts, the latest first.

        Args:
            asset_id: The asset that they are about; all assets if None.
            standing: Whether only those that are not cleared are wanted.
        """
        chosen = select(AlertRow).order_by(AlertRow.raised.desc(), AlertRow.id.desc())
        if asset_id is not None:
            chosen = chosen.where(AlertRow.asset_id == asset_id)
        if standing:
            chosen = chosen.where(AlertRow.cleared.is_(None))
        with self.reading() as session:
            return session.scalars(chosen).all()
