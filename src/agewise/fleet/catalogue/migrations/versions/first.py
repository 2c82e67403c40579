"""The first tables: assets, runs and alerts."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBERS = (
    *("rated_power_kva", "hours", "measured_share", "load_mean", "load_peak"),
    *("hot_spot_mean", "hot_spot_low", "hot_spot_high", "hot_spot_iec"),
    *("life_used_mean", "life_used_low", "life_used_high", "life_used_iec", "yearly_loss_hours"),
    *("years_left_median", "years_left_low", "years_left_high", "years_left_iec"),
    *("horizon_years", "chance", "chance_low", "chance_high"),
    *("limit_chance", "limit_hours", "cooling_factor"),
)
"""Columns of the headline numbers of a run."""
WORDS = (
    *("sentence", "hint", "folder", "action", "reason", "narrow_by"),
    *("window_start", "window_end"),
)
"""Columns of a run with texts that may be missing."""


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "asset",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("site", sa.String, nullable=False),
        sa.Column("criticality", sa.Double, nullable=False),
        sa.Column("nameplate", sa.String, nullable=False),
        sa.Column("data", sa.String, nullable=False),
        sa.Column("scenario", sa.String),
        sa.Column("mapping", sa.String),
        sa.PrimaryKeyConstraint("id", name="pk_asset"),
    )
    _make_runs()
    _make_alerts()


def _make_runs() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("asset_id", sa.String, nullable=False),
        sa.Column("started", sa.DateTime, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("input_hash", sa.String(64), nullable=False),
        sa.Column("settings_hash", sa.String(64), nullable=False),
        sa.Column("method", sa.String, nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        *(sa.Column(name, sa.JSON, nullable=False) for name in ("inputs", "versions")),
        *(sa.Column(name, sa.JSON, nullable=False) for name in ("findings", "quantities")),
        *(sa.Column(name, sa.String) for name in WORDS),
        *(sa.Column(name, sa.Double) for name in NUMBERS),
        sa.Column("cooling_alarm", sa.Boolean),
        sa.PrimaryKeyConstraint("id", name="pk_run"),
        sa.ForeignKeyConstraint(["asset_id"], ["asset.id"], name="fk_run_asset_id"),
        sa.CheckConstraint("status in ('done', 'refused', 'failed')", name="ck_run_status"),
    )
    op.create_index("ix_run_asset_id_id", "run", ["asset_id", "id"])


def _make_alerts() -> None:
    op.create_table(
        "alert",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("asset_id", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("raised", sa.DateTime, nullable=False),
        sa.Column("cleared", sa.DateTime),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("value", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_alert"),
        sa.ForeignKeyConstraint(["asset_id"], ["asset.id"], name="fk_alert_asset_id"),
    )
    op.create_index(
        "ix_alert_open",
        "alert",
        ["asset_id", "kind"],
        unique=True,
        sqlite_where=sa.text("cleared IS NULL"),
        postgresql_where=sa.text("cleared IS NULL"),
    )
