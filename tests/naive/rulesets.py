"""The three presets (RULES §9)."""

from typing import Any

OTTOCENTO: dict[str, Any] = {
    "pack": "tarocchino",
    "discards": 2,
    "discard_trumps": "free",
    "first_lead": "eldest",
    "combinations": True,
    "trick_combinations": True,
    "fool_in_lost_trick": False,
    "fool_exchange": "end_of_hand",
    "suit_second_wild": True,
    "grande_wild_before_16": True,
    "declare": "any_subset",
    "declare_when": "before_first_trick",
    "last_trick_points": 6,
    "counting": "half_point_a_card",
    "game": "to_target",
    "target": 800,
    "long_suit_min": None,
    "pagat_risk_trumps": None,
}

OTTOCENTO_DIGITAL: dict[str, Any] = {
    "pack": "tarocchino",
    "discards": 2,
    "discard_trumps": "free",
    "first_lead": "eldest",
    "combinations": True,
    "trick_combinations": False,
    "fool_in_lost_trick": False,
    "fool_exchange": "end_of_hand",
    "suit_second_wild": True,
    "grande_wild_before_16": False,
    "declare": "all_or_nothing",
    "declare_when": "before_own_first_card",
    "last_trick_points": 6,
    "counting": "half_point_a_card",
    "game": "single_hand",
    "target": None,
    "long_suit_min": None,
    "pagat_risk_trumps": None,
}

PARTITA: dict[str, Any] = {
    "pack": "piedmontese",
    "discards": 2,
    "discard_trumps": "forced_exposed",
    "first_lead": "dealer",
    "combinations": False,
    "trick_combinations": False,
    "fool_in_lost_trick": False,
    "fool_exchange": "none",
    "suit_second_wild": None,
    "grande_wild_before_16": None,
    "declare": None,
    "declare_when": None,
    "last_trick_points": 0,
    "counting": "point_a_pair",
    "game": "four_hands",
    "target": None,
    "long_suit_min": 4,
    "pagat_risk_trumps": 1,
}

PRESETS: dict[str, dict[str, Any]] = {
    "ottocento": OTTOCENTO,
    "ottocento-digital": OTTOCENTO_DIGITAL,
    "partita": PARTITA,
}
