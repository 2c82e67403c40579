"""The same problem with other readings of its sensors."""

from collections.abc import Mapping

from agewise.engine.problems.base import AbstractProblem, Observations


class ReadAgain(AbstractProblem):
    """A problem with other readings: all else is the first one's."""

    first: AbstractProblem
    """Problem as it was stated."""
    readings: dict[str, Observations]
    """Readings by sensor, in place of the first problem's."""

    def residuals(self):
        """Those of the first problem, as all that follows."""
        return self.first.residuals()

    def observations(self) -> Mapping[str, Observations]:
        """The other readings."""
        return self.readings

    def coordinates(self):
        """The same box."""
        return self.first.coordinates()

    def functions(self):
        """The same functions."""
        return self.first.functions()

    def constants(self):
        """The same constants, with what is known of them beforehand."""
        return self.first.constants()

    def periodic(self):
        """The same rings."""
        return self.first.periodic()

    def sizes(self):
        """The same sizes."""
        return self.first.sizes()

    def regions(self):
        """The same places."""
        return self.first.regions()

    def scales(self):
        """The same doubt of the equations."""
        return self.first.scales()

    def pseudo_observations(self):
        """The same weights of the equations."""
        return self.first.pseudo_observations()

    def lift(self, points):
        """The same part that is known already."""
        return self.first.lift(points)

    def period(self):
        """The same cycle."""
        return self.first.period()
