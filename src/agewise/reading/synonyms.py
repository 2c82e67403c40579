"""What other people call our columns, in six languages."""

import re
import unicodedata

STAMP = (
    "timestamp utc datetime date_time time_stamp localtime utctime instant instante momento "
    + (
        "zeitstempel zeitpunkt datum_zeit datum_uhrzeit fecha_hora fecha_y_hora fechahora "
        "marca_tiempo marca_temporal horodatage horodate date_heure date_et_heure data_hora "
        "data_e_hora datahora data_ora data_e_ora"
    )
)
"""Headers of a date with a time of day in one column."""
DATE = "date day fecha dia datum tag jour data giorno"
"""Headers of a date without a time of day."""
CLOCK = (
    "time clock hour elapsed elapsed_time minutes hora tiempo uhrzeit zeit heure temps tempo ora "
    "orario"
)
"""Headers of a time of day, or of a time that counts from the start."""
LOAD = (
    "load loading load_factor load_current load_level current i i_sec i_s i_lv i_rms i_load i2 "
    "lv_current secondary_current phase_current apparent_power power s s_app "
    "carga corriente corriente_carga corriente_secundario corriente_secundaria potencia "
    "potencia_aparente factor_carga charge taux_charge courant courant_charge courant_secondaire "
    "puissance puissance_apparente last belastung auslastung lastfaktor strom laststrom "
    "sekundarstrom sekundaerstrom scheinleistung leistung carregamento corrente corrente_carga "
    "corrente_secundario carico corrente_carico corrente_secondaria potenza potenza_apparente"
)
"""Headers of the load, as current, apparent power or share of the rating."""
ACTIVE = (
    "p active_power real_power wirkleistung potencia_activa puissance_active potencia_ativa "
    "potenza_attiva"
)
"""Headers of active power, which gives a load only with the reactive power beside it."""
REACTIVE = (
    "q reactive_power blindleistung potencia_reactiva puissance_reactive potencia_reativa "
    "potenza_reattiva"
)
"""Headers of reactive power."""
AMBIENT = (
    "ambient amb ambience ambient_air air air_ambient outdoor outdoor_air outside outside_air "
    "environment env dry_bulb ta ati theta_a ambiente aire aire_ambiente ambiente_aire exterior "
    "aire_exterior ambiante ambiant air_ambiant air_exterieur exterieur exterieure umgebung "
    "umgebungstemperatur umgebungsluft umgebungslufttemperatur umgebungstemp aussen "
    "aussentemperatur aussenluft aussenlufttemperatur aussentemp luft lufttemperatur lufttemp "
    "ar ar_ambiente ar_exterior externa externo aria aria_esterna esterna esterno"
)
"""Headers of the temperature of the air."""
TOP_OIL = (
    "top_oil oil_top topoil tot oti top_oil_temperature upper_oil oil_upper oil theta_o "
    "aceite_superior aceite_sup aceite capa_superior capa_superior_aceite aceite_capa_superior "
    "nivel_superior_aceite aceite_tope tope_aceite huile_superieure huile_sup huile_haut "
    "haut_huile huile huile_partie_superieure oltemperatur_oben oltemp_oben ol_oben "
    "oberes_ol obere_oltemperatur oltemperatur oltemp oeltemperatur_oben oeltemp_oben oel_oben "
    "oberes_oel obere_oeltemperatur oeltemperatur oeltemp oleo oleo_superior oleo_topo "
    "topo_oleo olio olio_superiore olio_top olio_sup strato_superiore_olio"
)
"""Headers of the top-oil temperature; `ö` loses its dots in `words_of`, but some write `oe`."""
BOTTOM_OIL = (
    "bottom_oil oil_bottom lower_oil oil_lower bottom bot bot_oil oil_bot bottom_of_oil theta_b "
    "aceite_inferior aceite_inf capa_inferior capa_inferior_aceite aceite_capa_inferior "
    "nivel_inferior_aceite aceite_fondo fondo_aceite huile_inferieure huile_inf huile_bas "
    "bas_huile huile_fond huile_partie_inferieure oltemperatur_unten oltemp_unten ol_unten "
    "unteres_ol untere_oltemperatur oeltemperatur_unten oeltemp_unten oel_unten unteres_oel "
    "untere_oeltemperatur oleo_inferior oleo_fundo fundo_oleo oleo_base olio_inferiore olio_inf "
    "olio_basso olio_fondo fondo_olio strato_inferiore_olio"
)
"""Headers of the temperature of the oil at the bottom."""
WINDING = (
    "winding wti wdg hot_spot hottest_spot hst winding_hot_spot hot_spot_winding winding_indicator "
    "winding_temperature_indicator theta_h devanado bobinado arrollamiento punto_caliente "
    "punto_caliente_devanado enroulement bobinage point_chaud point_chaud_enroulement wicklung "
    "wicklungstemperatur wicklungstemp heisspunkt heisspunkttemperatur heisspunkttemp "
    "hotspottemperatur enrolamento ponto_quente ponto_quente_enrolamento avvolgimento punto_caldo "
    "punto_caldo_avvolgimento"
)
"""Headers of a winding temperature indicator, which shows the hot spot."""
FILLERS = (
    "utc gmt local t temp temps temperature temperatures temperatura temperaturas temperatur "
    "temperaturen temper tmp mean avg average value val "
    "measured actual device logger recorded record sample event medio media promedio moyen "
    "moyenne mittel mittelwert wert valeur valor valore "
    "messwert medida medido transformer trafo transformador transformateur transformator "
    "trasformatore tr of the de del della dell do da du des der l la le el lo d di en im in"
)
"""Words that say nothing about which of our columns is meant."""


def _compact(words: str) -> frozenset[str]:
    """Names without separators, as they are compared: `top_oil` and `topoil` are one."""
    return frozenset(word.replace("_", "") for word in words.split())


IDLE = _compact(FILLERS)
"""The fillers, as they are compared."""
SYNONYMS: dict[str, frozenset[str]] = {
    "stamp": _compact(STAMP),
    "date": _compact(DATE),
    "clock": _compact(CLOCK),
    "load": _compact(LOAD),
    "active": _compact(ACTIVE),
    "reactive": _compact(REACTIVE),
    "ambient": _compact(AMBIENT),
    "top_oil": _compact(TOP_OIL),
    "bottom_oil": _compact(BOTTOM_OIL),
    "winding": _compact(WINDING),
}


def meaning(header: str) -> str | None:
    """What a header without its unit means: a key of `SYNONYMS`, None when it means nothing."""
    words = words_of(header)
    # All words first, since a filler can be part of a name: `utc` alone is a time.
    telling = "".join(word for word in words if word not in IDLE)
    for name in ("".join(words), telling):
        for role, names in SYNONYMS.items():
            if name in names:
                return role
    return None


def words_of(header: str) -> list[str]:
    """Words in small letters without accents; `TopOilTemp` are three."""
    # Before capitals are lost: where a small letter meets a capital, or an abbreviation a word.
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", header)
    # Decomposed, an accented letter is the plain one and a mark, which is dropped.
    plain = unicodedata.normalize("NFKD", apart.casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return [word for word in re.split(r"[\W_]+", plain) if word]
