"""The list of the fleet: nothing is lost, nothing is counted twice, and order means order."""

import csv
import io
import time

import httpx
import pytest
from fleets import HOSTILE, MadeFleet

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow
from agewise.server.views.fleet import FleetQuery, fleet_view

pytestmark = pytest.mark.xdist_group("server")
LIST = "/api/v1/assets"


def asked(client: httpx.Client, **query: object) -> dict:
    answer = client.get(LIST, params={k: str(v) for k, v in query.items()})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_counts_add_up_and_every_filter_finds_its_count(client: httpx.Client):
    whole = asked(client)
    assert sum(whole["counts"].values()) == whole["total"] == whole["matched"] == 40
    for state, count in whole["counts"].items():
        found = asked(client, state=state)
        assert found["matched"] == len(found["assets"]) == count
        assert {asset["state"] for asset in found["assets"]} <= {state}
        assert found["counts"] == whole["counts"]


@pytest.mark.parametrize(
    ("sort", "key"),
    [
        ("risk", lambda a: a["risk"]),
        ("chance", lambda a: a["chance"] and a["chance"]["mean"]),
        ("hot_spot", lambda a: a["hot_spot"] and a["hot_spot"]["mean"]),
        ("load", lambda a: a["load_peak"]),
        ("name", lambda a: a["name"].lower()),
        ("alerts", lambda a: a["alerts"]),
    ],
)
def test_an_order_holds_both_ways_and_the_unknown_comes_last(client: httpx.Client, sort, key):
    up, down = (
        [key(a) for a in asked(client, sort=sort, direction=d)["assets"]] for d in ("up", "down")
    )
    for values in (up, down):
        unknown = [value is None for value in values]
        assert unknown == sorted(unknown)
    assert [v for v in up if v is not None] == sorted(v for v in up if v is not None)
    assert [v for v in down if v is not None] == sorted(
        (v for v in down if v is not None), reverse=True
    )


def test_a_life_beyond_the_horizon_is_the_longest(client: httpx.Client):
    lives = [a["years_left"] for a in asked(client, sort="life")["assets"]]
    told = [life["median"] for life in lives if life is not None]
    beyond = [median is None for median in told]
    assert beyond == sorted(beyond) and any(beyond) and not all(beyond)
    assert lives[len(told) :] == [None] * (len(lives) - len(told))


def test_pages_part_the_list(client: httpx.Client):
    whole = [a["id"] for a in asked(client)["assets"]]
    pages = [asked(client, per_page=7, page=n) for n in range(1, 7)]
    assert pages[0]["pages"] == 6
    assert [a["id"] for page in pages for a in page["assets"]] == whole
    assert asked(client, per_page=7, page=7)["assets"] == []


def test_words_are_searched_in_name_site_and_id_and_signs_mean_themselves(client: httpx.Client):
    found = asked(client, q="transformer SITE")["assets"]
    assert len(found) == 39  # all but one, which has another name
    assert all("Transformer" in a["name"] and "Site" in a["site"] for a in found)
    assert [a["id"] for a in asked(client, q="t17")["assets"]] == ["T17"]
    assert asked(client, q="%")["matched"] == asked(client, q="_")["matched"] == 0
    assert asked(client, q="<script>")["matched"] == 1


def test_where_nothing_can_be_told_no_number_stands(client: httpx.Client):
    for state in ("cannot tell", "refused", "failed", "not assessed"):
        for asset in asked(client, state=state)["assets"]:
            numbers = ("hot_spot", "years_left", "chance", "risk", "load_peak")
            assert [asset[name] for name in numbers] == [None] * 5
    page = client.get("/", params={"state": "cannot tell"}).text
    assert 'class="badge unknown"' in page and "°C" not in page


def test_the_table_has_the_assets_of_the_list_and_no_formula(own: MadeFleet):
    with Catalogue(own.directory) as catalogue:
        catalogue.register([AssetRow(id="=1+1", name="@SUM(A1)", site="-2")])
        whole = fleet_view(catalogue, FleetQuery())
    from agewise.server.api.fleet import fleet_csv

    rows = list(csv.DictReader(io.StringIO(fleet_csv(whole.assets))))
    assert len(rows) == whole.total
    assert not any(cell[:1] in ("=", "@") for row in rows for cell in row.values())
    assert [row["years_left_middle"] for row in rows if row["id"] == "T1"] == ["4.0"]


def test_a_name_is_never_markup(client: httpx.Client):
    page = client.get("/").text
    assert HOSTILE not in page and "&lt;script&gt;alert" in page


def test_three_hundred_assets_take_less_than_a_second(fleet: MadeFleet, client: httpx.Client):
    with Catalogue(fleet.directory) as catalogue:
        known = {asset.id for asset in catalogue.assets()}
        catalogue.register(AssetRow(id=f"X{n}", name=f"X{n}") for n in range(300 - len(known)))
        try:
            client.get("/")
            begun = time.process_time()
            page = client.get("/")
            assert time.process_time() - begun < 1.0
            assert page.text.count('name="asset"') == 300
        finally:
            from sqlalchemy import delete

            with catalogue.writing() as session:
                session.execute(delete(AssetRow).where(AssetRow.id.like("X%")))
