"""How fast a transformer's insulation ages, how long it will live, and how sure that answer is.

The names below are the public face: `assess` infers the oil temperature of a profile, `conclusion`
carries it on to winding, ageing, life and a decision, and `write_report` writes the page.
"""

from typing import TYPE_CHECKING

__version__: str
"""The installed version, as in the metadata of the package."""

# Type checkers read the imports, the interpreter the table below: a name is imported when it is
# first asked for, so that `agewise --help` stays instant. A test keeps the two alike.
if TYPE_CHECKING:
    from agewise.assessment.answer.picture import Picture as Picture
    from agewise.assessment.answer.summary import Summary as Summary
    from agewise.assessment.calibration.calibrate import calibrate as calibrate
    from agewise.assessment.calibration.tank import TankCalibration as TankCalibration
    from agewise.assessment.calibration.tank import calibrate_tank as calibrate_tank
    from agewise.assessment.calibration.tank_record import tank_problem as tank_problem
    from agewise.assessment.conclusion import Conclusion as Conclusion
    from agewise.assessment.conclusion import conclusion as conclusion
    from agewise.assessment.decision.thresholds import DecisionThresholds as DecisionThresholds
    from agewise.assessment.field import oil_field as oil_field
    from agewise.assessment.grid import Grid as Grid
    from agewise.assessment.life.prognosis import Prognosis as Prognosis
    from agewise.assessment.oil.assess import assess as assess
    from agewise.assessment.oil.assessment import Assessment as Assessment
    from agewise.assessment.oil.settings import Settings as Settings
    from agewise.assessment.plain_answers import iec_answer as iec_answer
    from agewise.assessment.plain_answers import ieee_answer as ieee_answer
    from agewise.assessment.plain_answers import reference_field as reference_field
    from agewise.assessment.rating.asked_load import AskedLoad as AskedLoad
    from agewise.assessment.rating.asked_load import CarriedLoad as CarriedLoad
    from agewise.assessment.rating.carried_load import carried_load as carried_load
    from agewise.assessment.rating.day_ahead import day_ahead as day_ahead
    from agewise.assessment.rating.day_table import DayAhead as DayAhead
    from agewise.assessment.rating.rating import Rating as Rating
    from agewise.assessment.rating.rating import rating as rating
    from agewise.assessment.rating.request import DayAheadRequest as DayAheadRequest
    from agewise.assessment.rating.request import ForecastErrors as ForecastErrors
    from agewise.assessment.rating.request import RatingRequest as RatingRequest
    from agewise.assessment.thermal_table import thermal_table as thermal_table
    from agewise.engine.conformal_constants import conformal_constants as conformal_constants
    from agewise.engine.equations.posterior.conformal import conformal as conformal
    from agewise.engine.equations.posterior.posterior import EquationPosterior as EquationPosterior
    from agewise.engine.equations.settings import EquationSettings as EquationSettings
    from agewise.engine.fit import UnsoundFit as UnsoundFit
    from agewise.engine.fit import fit as fit
    from agewise.engine.fit import load as load
    from agewise.engine.problems.base import Observations as Observations
    from agewise.engine.problems.constants import LogNormal as LogNormal
    from agewise.engine.problems.constants import Normal as Normal
    from agewise.engine.problems.constants import Uniform as Uniform
    from agewise.engine.problems.operators import partial as partial
    from agewise.engine.problems.operators import second_partial as second_partial
    from agewise.engine.problems.stated import Problem as Problem
    from agewise.errors import InputError as InputError
    from agewise.plant.nameplate import Nameplate as Nameplate
    from agewise.plant.nameplate_file import read_nameplate as read_nameplate
    from agewise.plant.profile import Profile as Profile
    from agewise.plant.profile import profile_from as profile_from
    from agewise.reading.options import Reading as Reading
    from agewise.reading.profile_file import read_profile as read_profile
    from agewise.report.picture import picture as picture
    from agewise.report.run import write_report as write_report
    from agewise.transformer.iec60076 import ThermalHistory as ThermalHistory
    from agewise.twin.settings import TwinSettings as TwinSettings
    from agewise.twin.twin import Twin as Twin
    from agewise.twin.twin import make_twin as make_twin
    from agewise.twin.twin_file import write_twin as write_twin
else:
    _MODULES = {
        "LogNormal": "engine.problems.constants",
        "Normal": "engine.problems.constants",
        "Uniform": "engine.problems.constants",
        "Observations": "engine.problems.base",
        "Problem": "engine.problems.stated",
        "EquationPosterior": "engine.equations.posterior.posterior",
        "EquationSettings": "engine.equations.settings",
        "UnsoundFit": "engine.fit",
        "conformal": "engine.equations.posterior.conformal",
        "conformal_constants": "engine.conformal_constants",
        "fit": "engine.fit",
        "load": "engine.fit",
        "partial": "engine.problems.operators",
        "second_partial": "engine.problems.operators",
        "AskedLoad": "assessment.rating.asked_load",
        "Assessment": "assessment.oil.assessment",
        "CarriedLoad": "assessment.rating.asked_load",
        "Conclusion": "assessment.conclusion",
        "DayAhead": "assessment.rating.day_table",
        "DayAheadRequest": "assessment.rating.request",
        "DecisionThresholds": "assessment.decision.thresholds",
        "ForecastErrors": "assessment.rating.request",
        "Grid": "assessment.grid",
        "InputError": "errors",
        "Nameplate": "plant.nameplate",
        "Picture": "assessment.answer.picture",
        "Profile": "plant.profile",
        "Prognosis": "assessment.life.prognosis",
        "Rating": "assessment.rating.rating",
        "RatingRequest": "assessment.rating.request",
        "Reading": "reading.options",
        "Settings": "assessment.oil.settings",
        "Summary": "assessment.answer.summary",
        "TankCalibration": "assessment.calibration.tank",
        "ThermalHistory": "transformer.iec60076",
        "Twin": "twin.twin",
        "TwinSettings": "twin.settings",
        "assess": "assessment.oil.assess",
        "calibrate": "assessment.calibration.calibrate",
        "calibrate_tank": "assessment.calibration.tank",
        "carried_load": "assessment.rating.carried_load",
        "conclusion": "assessment.conclusion",
        "day_ahead": "assessment.rating.day_ahead",
        "iec_answer": "assessment.plain_answers",
        "ieee_answer": "assessment.plain_answers",
        "make_twin": "twin.twin",
        "oil_field": "assessment.field",
        "picture": "report.picture",
        "profile_from": "plant.profile",
        "rating": "assessment.rating.rating",
        "read_nameplate": "plant.nameplate_file",
        "read_profile": "reading.profile_file",
        "reference_field": "assessment.plain_answers",
        "tank_problem": "assessment.calibration.tank_record",
        "thermal_table": "assessment.thermal_table",
        "write_report": "report.run",
        "write_twin": "twin.twin_file",
    }
    __all__ = ["__version__", *_MODULES]

    def __getattr__(name: str):
        """Import a public name when it is asked for."""
        from importlib import import_module

        if name == "__version__":  # reading metadata takes as long as all else that `--help` needs
            from importlib.metadata import version

            return version("agewise")
        if name in _MODULES:
            return getattr(import_module(f"agewise.{_MODULES[name]}"), name)
        raise AttributeError(f"module 'agewise' has no attribute {name!r}")

    def __dir__() -> list[str]:
        """The public names and nothing else, whatever has been imported."""
        return sorted(__all__)
