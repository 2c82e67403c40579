"""Where units stand: towns and their climates."""

from agewise.twin.weather import EXTREMADURA, SEVILLE, Site

PLACES = {
    "Sevilla": SEVILLE,
    "Badajoz": EXTREMADURA,
    "Helsinki": Site(60.2, 24.9, 26.0, "Europe/Helsinki", winter=(-7.0, -2.0), summer=(13.0, 22.0)),
    "Hamburg": Site(53.6, 10.0, 15.0, "Europe/Berlin", winter=(-1.0, 4.0), summer=(13.0, 23.0)),
    "Lyon": Site(45.8, 4.8, 170.0, "Europe/Paris", winter=(1.0, 7.0), summer=(16.0, 28.0)),
    "Milano": Site(45.5, 9.2, 120.0, "Europe/Rome", winter=(-1.0, 6.0), summer=(18.0, 30.0)),
    "Athina": Site(38.0, 23.7, 100.0, "Europe/Athens", winter=(7.0, 13.0), summer=(23.0, 33.0)),
    "Phoenix": Site(
        33.4, -112.0, 340.0, "America/Phoenix", winter=(7.0, 20.0), summer=(28.0, 41.0)
    ),
}
"""Places by name: daily minimum and maximum of the coldest and the warmest month, rounded from the
normals of each town's weather service."""
