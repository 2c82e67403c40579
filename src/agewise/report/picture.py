"""One figure of a report by its name, without the report."""

from agewise.assessment.answer.picture import Picture
from agewise.assessment.conclusion import Conclusion
from agewise.errors import InputError
from agewise.report.run import inputs_of


def picture(conclusion: Conclusion, name: str = "temperatures") -> Picture:
    """Draw a figure of the report of a conclusion; `result.plot(name)` does the same.

    Args:
        conclusion: What `agewise.conclusion` returned.
        name: One of `temperatures`, `oil`, `winding`, `ageing`, `heights`, `uncertainties`,
            `loss_of_life`, `remaining_life` and `sources`; for a network also `training`.

    Returns:
        The picture, which a notebook shows by itself.

    Raises:
        InputError: There is no figure of that name; the hint lists all.

    Examples:
        >>> import agewise
        >>> files = "demo/profile.csv", "demo/nameplate.toml"
        >>> fitted = agewise.assess(*files, method="line", quick=True)
        >>> agewise.picture(agewise.conclusion(fitted)).title
        'Load and temperatures'
    """
    # Matplotlib takes a while to load, and is asked for only here.
    import matplotlib as mpl

    from agewise.report.drawing.style import RC, png
    from agewise.report.figures.catalogue import figures

    inputs = inputs_of(conclusion)
    figures_by_name = {figure.name: figure for figure in figures(inputs)}
    if name not in figures_by_name:
        raise InputError(
            f"There is no figure {name!r}.",
            hint=f"choose one of {', '.join(map(repr, figures_by_name))}.",
        )
    chosen = figures_by_name[name]
    # Settings of matplotlib hold for the whole process, so they are put back afterwards.
    with mpl.rc_context(RC):
        figure = chosen.drawing(inputs)
        return Picture(name, chosen.title, chosen.caption, figure, png(figure))
