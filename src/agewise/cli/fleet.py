"""`agewise fleet`: commands about many assets at once; they need the extra `fleet`."""

import typer

from agewise.cli import fleet_assess, fleet_rank

app = typer.Typer(
    help="Many transformers: assess them side by side, and rank them.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.command("assess")(fleet_assess.assess)
app.command("rank", short_help="Which assets to look at first, and how sure that order is.")(
    fleet_rank.rank
)
