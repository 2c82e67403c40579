"""Synthetic weather at a site, minute by minute: the sun through broken clouds, and the air.

A clear sky from astronomy, clouds and temperature from a few random processes. It imitates typical
weeks; it forecasts nothing.
"""

from dataclasses import dataclass
from itertools import accumulate, islice

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy.fft import irfft, rfft, rfftfreq
from scipy.special import expit

from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

YEAR_S = 365.2425 * SECONDS_PER_DAY
"""Length of a year [s], the Gregorian mean, so that no season jumps at New Year."""

LINKE_TURBIDITY = 2.7
"""Linke turbidity of a clear sky: 0.5 below the annual mean of Remund et al. (Worldwide Linke
turbidity information, ISES 2003) at the reservoir, within their error of 0.73; a clear June noon
then has 1000 W/m2."""
SUN_STEP_S = 300.0
"""Step of the clear sky [s], linear between: off by 0.1 W/m2 by day, 2 W/m2 at sunrise."""

# Air. Pairs are winter, summer; hours are mean solar time.
WARMEST_S = 205 * SECONDS_PER_DAY
"""Warmest day, 25 July [s]: inland air lags the solstice by about five weeks."""
COLDEST_H = (7.2, 4.2)
"""Coldest hour of the day [h]: sunrise at 37 to 40 degrees north."""
WARMEST_H = 14.8
"""Warmest hour of the day [h]: the air lags the sun by almost three hours."""
DAY_TO_DAY_K, DAY_TO_DAY_H = 1.8, 30.0
"""Standard deviation [K] and correlation time [h] of passing air masses."""
SWING = 0.1
"""Relative standard deviation of the day's range, which wind and cloud change."""
SLOW_K, SLOW_H = 0.5, 3.0
"""Standard deviation [K] and correlation time [h] of a drift within a day; a squared exponential of
3 h has no power at 1 h."""
ROUGH_K, ROUGH_S = 0.5, 300.0
"""Standard deviation [K] and correlation time [s] of turbulence at a thermometer in the open."""

# Clouds. Depths are in standard deviations of a latent process, whose figures are set together to
# give about 25 ramps above 200 W/m2 per minute a June day, as real weeks have, and loads under
# which the bundled solar transformer ages by minutes in four days.
CLEARNESS = (0.1, 0.4)
"""Threshold of cloud, in winter and in summer, for unsettled weeks: three quarters of the clear
sky's energy arrive in June, less in winter."""
WEATHER, WEATHER_H = 0.7, 10.0
"""Standard deviation of that threshold and its correlation time [h]: clear, broken or overcast for
the better part of a day."""
CONVECTION = 0.6
"""Depth that the day adds: cumulus grows with the heated ground, most in the afternoon."""
GROUP_S, CLOUD_S = 3000.0, 300.0
"""Time in which a group of clouds and one cloud pass [s]: about 2 km at 7 m/s."""
CLOUD_SHARE = 0.12
"""Share of single clouds in the variance of the depth; the rest is that of groups."""
EDGE = 0.1
"""Depth over which a cloud turns opaque. It is sharp: water clouds need tens of metres."""
SHUTTER_S = 30.0
"""Time over which the disc of the sun, the instrument and a minute's mean blur an edge [s]."""
SHADE, THICKENING = 0.45, 0.3
"""Share of clear sky under the rim of a cloud, and its decay inwards: from 0.45 to 0.15."""
ENHANCEMENT, GAP, HALO = 0.185, 0.25, 0.25
"""Largest gain beside a cloud, its distance from the edge and its width. Single seconds gain more,
but minutes of the June weeks imitated here stay below 1190 W/m2."""
BRIGHTNESS = 1.5
"""Standard deviation of the gain's log-odds from day to day: low thick clouds scatter more."""

Samples = Float[np.ndarray, " time"]
"""A series over uniform times."""


@dataclass(frozen=True)
class Site:
    """A place north of the equator, and its climate."""

    latitude: float
    """Latitude [degrees north]."""
    longitude: float
    """Longitude [degrees east]."""
    altitude: float
    """Height above the sea [m]."""
    timezone: str
    """IANA name of the zone, for time stamps; the weather itself runs on the sun."""
    winter: tuple[float, float]
    """Mean daily minimum and maximum of the air in the coldest weeks [°C]."""
    summer: tuple[float, float]
    """Mean daily minimum and maximum of the air in the warmest weeks [°C]."""


EXTREMADURA = Site(39.2, -5.6, 330.0, "Europe/Madrid", winter=(3.0, 13.0), summer=(14.4, 32.4))
"""A reservoir. January as in the normals of Badajoz; the summer, cooler by the water than the 35 of
the town, is set so that mid-June runs from 13 to 30 degC."""
SEVILLE = Site(37.4, -5.9, 10.0, "Europe/Madrid", winter=(6.0, 16.0), summer=(20.0, 37.0))
"""A city substation: the normals of the airport (5 to 16, 19 to 35) and the heat of the town."""


def clear_sky(site: Site, times: pd.DatetimeIndex) -> Samples:
    """Global horizontal irradiance without clouds [W/m2], zero at night.

    Ineichen and Perez (Solar Energy 73, 2002) with a constant turbidity, by pvlib.
    """
    from pvlib.irradiance import get_extra_radiation  # slow, and the air does not need it
    from pvlib.location import Location

    seconds, step = _seconds(times), pd.Timedelta(seconds=SUN_STEP_S)
    path = pd.date_range(times[0], times[-1] + step, freq=step).tz_convert(site.timezone)
    extra = get_extra_radiation(path.day_of_year.to_numpy())
    place = Location(site.latitude, site.longitude, site.timezone, site.altitude)
    sky = place.get_clearsky(path, linke_turbidity=LINKE_TURBIDITY, dni_extra=extra)
    # The path goes one step beyond the last time, so that nothing is extrapolated here.
    return np.interp(seconds, _seconds(path), sky["ghi"])


def irradiance(site: Site, times: pd.DatetimeIndex, *, rng: np.random.Generator) -> Samples:
    """Global horizontal irradiance under broken clouds [W/m2].

    The clear sky times the index of `clear_sky_index`: never above 1 + ENHANCEMENT of it.
    """
    seconds = _seconds(times)
    depth = _cloud_depth(site, seconds, rng=rng)
    day = DAY_TO_DAY_H * SECONDS_PER_HOUR
    odds = smooth_noise(seconds, std=BRIGHTNESS, correlation_time_s=day, rng=rng)
    # Imported here, since it takes a while and a substation's twin does without.
    from scipy.ndimage import gaussian_filter1d

    # Odds keep the gain between nothing and its largest.
    index = clear_sky_index(depth, ENHANCEMENT * expit(odds))
    return clear_sky(site, times) * gaussian_filter1d(index, SHUTTER_S / _step(seconds))


def clear_sky_index(depth: Samples, gain: Samples) -> Samples:
    r"""Irradiance over that of a clear sky, by depth $d$ into a cloud (negative: beside it).

    $1 - c (1 - s e^{-b d}) + a\,\mathrm{sech}^2((d + g)/2l)$ with cover $c = 1/(1 + e^{-d/w})$ and
    gain $a$: dark inside, darker in the core, brighter than clear sky where an edge scatters.
    """
    cover = expit(depth / EDGE)
    shade = SHADE * np.exp(-THICKENING * depth)
    return 1 - cover * (1 - shade) + gain * np.cosh((depth + GAP) / (2 * HALO)) ** -2


def ambient(
    site: Site, times: pd.DatetimeIndex, *, rng: np.random.Generator, rough: bool = False
) -> Samples:
    r"""Air temperature [degC], smooth on the scale of an hour unless `rough`.

    $T = m + (1 + g) h\,c + d + n$: the season's middle $m$ and half-range $h$, the day cycle $c$,
    and three slow Gaussian processes: of the swing $g$, from day to day $d$, within a day $n$.
    `rough` adds minutes on top, and leaves the rest as the same generator gives it without.
    """
    seconds = _seconds(times)
    # From pairs of minimum and maximum by season to pairs of seasons.
    low, high = (_seasonal(seconds, *pair) for pair in zip(site.winter, site.summer, strict=True))
    day = DAY_TO_DAY_H * SECONDS_PER_HOUR
    swing = 1 + smooth_noise(seconds, std=SWING, correlation_time_s=day, rng=rng)
    air = (low + high) / 2 + swing * (high - low) / 2 * _day_cycle(site, seconds)
    air += smooth_noise(seconds, std=DAY_TO_DAY_K, correlation_time_s=day, rng=rng)
    air += smooth_noise(seconds, std=SLOW_K, correlation_time_s=SLOW_H * SECONDS_PER_HOUR, rng=rng)
    if rough:
        air += rough_noise(seconds, std=ROUGH_K, correlation_time_s=ROUGH_S, rng=rng)
    return air


def smooth_noise(
    times_seconds: Samples, *, std: float, correlation_time_s: float, rng: np.random.Generator
) -> Samples:
    r"""A path of the Gaussian process with covariance $\sigma^2 e^{-(t-t')^2/2\ell^2}$.

    White noise times the root of the spectrum, $e^{-(\pi f \ell)^2}$: nothing much faster than the
    correlation time $\ell$. Times are uniform.
    """
    step = _step(times_seconds)
    # A circle longer by 8 correlation times, so that the end does not know the beginning.
    circle = 1 << (len(times_seconds) + int(8 * correlation_time_s / step)).bit_length()
    gain = np.exp(-((np.pi * correlation_time_s * rfftfreq(circle, step)) ** 2))
    # The variance of filtered white noise is the squared norm of the filter.
    gain *= std / np.linalg.norm(irfft(gain, circle))
    white = rng.standard_normal(circle)
    return irfft(gain * rfft(white), circle)[: len(times_seconds)]


def rough_noise(
    times_seconds: Samples, *, std: float, correlation_time_s: float, rng: np.random.Generator
) -> Samples:
    r"""A stationary Ornstein-Uhlenbeck path: covariance $\sigma^2 e^{-|t-t'|/\ell}$."""
    decay = np.exp(-_step(times_seconds) / correlation_time_s)
    shocks = rng.standard_normal(len(times_seconds))
    shocks[1:] *= np.sqrt(1 - decay**2)  # the first one is the stationary start
    return std * faded(shocks, decay)


def faded(values: Samples, share: float, before: float = 0.0) -> Samples:
    """Follow $y_n = s y_{n-1} + v_n$ from the value `before` the first one."""
    # A plain loop: importing scipy.signal takes longer than a year of minutes takes here, and a
    # triangular solver of LAPACK rounds otherwise, which would give every seed another twin.
    steps = accumulate(values.tolist(), lambda y, value: value + share * y, initial=before)
    return np.fromiter(islice(steps, 1, None), float, len(values))


def _cloud_depth(site: Site, seconds: Samples, *, rng: np.random.Generator) -> Samples:
    """How far the sun is inside a cloud: a unit process less a threshold that makes days differ."""
    weather = smooth_noise(
        seconds, std=WEATHER, correlation_time_s=WEATHER_H * SECONDS_PER_HOUR, rng=rng
    )
    threshold = _seasonal(seconds, *CLEARNESS) + weather - CONVECTION * _day_cycle(site, seconds)
    groups = rough_noise(seconds, std=1.0, correlation_time_s=GROUP_S, rng=rng)
    clouds = rough_noise(seconds, std=1.0, correlation_time_s=CLOUD_S, rng=rng)
    return np.sqrt(1 - CLOUD_SHARE) * groups + np.sqrt(CLOUD_SHARE) * clouds - threshold


def _seasonal(seconds: Samples, winter: float, summer: float) -> Samples:
    """A cosine through the year, from `winter` in late January to `summer` in late July."""
    warmth = (1 + np.cos(2 * np.pi * (seconds - WARMEST_S) / YEAR_S)) / 2
    return winter + (summer - winter) * warmth


def _day_cycle(site: Site, seconds: Samples) -> Samples:
    r"""The air's day, $-\cos(p + a (1 - \cos p))$ with phase $p$ from the coldest hour.

    -1 at sunrise, 1 at the warmest hour (which fixes $a$), steeper up than down, smooth throughout.
    """
    sunrise = _seasonal(seconds, *COLDEST_H)
    # Mean solar time: the earth turns by 15 degrees an hour.
    solar_h = seconds / SECONDS_PER_HOUR + site.longitude / 15
    phase = 2 * np.pi * (solar_h - sunrise) / 24
    warmest = 2 * np.pi * (WARMEST_H - sunrise) / 24
    # The argument must be pi at the warmest hour.
    skew = (np.pi - warmest) / (1 - np.cos(warmest))
    return -np.cos(phase + skew * (1 - np.cos(phase)))


def _seconds(times: pd.DatetimeIndex) -> Samples:
    """Seconds since 1970, so that no clock change shows."""
    if times.tz is None:
        raise ValueError("times carry no time zone; localise them first, say to the site's.")
    return times.as_unit("ns").asi8 / 1e9


def _step(seconds: Samples) -> float:
    """The one step of a uniform grid [s]."""
    steps = np.diff(seconds)
    if not len(steps) or steps[0] <= 0 or not np.allclose(steps, steps[0]):
        raise ValueError("times must be two or more, rising in equal steps; resample them first.")
    return float(steps[0])
