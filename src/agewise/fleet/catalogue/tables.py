"""The three tables of a catalogue: assets, the runs that assessed them, alerts about them."""

from datetime import UTC, datetime
from typing import Any, Literal, get_args

from sqlalchemy import (
    JSON,
    CheckConstraint,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    Index,
    MetaData,
    String,
    TypeDecorator,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

Status = Literal["done", "refused", "failed"]
"""How a run ended: with an answer; with a sentence about what was given; with an error of ours."""

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
"""Names of constraints, which migrations need on every database alike."""


class Instant(TypeDecorator[datetime]):
    """An instant in UTC. SQLite keeps no zone, so none is stored and UTC is put back."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The instant as it is stored; one without a zone is refused, for it could be any."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an instant of the catalogue needs a time zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The instant with its zone."""
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """What all tables share."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {  # noqa: RUF012
        float: Double,
        datetime: Instant,
        dict[str, Any]: JSON,
        list[dict[str, Any]]: JSON,
    }


class AssetRow(Base):
    """A transformer of the fleet, and where its files are."""

    __tablename__ = "asset"

    id: Mapped[str] = mapped_column(primary_key=True)
    """Name by which everything else refers to the asset; unique in the fleet."""
    name: Mapped[str]
    """Name for people."""
    site: Mapped[str] = mapped_column(default="")
    """Where it stands; empty where nobody said."""
    criticality: Mapped[float] = mapped_column(default=1.0)
    """What its end would cost, in any unit that the whole fleet shares; 1 unless given."""
    nameplate: Mapped[str] = mapped_column(default="")
    """Path of the nameplate; empty where the catalogue file gave its fields in columns."""
    data: Mapped[str] = mapped_column(default="")
    """Path of the readings."""
    scenario: Mapped[str | None]
    """Path of the days to come; null where they repeat the observed ones."""
    mapping: Mapped[str | None]
    """Path of what says how the readings are to be read; null where they speak for themselves."""


class RunRow(Base):
    """One assessment of one asset: how it ended, its headline numbers, and what it was made of."""

    __tablename__ = "run"
    __table_args__ = (
        CheckConstraint(f"status in {get_args(Status)}", name="status"),
        Index("ix_run_asset_id_id", "asset_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    """Number of the run; a later run has a higher one."""
    asset_id: Mapped[str] = mapped_column(ForeignKey("asset.id"))
    """The asset that was assessed."""
    started: Mapped[datetime]
    """When the assessment began (UTC)."""
    seconds: Mapped[float]
    """Time that the assessment took [s]."""
    status: Mapped[str] = mapped_column(String(8))
    """How it ended: done, refused or failed."""
    sentence: Mapped[str | None]
    """Why it was refused or failed; null where it is done."""
    hint: Mapped[str | None]
    """What to do about a refusal; null elsewhere."""
    folder: Mapped[str | None]
    """Folder of the run, relative to that of the fleet; null where none was written."""
    input_hash: Mapped[str] = mapped_column(String(64))
    """SHA-256 over the hashes of all input files."""
    settings_hash: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the settings."""
    inputs: Mapped[dict[str, Any]]
    """SHA-256 of each input file by its role."""
    versions: Mapped[dict[str, Any]]
    """Versions of Python and of the packages that made the run."""
    method: Mapped[str]
    """Name of the inference method."""
    seed: Mapped[int]
    """Seed of the random numbers."""

    action: Mapped[str | None]
    """What is advised: load on, watch, act, cannot tell; null unless done, as all that follows."""
    reason: Mapped[str | None]
    """Why, in a sentence."""
    narrow_by: Mapped[str | None]
    """The measurement that would narrow the answer most, in a sentence."""
    rated_power_kva: Mapped[float | None]
    """Rated power of the unit [kVA]."""
    window_start: Mapped[str | None]
    """First time stamp of the record, as it writes it."""
    window_end: Mapped[str | None]
    """Last time stamp of the record."""
    hours: Mapped[float | None]
    """Length of the record [h]."""
    measured_share: Mapped[float | None]
    """Share of the rows in which both air and top oil were read."""
    load_mean: Mapped[float | None]
    """Mean load of the record [p.u.]."""
    load_peak: Mapped[float | None]
    """Highest load of the record [p.u.]."""
    hot_spot_mean: Mapped[float | None]
    """Highest hot spot of the record, mean [°C]."""
    hot_spot_low: Mapped[float | None]
    """Lower end of its 90 % interval [°C]."""
    hot_spot_high: Mapped[float | None]
    """Upper end of its 90 % interval [°C]."""
    hot_spot_iec: Mapped[float | None]
    """Highest hot spot by the plain answer of IEC 60076-7 [°C]."""
    life_used_mean: Mapped[float | None]
    """Life used in the record at the worst height, mean [h]."""
    life_used_low: Mapped[float | None]
    """Lower end of its 90 % interval [h]."""
    life_used_high: Mapped[float | None]
    """Upper end of its 90 % interval [h]."""
    life_used_iec: Mapped[float | None]
    """Life used in the record by the plain answer of IEC 60076-7 [h]."""
    yearly_loss_hours: Mapped[float | None]
    """Life that a year of the days to come uses, mean [h]."""
    years_left_median: Mapped[float | None]
    """Years left, median; null beyond the horizon of the run."""
    years_left_low: Mapped[float | None]
    """Lower end of their 90 % interval; null beyond the horizon."""
    years_left_high: Mapped[float | None]
    """Upper end of their 90 % interval; null beyond the horizon."""
    years_left_iec: Mapped[float | None]
    """Years left by the plain answer of IEC 60076-7; null beyond the horizon."""
    horizon_years: Mapped[float | None]
    """Years ahead for which the chance of an end is given."""
    chance: Mapped[float | None]
    """Chance that the life ends within the horizon, over all that is uncertain."""
    chance_low: Mapped[float | None]
    """Lower end of the 90 % interval of that chance over what is not known of the unit."""
    chance_high: Mapped[float | None]
    """Upper end of that interval."""
    limit_chance: Mapped[float | None]
    """Chance that the hot spot passed the limit of normal cyclic loading in the record."""
    limit_hours: Mapped[float | None]
    """Expected time above that limit [h]."""
    cooling_factor: Mapped[float | None]
    """Rise of the top oil over what load and air explain; null where nobody can tell."""
    cooling_alarm: Mapped[bool | None]
    """Whether the oil is hotter than load and air explain."""
    findings: Mapped[list[dict[str, Any]]]
    """What to know before believing the answer, as in `summary.json`; empty unless done."""
    quantities: Mapped[dict[str, Any]]
    """Shares of the variance of the years left, by the quantity that is not known exactly."""


class AlertRow(Base):
    """Something about an asset that somebody should look at, from when on and until when."""

    __tablename__ = "alert"
    __table_args__ = (
        # One open alert of a kind for an asset, whoever else may raise it at the same moment.
        Index(
            "ix_alert_open",
            "asset_id",
            "kind",
            unique=True,
            sqlite_where=text("cleared IS NULL"),
            postgresql_where=text("cleared IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    """Number of the alert."""
    asset_id: Mapped[str] = mapped_column(ForeignKey("asset.id"))
    """The asset that it is about."""
    kind: Mapped[str]
    """What happened, as `cooling lost`."""
    raised: Mapped[datetime]
    """Since when (UTC)."""
    cleared: Mapped[datetime | None]
    """Until when (UTC); null while it stands."""
    reason: Mapped[str]
    """Why it was raised, in a sentence."""
    value: Mapped[float | None]
    """The number that raised it, in the unit that the reason names; null where there is none."""
