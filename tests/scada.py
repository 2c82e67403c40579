"""A week of a Spanish SCADA as `docs/data.md` shows it: local time, amperes, °F, decimal commas."""

from pathlib import Path

import pandas as pd

from agewise.twin.twin import TwinSettings, make_twin

NAMEPLATE = """rated_power_kva = 25000.0
rated_current_a = 1443.0
no_load_losses_w = 18000.0
load_losses_w = 120000.0
cooling = "ONAF"
"""
HEAD = (
    "Subestación Norte;;;;",
    "Exportado 14/07/2025;;;;",
    "Fecha;I_sec [A];T_amb [°F];T_aceite_sup [°F];Estado",
)


def write_scada(folder: Path) -> None:
    """Write `scada.csv` and `nameplate.toml`: a made week, and what happens to such files."""
    frame = make_twin(TwinSettings(case="aged-substation", days=7, seed=0)).frame.iloc[::5]
    frame = frame.reset_index(drop=True)
    air, oil = (1.8 * frame[name].to_numpy() + 32 for name in ("ambient", "top_oil"))
    air[700:760] = air[700]  # stuck for five hours
    oil[400] += 70.0  # one sample far off
    cells = [[f"{value:.1f}" for value in column] for column in (1443 * frame["load"], air, oil)]
    for row in (150, 151, 152, 1300):
        cells[2][row] = "Bad"
    times = [f"{pd.Timestamp(time):%d/%m/%Y %H:%M}" for time in frame["time"]]
    rows = [";".join([*row, "OK"]).replace(".", ",") for row in zip(times, *cells, strict=True)]
    rows[895:900] = [row for row in rows[895:900] for _ in range(2)]  # written twice
    del rows[1500:1536]  # three hours are missing
    (folder / "scada.csv").write_text("\n".join([*HEAD, *rows]) + "\n", encoding="latin-1")
    (folder / "nameplate.toml").write_text(NAMEPLATE, encoding="utf-8")
