"""Rule sets: the fields, the presets, variants, and what is refused. RULES §9."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim.rules import (
    OTTOCENTO,
    OTTOCENTO_DIGITAL,
    PARTITA,
    RulesError,
    RuleSet,
    load_rules,
)
from sim.signals import Conventions, SignalError, all_signals, read_conventions
from tests.helpers import each_preset, naive_rules
from tests.naive import rulesets

POINT_A_PAIR = {"counting": "point_a_pair"}
# Every field with values that can be played, and what else must change for them.
PLAYABLE: dict[str, list[tuple[RuleSet, Any, dict[str, Any]]]] = {
    "pack": [
        (OTTOCENTO, "piedmontese", {"combinations": False}),
        (PARTITA, "tarocchino", {}),
    ],
    "discards": [(OTTOCENTO, 2, {}), (PARTITA, 2, {})],
    "discard_trumps": [(OTTOCENTO, "forced_exposed", {}), (PARTITA, "free", {})],
    "first_lead": [(OTTOCENTO, "dealer", {}), (PARTITA, "eldest", {})],
    "combinations": [(OTTOCENTO, False, {}), (PARTITA, False, {})],
    "trick_combinations": [(OTTOCENTO, False, {}), (OTTOCENTO_DIGITAL, True, {})],
    "fool_in_lost_trick": [(OTTOCENTO, True, {})],
    "fool_exchange": [(OTTOCENTO, "none", POINT_A_PAIR), (PARTITA, "end_of_hand", {})],
    "suit_second_wild": [(OTTOCENTO, False, {}), (PARTITA, None, {}), (PARTITA, True, {})],
    "grande_wild_before_16": [(OTTOCENTO, False, {}), (OTTOCENTO_DIGITAL, True, {})],
    "declare": [(OTTOCENTO, "all_or_nothing", {}), (OTTOCENTO_DIGITAL, "any_subset", {})],
    "declare_when": [(OTTOCENTO, "before_own_first_card", {}), (PARTITA, None, {})],
    "last_trick_points": [(OTTOCENTO, 0, {}), (OTTOCENTO, 10, {}), (PARTITA, 6, {})],
    "counting": [
        (OTTOCENTO, "point_a_pair", {}),
        (PARTITA, "half_point_a_card", {"fool_exchange": "end_of_hand"}),
    ],
    "game": [(OTTOCENTO, "single_hand", {"target": None}), (PARTITA, "single_hand", {})],
    "target": [(OTTOCENTO, 500, {}), (OTTOCENTO, 1, {})],
    "long_suit_min": [(PARTITA, 5, {}), (OTTOCENTO, 4, {})],
    "pagat_risk_trumps": [(PARTITA, 0, {}), (PARTITA, 2, {})],
}
# Every field with values that are refused, and a piece of the reason.
REFUSED: list[tuple[RuleSet, dict[str, Any], str]] = [
    (OTTOCENTO, {"pack": "piquet"}, 'pack = "piquet": expected "tarocchino" or "piedmontese"'),
    (OTTOCENTO, {"pack": None}, "pack = None"),
    (OTTOCENTO, {"pack": "piedmontese"}, "no combinations"),
    (PARTITA, {"combinations": True, "declare": "any_subset"}, "expected"),
    (OTTOCENTO, {"discards": 3}, "62 = 4 x 15 + 2"),
    (OTTOCENTO, {"discards": 1}, "expected 2"),
    (PARTITA, {"discards": 3}, "54 = 4 x 13 + 2"),
    (OTTOCENTO, {"discards": "2"}, "expected 2"),
    (OTTOCENTO, {"discards": 2.0}, "expected 2"),
    (OTTOCENTO, {"discards": True}, "expected 2"),
    (OTTOCENTO, {"discard_trumps": "never"}, 'expected "free" or "forced_exposed"'),
    (OTTOCENTO, {"first_lead": "youngest"}, 'expected "eldest" or "dealer"'),
    (OTTOCENTO, {"combinations": "yes"}, 'combinations = "yes": expected true or false'),
    (OTTOCENTO, {"combinations": 1}, "combinations = 1: expected true or false"),
    (OTTOCENTO, {"combinations": None}, "expected true or false"),
    (OTTOCENTO, {"trick_combinations": 0}, "expected true or false"),
    (OTTOCENTO, {"trick_combinations": True, "combinations": False}, "without combinations"),
    (PARTITA, {"trick_combinations": True}, "without combinations"),
    (OTTOCENTO, {"fool_in_lost_trick": "no"}, "expected true or false"),
    (OTTOCENTO, {"fool_exchange": "at_once"}, 'expected "end_of_hand" or "none"'),
    (OTTOCENTO, {"fool_exchange": "none"}, "piles would be odd"),
    (PARTITA, {"counting": "half_point_a_card"}, "piles would be odd"),
    (OTTOCENTO, {"suit_second_wild": None}, "expected true or false"),
    (OTTOCENTO, {"suit_second_wild": 1}, "expected true or false"),
    (OTTOCENTO, {"grande_wild_before_16": None}, "expected true or false"),
    (OTTOCENTO, {"grande_wild_before_16": "yes"}, "expected true or false"),
    (OTTOCENTO, {"declare": None}, 'expected "any_subset" or "all_or_nothing"'),
    (OTTOCENTO, {"declare": "some"}, 'expected "any_subset" or "all_or_nothing"'),
    (OTTOCENTO, {"declare_when": None}, '"before_first_trick" or "before_own_first_card"'),
    (OTTOCENTO, {"declare_when": "never"}, '"before_first_trick" or "before_own_first_card"'),
    (OTTOCENTO, {"last_trick_points": -1}, "expected a whole number"),
    (OTTOCENTO, {"last_trick_points": 1001}, "expected a whole number from 0 to 1000"),
    (OTTOCENTO, {"last_trick_points": 6.5}, "expected a whole number"),
    (OTTOCENTO, {"last_trick_points": True}, "expected a whole number"),
    (OTTOCENTO, {"last_trick_points": None}, "expected a whole number"),
    (OTTOCENTO, {"counting": "by_hand"}, 'expected "half_point_a_card" or "point_a_pair"'),
    (OTTOCENTO, {"game": "rubber"}, 'expected "to_target" or "single_hand" or "four_hands"'),
    (OTTOCENTO, {"target": None}, "expected a whole number"),
    (OTTOCENTO, {"target": 0}, "expected a whole number"),
    (OTTOCENTO, {"target": "800"}, "expected a whole number"),
    (OTTOCENTO, {"target": 800.0}, "expected a whole number"),
    (PARTITA, {"long_suit_min": 0}, "expected a whole number"),
    (PARTITA, {"long_suit_min": "four"}, "expected a whole number"),
    (PARTITA, {"pagat_risk_trumps": -1}, "expected a whole number"),
    (PARTITA, {"pagat_risk_trumps": 22}, "expected a whole number"),
    (OTTOCENTO, {"name": 7}, "expected a string"),
]


@each_preset
def test_presets_have_the_values_of_the_table(rules: RuleSet) -> None:  # RULES §9
    assert naive_rules(rules) == rulesets.PRESETS[rules.name]
    assert load_rules(rules.name) is rules


def test_every_field_is_tried() -> None:
    fields = set(naive_rules(OTTOCENTO))
    assert set(PLAYABLE) == fields
    assert {field for _, changes, _ in REFUSED for field in changes} == fields | {"name"}


@pytest.mark.parametrize("field", PLAYABLE)
def test_values_that_can_be_played(field: str) -> None:  # RULES §9
    for rules, value, others in PLAYABLE[field]:
        changed = rules.replace(**{field: value, **others})
        told = changed.to_dict()
        assert told[field] == value
        untouched = set(told) - {field, *others, "name", "trick_combinations"}
        assert {k: told[k] for k in untouched} == {k: rules.to_dict()[k] for k in untouched}


@pytest.mark.parametrize(
    ("rules", "changes", "told"), REFUSED, ids=[f"{r.name} {c}" for r, c, _ in REFUSED]
)
def test_values_that_are_refused(rules: RuleSet, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(RulesError) as error:  # RULES §9
        rules.replace(**changes)
    assert told in str(error.value)
    assert "expected" in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    with pytest.raises(RulesError):
        RuleSet.from_dict(rules.to_dict() | changes)


def test_unknown_field_is_refused() -> None:
    with pytest.raises(RulesError, match="unknown rule field 'trick_combination': expected one of"):
        OTTOCENTO.replace(trick_combination=False)


def test_rule_sets_are_frozen() -> None:
    with pytest.raises(AttributeError):
        OTTOCENTO.discards = 3  # type: ignore[misc]


def test_a_variant_is_named_after_what_differs() -> None:
    variant = OTTOCENTO.replace(trick_combinations=False)
    assert variant.name == "ottocento (trick_combinations=false)"
    assert OTTOCENTO.replace(name="ours", last_trick_points=0).name == "ours"
    assert OTTOCENTO.replace() == OTTOCENTO


def test_without_combinations_none_count_in_tricks() -> None:
    assert not OTTOCENTO.replace(combinations=False).trick_combinations


@each_preset
def test_rule_sets_are_read_back(rules: RuleSet) -> None:
    assert RuleSet.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules


def test_reading_back_misses_no_field_and_takes_no_other() -> None:
    for field in OTTOCENTO.to_dict():
        data = OTTOCENTO.to_dict()
        del data[field]
        with pytest.raises(RulesError, match=f"'{field}' is missing"):
            RuleSet.from_dict(data)
    with pytest.raises(RulesError, match="unknown rule field 'jokers'"):
        RuleSet.from_dict({**OTTOCENTO.to_dict(), "jokers": 2})


def write(folder: Path, text: str) -> Path:
    path = folder / "house.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_rule_file_says_what_differs(tmp_path: Path) -> None:  # RULES §9
    path = write(tmp_path, 'base = "ottocento"\nlast_trick_points = 10\ndeclare="all_or_nothing"\n')
    rules = load_rules(path)
    assert rules == OTTOCENTO.replace(name="house", last_trick_points=10, declare="all_or_nothing")
    assert load_rules(str(path)) == rules


@each_preset
def test_a_rule_file_may_hold_every_field(tmp_path: Path, rules: RuleSet) -> None:
    fields = {k: v for k, v in rules.to_dict().items() if v is not None}
    lines = [f"{k} = {json.dumps(v)}" for k, v in fields.items()]
    assert load_rules(write(tmp_path, "\n".join([f'base = "{rules.name}"', *lines]))) == rules


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has base = None: expected ottocento"),
        ("discards = 2", "has base = None"),
        ('base = "tarot"', 'has base = "tarot": expected ottocento, ottocento-digital, partita'),
        ("base = 1", "has base = 1"),
        ('base = ["ottocento"]', "has base = "),
        ('base = "ottocento"\ndiscards = 3', "62 = 4 x 15 + 2"),
        ('base = "ottocento"\ncolour = "red"', "unknown rule field 'colour'"),
        ('base = "ottocento"\ntarget = "many"', 'target = "many": expected a whole number'),
        ('base = "ottocento"\ncombinations = "yes"', "expected true or false"),
        ('base = "ottocento"\npack = "piedmontese"', "no combinations"),
        ('base = "ottocento"\nfool_exchange = "none"', "piles would be odd"),
        ('base = "ottocento"\nname = 5', "name = 5: expected a string"),
        ('base = "ottocento"\nself = 5', "unknown rule field 'self'"),
        ('base = "ottocento"\n[pack]\nname = "x"', "expected"),
        ('base = "ottocento"\ndeclare = ["any_subset"]', "expected"),
        ("base = ottocento", "is not TOML"),
    ],
)
def test_wrong_rule_files_are_refused_by_name(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(RulesError) as error:
        load_rules(write(tmp_path, text))
    assert told in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert "house.toml" in str(error.value)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot read the rule file"):
        load_rules(tmp_path / "none.toml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(RulesError, match="cannot read the rule file"):
        load_rules(tmp_path / "folder.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe8"')
    with pytest.raises(RulesError, match="is not TOML"):
        load_rules(tmp_path / "latin.toml")


@pytest.mark.parametrize("source", ["tarock", "", "ottocento.json", "Ottocento "])
def test_unknown_rules_are_refused(source: str) -> None:
    with pytest.raises(RulesError, match="expected ottocento, ottocento-digital, partita, or a"):
        load_rules(source)


def test_a_rule_set_tells_its_signals() -> None:  # RULES §6
    assert OTTOCENTO.told == "ottocento"
    tables = {
        "all": "ottocento with all signals",
        "drag,knock": "ottocento with the signals knock, drag",
    }
    for text, told in tables.items():
        assert OTTOCENTO.with_signals(read_conventions(text, OTTOCENTO.pack)).told == told


@pytest.mark.parametrize(
    "conventions", [all_signals("piedmontese"), Conventions(("nonsense",))], ids=["other", "none"]
)
def test_signals_of_another_game_are_refused(conventions: Conventions) -> None:  # RULES §6, §7
    with pytest.raises(SignalError, match=r"unknown signal .*: expected knock, throw, drag"):
        OTTOCENTO.with_signals(conventions)


def test_signals_that_are_no_conventions_are_refused() -> None:
    with pytest.raises(RulesError, match="signals = 'all': expected Conventions"):
        OTTOCENTO.with_signals("all")  # type: ignore[arg-type]
