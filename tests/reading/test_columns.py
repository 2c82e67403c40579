"""Names and units in other people's words mean one role, and only the obvious one."""

from fractions import Fraction

import numpy as np
import pytest

from agewise.errors import InputError
from agewise.plant.measures import Rated, celsius, measure, per_unit, seems_kelvin, unit_of
from agewise.plant.nameplate import Nameplate
from agewise.reading.columns import sources
from agewise.reading.heading import Heading
from agewise.reading.options import Reading


@pytest.mark.parametrize(
    ("column", "role", "unit"),
    [
        ("Load", "load", None),
        ("LOAD (%)", "load", "%"),
        ("Load%", "load", "%"),
        ("load_pct", "load", "%"),
        ("I_sec", "load", None),
        ("I_s", "load", None),
        ("I_sec [A]", "load", "A"),
        ("I / kA", "load", "kA"),
        ("S [MVA]", "load", "MVA"),
        ("Corriente de carga (A)", "load", "A"),
        ("Puissance apparente {kVA}", "load", "kVA"),
        ("Sekundärstrom in A", "load", "A"),
        ("Potência aparente [MVA]", "load", "MVA"),
        ("corrente di carico [A]", "load", "A"),
        ("T_amb", "ambient", None),
        ("Ambient Temperature (°F)", "ambient", "°F"),
        ("AirTemp_degC", "ambient", "°C"),
        ("T_aire [ºC]", "ambient", "°C"),
        ("Température ambiante [K]", "ambient", "K"),
        ("Außentemperatur °C", "ambient", "°C"),
        ("Umgebungstemperatur", "ambient", None),
        ("Temp. Ambiente", "ambient", None),
        ("Temperatura do ar", "ambient", None),
        ("Top Oil", "top_oil", None),
        ("TopOilTemp", "top_oil", None),
        ("TOT", "top_oil", None),
        ("Aceite superior (Â°C)", "top_oil", "°C"),
        ("Öltemperatur oben [°C]", "top_oil", "°C"),
        ("Oeltemperatur", "top_oil", None),
        ("température de l'huile [°C]", "top_oil", "°C"),
        ("Óleo topo", "top_oil", None),
        ("Olio superiore", "top_oil", None),
        ("Bottom oil", "bottom_oil", None),
        ("T_bot [°C]", "bottom_oil", "°C"),
        ("Temp. aceite inferior (ºC)", "bottom_oil", "°C"),
        ("Température d'huile bas", "bottom_oil", None),
        ("Öltemperatur unten [°C]", "bottom_oil", "°C"),
        ("Óleo fundo", "bottom_oil", None),
        ("Olio inferiore", "bottom_oil", None),
        ("WTI", "winding", None),
        ("Winding Temp (°F)", "winding", "°F"),
        ("HotSpot", "winding", None),
        ("Temperatura del devanado", "winding", None),
        ("Point chaud [°C]", "winding", "°C"),
        ("Wicklungstemperatur", "winding", None),
        ("Heißpunkt", "winding", None),
        ("Temperatura do enrolamento", "winding", None),
        ("Punto caldo", "winding", None),
        ("Time Stamp", "stamp", None),
        ("Fecha y hora", "stamp", None),
        ("Horodatage", "stamp", None),
        ("Datum/Uhrzeit", "stamp", None),
        ("Fecha", "date", None),
        ("Time [s]", "clock", "s"),
    ],
)
def test_names_in_six_languages_are_understood(column: str, role: str, unit: str | None):
    heading = Heading(column)
    assert heading.meaning == role
    kind = "time" if role in ("stamp", "date", "clock") else measure(role)
    assert heading.unit(kind) == unit


@pytest.mark.parametrize(
    "column", ["LV winding", "Winding [A]", "Spot", "Temperature", "Load [°C]", "Wind", "Tap", "A"]
)
def test_what_is_not_obvious_is_not_guessed(column: str):
    assert Heading(column).meaning is None


def roles(*names: str, reading: Reading | None = None, **units: str) -> dict[str, tuple[str, ...]]:
    found = sources(names, units, reading or Reading(), "file")
    return {role: source.names for role, source in found.items()}


def test_exact_names_win_and_others_are_guessed():
    assert roles("time", "load", "ambient", "Current [A]", "T_amb")["load"] == ("load",)
    found = sources(("Date", "Time", "I_sec", "amb"), {"I_sec": "A"}, Reading(), "file")
    assert found["time"].names == ("Date", "Time")
    assert (found["load"].unit, found["load"].guessed) == ("A", True)
    assert "top_oil" not in found


def test_columns_that_nothing_depends_on_are_never_a_reason_to_refuse():
    base = ("time", "load", "ambient")
    assert roles(*base, "WTI", "Hot spot").keys() == set(base)
    assert roles(*base, "winding", "WTI")["winding"] == ("winding",)
    assert roles(*base, "winding", winding="A").keys() == set(base)
    assert roles(*base, "Bottom oil", "Olio inferiore").keys() == set(base)
    with pytest.raises(InputError, match="is in A, which is no unit of temperature"):
        roles(*base, "Coil", reading=Reading({"winding": "Coil"}), Coil="A")


def test_power_that_is_not_the_whole_is_passed_over_where_there_is_better():
    assert roles("time", "Power [kW]", "Current [A]", "ambient")["load"] == ("Current [A]",)


def test_the_user_may_name_any_column():
    reading = Reading({"oil@0.25": "T3", "time": "a + b", "load": "ambient", "ambient": "Load "})
    found = roles("a", "b", "ambient", "load", "T3", reading=reading)
    assert found == {
        "time": ("a", "b"), "load": ("ambient",), "ambient": ("load",), "oil@0.25": ("T3",)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("names", "sentence", "hint"),
    [
        (
            ("time", "ambient"),
            "lacks the column 'load'",
            'time, ambient; .*`columns=."load": "NAME"',
        ),
        (("time", "Load", "Carga", "ambient"), "'Load' and 'Carga' may each", "`columns="),
        (
            ("time", "load", "T_amb", "Air"),
            "'T_amb' and 'Air' may each be the ambient",
            "ambient.: ",
        ),
        (("time", "time", "load", "ambient"), "more than one column named 'time'", "rename"),
        (("time", "load", "ambient", "oil@0.5", "oil@.5"), "at one height", "rename"),
    ],
)
def test_refusals_say_what_to_do(names: tuple[str, ...], sentence: str, hint: str):
    with pytest.raises(InputError, match=sentence) as told:
        roles(*names)
    with pytest.raises(InputError, match=hint):
        raise InputError(told.value.hint, hint="")


@pytest.mark.parametrize(
    ("unit", "base", "exact"),
    [
        ("%", Fraction(100), Fraction(100)),
        ("A", Fraction(15877, 10), Fraction(15877, 10)),
        ("kA", Fraction(15877, 10_000), Fraction(15877, 10_000)),
        ("kVA", Fraction(1100), Fraction(1100)),
        ("MVA", Fraction(11, 10), Fraction(11, 10)),
    ],
)
def test_loads_are_converted_exactly(unit: str, base: Fraction, exact: Fraction):
    values = np.array([0.1, 3.7, 812.3, -5.0])
    found = per_unit(values, unit, Rated(1100.0, 1587.7).of(unit), "file")
    expected = [float(Fraction(value) / exact) for value in values]
    assert np.allclose(found, expected, rtol=1e-12, atol=0)
    assert base == exact


def test_temperatures_are_converted_exactly():
    assert celsius(np.array([-40.0, 32.0, 212.0]), "°F").tolist() == [-40.0, 0.0, 100.0]
    assert celsius(np.array([273.15]), "K").tolist() == [0.0]
    odd = np.array([71.3, 104.9])
    expected = [float((Fraction(value) - 32) * Fraction(5, 9)) for value in odd]
    assert np.allclose(celsius(odd, "°F"), expected, rtol=1e-12, atol=0)


def test_kelvin_is_seen_through_codes_for_no_value():
    assert seems_kelvin(np.array([293.0, np.nan, -999.0, 0.0, 301.0]))
    assert not seems_kelvin(np.array([293.0, 20.0]))
    assert not seems_kelvin(np.array([999.9, np.nan]))


@pytest.mark.parametrize(
    ("unit", "base", "sentence", "hint"),
    [
        ("kW", 1.0, "does not give the current", "kVA"),
        ("Mvar", 1.0, "does not give the current", "kVA"),
        ("A", None, "rated load in A is not known", "rated_current_a"),
        ("kVA", None, "rated load in kVA is not known", "rated_power_kva"),
        ("%", 630.0, "percent, but the rated load is given as 630", '`units={"load": "A"}`'),
    ],
)
def test_loads_that_cannot_be_converted_are_refused(
    unit: str, base: float | None, sentence: str, hint: str
):
    with pytest.raises(InputError, match=sentence) as told:
        per_unit(np.array([1.0]), unit, base, "file")
    assert hint in told.value.hint


def test_units_are_known_in_many_spellings():
    spellings = {"°C": "°C ºC degC deg_C C celsius ℃", "K": "K kelvin °K", "°F": "F °F degF"}
    for unit, texts in spellings.items():
        assert {unit_of(text, "temperature") for text in texts.split()} == {unit}
    assert {unit_of(text, "load") for text in ("p.u.", "pu", "PU", "[p.u.]")} == {"p.u."}
    assert unit_of("V", "load") is None


def test_a_nameplate_knows_the_rated_current():
    fields = {"rated_power_kva": 1100, "no_load_losses_w": 842, "load_losses_w": 9800}
    assert Nameplate.model_validate(fields).rated() == Rated(1100.0, None)
    told = Nameplate.model_validate(fields | {"rated_current_a": 1587.7})
    assert told.rated() == Rated(1100.0, 1587.7)
    with pytest.raises(ValueError, match="rated_current_a"):
        Nameplate.model_validate(fields | {"rated_current_a": 0})
