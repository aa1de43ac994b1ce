"""Signals: their moments, their truth, and what is in force. RULES §6, §7."""

from __future__ import annotations

from dataclasses import replace as changed
from pathlib import Path

import numpy as np
import pytest

from sim.cards import indices
from sim.failures import PolicyFailure
from sim.hands import play_hands
from sim.kernels.predicates import address_of
from sim.kernels.rules_record import rules_record
from sim.kernels.signals import _timely
from sim.kernels.state import NONE
from sim.players import IllegalAnswer
from sim.policies.spec import parse_policies
from sim.replaying import check_against, replay
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from sim.run import Run, resume, simulate
from sim.signals import (
    MOMENTS,
    Conventions,
    Signal,
    SignalError,
    all_signals,
    read_conventions,
)
from sim.text import format_replay
from tests.helpers import compiled_only, contents, naive_rules, names, policy_file
from tests.naive import signals as naive

ALL = [rules.with_signals(all_signals(rules.pack)) for rules in (OTTOCENTO, PARTITA)]
each_game = pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)


@each_game
def test_every_true_statement_and_no_other_passes(rules: RuleSet) -> None:  # RULES §6, §7
    # The club player makes every true statement, so that what is logged is the naive twin's set.
    by_bit = rules.signals.by_bit(rules.pack)
    stated = {signal.name for signal in by_bit.values() if signal.statement != "request"}
    made = set()
    for hand in range(12):
        played = replay(rules, parse_policies("simple+signal:club"), 71, hand)
        hands = [set(names(cards & ~played.discard, rules)) for cards in played.dealt]
        gone = set(names(played.exposed, rules))
        for number, trick in enumerate(played.tricks):
            for position, card in enumerate(trick.cards):
                seat, name = trick.seat_of(card), rules.cards.names[card]
                hands[seat].remove(name)
                gone.add(name)
                own = set(names(played.discard, rules)) if seat == played.dealer else set()
                told = set(played.signal_names[4 * number + position]) & stated
                expected = naive.statements(
                    naive_rules(rules), name, position == 0, hands[seat], gone | own
                )
                assert told == expected, f"hand {hand}, {name}"
                made |= told
    assert made >= stated - {"pagat_at_risk"}


@pytest.mark.parametrize("name", [s.name for s in ALL[1].signals.by_bit("piedmontese").values()])
def test_a_policy_that_says_all_is_stopped_and_named(tmp_path: Path, name: str) -> None:
    rules = PARTITA.with_signals(read_conventions(name, PARTITA.pack))
    path = policy_file(tmp_path, "@policy.signal\ndef f(view, card, weights): return 2**32 - 1\n")
    told = rf"hand \d+, seat \d: the policy .* signals {name} in trick \d+, which is (untrue|not)"
    with pytest.raises(IllegalAnswer, match=told) as caught:
        play_hands(rules, parse_policies(f"{path}:f"), 5, 0, 100)
    played = replay(rules, parse_policies(f"{path}:f"), 5, caught.value.hand)
    assert str(played.error) == str(caught.value)
    assert str(caught.value) in " ".join(format_replay(played).split())


def test_a_liar_is_stopped_where_he_lies(tmp_path: Path) -> None:  # RULES §6, throw
    text = """
@policy.signal
def lie(view, card, weights):
    plain = card >= 0 and view.rules.suit_of[card] & ~view.rules.trumps
    return 2 if plain and view.hand & view.rules.suit_of[card] and view.seat == 2 else 0
"""
    path = policy_file(tmp_path, text)
    with pytest.raises(IllegalAnswer, match="signals throw in trick 0, which is untrue") as caught:
        play_hands(ALL[0], parse_policies(f"{path}:lie"), 5, 0, 50)
    assert (caught.value.seat, caught.value.trick) == (2, 0)
    # What is not in force is heard by nobody, and lies about nothing.
    knock = OTTOCENTO.with_signals(Conventions(("knock",)))
    rows = play_hands(knock, parse_policies(f"{path}:lie"), 5, 0, 50, log_plays=True)
    assert not rows.signals.any()


# Moment, and the cards that it goes with when leading and when following, of a hand that holds
# one more sword, no other cup, and a trump. RULES §7
@pytest.mark.parametrize(
    ("moment", "leading", "following"),
    [
        ("any_card", "S7 CK T9 Fool", "S7 CK T9 Fool"),
        ("any_suit", "S7 CK T9", "S7 CK T9"),
        ("plain_suit", "S7 CK", "S7 CK"),
        ("trump", "T9", "T9"),
        ("leading", "S7 CK T9", ""),
        ("leading_plain_suit", "S7 CK", ""),
        ("leading_trump", "T9", ""),
        ("following", "", "S7 CK T9"),
        ("trump_or_last_of_suit", "CK T9", "CK T9"),
        ("before_partner_leads", "", ""),
    ],
)
def test_the_moments(moment: str, leading: str, following: str) -> None:
    record, index = rules_record(PARTITA), PARTITA.cards.names.index
    hand = 1 << index("S8") | 1 << index("T12")
    for leads, expected in ((True, leading), (False, following)):
        cards = ["S7", "CK", "T9", "Fool"]
        number = MOMENTS.index(moment)
        fits = [card for card in cards if _timely(number, index(card), leads, hand, record)]
        assert fits == expected.split()
    before = moment == "before_partner_leads"
    assert bool(_timely(MOMENTS.index(moment), NONE, False, hand, record)) == before


@each_game
def test_who_ignores_signals_plays_as_if_there_were_none(rules: RuleSet) -> None:
    silent = changed(rules, signals=Conventions())
    plain = play_hands(silent, parse_policies("expert"), 72, 0, 40, log_plays=True)
    deaf = play_hands(rules, parse_policies("expert(signals=0)"), 72, 0, 40, log_plays=True)
    spoken = play_hands(rules, parse_policies("expert(signals=0)+signal:club"), 72, 0, 40, True)
    listening = play_hands(rules, parse_policies("expert"), 72, 0, 40, log_plays=True)
    assert np.array_equal(plain.plays, deaf.plays) and not deaf.signals.any()
    assert np.array_equal(plain.plays, spoken.plays) and spoken.signals.any()
    assert not np.array_equal(plain.plays, listening.plays)


@each_game
def test_a_run_keeps_its_signals_and_conventions(rules: RuleSet, tmp_path: Path) -> None:
    run = simulate(
        rules, 8, seed=3, policies="simple+signal:club", out=tmp_path / "a", log_plays=True
    )
    again = Run.open(tmp_path / "a")
    assert again.manifest.rules == rules
    logged = again.to_arrow(["signals"])["signals"].to_pylist()
    assert {len(bits) for bits in logged} == {16 * rules.tricks}
    for hand in range(8):
        played = replay(rules, parse_policies(run.manifest.specs), 3, hand)
        check_against(again, hand, played)
        assert tuple(np.frombuffer(logged[hand], "<u4").tolist()) == played.signals
    before = contents(tmp_path / "a")
    next((tmp_path / "a" / "hands").iterdir()).unlink()
    resume(tmp_path / "a")
    assert contents(tmp_path / "a") == before


def test_a_hand_with_signals_as_text() -> None:
    text = format_replay(replay(ALL[0], parse_policies("expert"), 1, 0))
    lines = [line for line in text.splitlines() if "signals" in line]
    assert lines and all(line.split()[0] == "seat" for line in lines)


def test_conventions_are_read() -> None:
    assert read_conventions("none", "tarocchino") == Conventions()
    assert read_conventions("all", "tarocchino").names == ("knock", "throw", "drag")
    assert read_conventions("void, has_world", "piedmontese").names == ("has_world", "void")


def test_a_table_may_have_requests_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "village.toml"
    path.write_text('names = ["throw"]\n[[own]]\nname = "cups"\nmoment = "leading"\n', "utf-8")
    found = read_conventions(str(path), "tarocchino")
    assert found.named(1 << 24 | 2, "tarocchino") == ["throw", "cups"]
    assert Conventions.from_dict(found.to_dict(), "tarocchino") == found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("names = 3", "expected names"),
        ('names = ["sing"]', "unknown signal 'sing': expected knock, throw, drag"),
        ('names = []\n[[own]]\nname = "cups"\nmoment = "later"', "moment 'later': expected one"),
        ('names = []\n[[own]]\nname = "knock"\nmoment = "leading"', "expected a new name"),
        ('names = []\n[[own]]\nname = "cups"', "expected a name, a moment"),
        ("names = [", "are not TOML"),
    ],
)
def test_bad_conventions_are_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "village.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(SignalError, match=told):
        read_conventions(str(path), "tarocchino")


TWO_KINGS = """
from sim.kernels.bits import popcount

def two_kings(view, card):
    return popcount(view.hand & view.rules.kings) >= 2
"""
OF_KINGS = """
names = []
[[own]]
name = "two_kings"
moment = "any_card"
true = "village.py:two_kings"
"""


@pytest.fixture
def village(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RuleSet:
    """Ottocento at a table with a statement of its own, whose files are in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("village.py").write_text(TWO_KINGS, "utf-8")
    Path("village.toml").write_text(OF_KINGS, "utf-8")
    return OTTOCENTO.with_signals(read_conventions("village.toml", OTTOCENTO.pack))


def test_a_table_may_have_statements_of_its_own(village: RuleSet) -> None:
    said = 0
    for hand in range(4):
        played = replay(village, parse_policies("simple+signal:club"), 4, hand)
        hands = [cards & ~played.discard for cards in played.dealt]
        cards = [card for trick in played.tricks for card in trick.cards]
        for card, told in zip(cards, played.signal_names, strict=True):
            seat = next(seat for seat in range(4) if hands[seat] >> card & 1)
            hands[seat] ^= 1 << card
            kings = (hands[seat] & village.cards.rank("K")).bit_count()
            assert told == (["two_kings"] if kings >= 2 else [])
            said += len(told)
    assert said


def test_an_own_statement_that_is_untrue_stops_the_run(village: RuleSet) -> None:
    policy_file(Path(), "@policy.signal\ndef lie(view, card, weights): return (card >= 0) << 24\n")
    with pytest.raises(IllegalAnswer, match="signals two_kings in trick 0, which is untrue"):
        play_hands(village, parse_policies("mine.py:lie"), 5, 0, 50)


def test_a_run_records_the_file_of_an_own_statement(village: RuleSet, tmp_path: Path) -> None:
    simulate(village, 8, policies="simple+signal:club", out="run", log_plays=True)
    before = contents(tmp_path / "run")
    next((tmp_path / "run" / "hands").iterdir()).unlink()
    Path("village.py").write_text(TWO_KINGS.replace(">= 2", ">= 1"), "utf-8")
    for kept in (address_of, rules_record):  # as in another process
        kept.cache_clear()
    with pytest.raises(SignalError, match=r"village\.py of a table's statement has changed"):
        resume("run")
    Path("village.py").write_text(TWO_KINGS, "utf-8")
    resume("run")
    assert contents(tmp_path / "run") == before
    Path("village.py").write_text(
        "raise SystemExit('nothing read from a run is executed')", "utf-8"
    )
    assert Run.open("run").manifest.rules.signals.own[0].name == "two_kings"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("two_kings = 3", "is no function"),
        ("three = 3", "defines no 'two_kings'"),
        ("raise ValueError('no')", "fails when it is loaded: ValueError: no"),
        (None, r"cannot be read \(No such file"),
    ],
)
def test_own_statements_that_cannot_be_had_are_refused(
    village: RuleSet, source: str | None, told: str
) -> None:
    Path("village.py").unlink()
    if source is not None:
        Path("village.py").write_text(source, "utf-8")
    with pytest.raises(SignalError, match=told):
        read_conventions("village.toml", OTTOCENTO.pack)


def own_statement(body: str) -> RuleSet:
    """Ottocento with a statement of a table's own that such a function judges."""
    Path("village.py").write_text(f"def two_kings{body}", "utf-8")
    return OTTOCENTO.with_signals(read_conventions("village.toml", OTTOCENTO.pack))


@compiled_only
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("(view, card): return view.hands", "village.py, line 1: two_kings cannot be compiled: Un"),
        ("(view): return True", "village.py: two_kings cannot be compiled: "),
        ("(view, card): return 0.5", "two_kings in village.py answers float: expected True or Fal"),
        ("(view, card): return True, False", "answers (bool, bool): expected True or False"),
        ("(view, card): pass", "answers None: expected True or False"),
    ],
)
def test_an_own_statement_that_cannot_be_compiled_writes_nothing(
    village: RuleSet, body: str, told: str
) -> None:
    with pytest.raises(SignalError) as error:
        simulate(own_statement(body), 8, out="run")
    assert str(error.value).startswith(told) or f"village.py {told}" in str(error.value)
    assert len(str(error.value).splitlines()) == 1 and len(str(error.value)) < 300
    assert not Path("run").exists()


def test_an_own_statement_is_true_of_any_number_but_0(village: RuleSet) -> None:
    signals = []
    for answer in ("kings", "kings != 0"):
        rules = own_statement(
            f"(view, card): kings = view.hand & view.rules.kings; return {answer}"
        )
        policies = parse_policies("simple+signal:club")
        signals.append(play_hands(rules, policies, 5, 0, 4, log_plays=True).signals)
    assert signals[0].any() and (signals[0] == signals[1]).all()


def test_an_own_statement_that_raises_is_named_with_hand_and_seat(village: RuleSet) -> None:
    raises = "(view, card):\n    if view.table.trick == 2 and view.seat == 3:\n"
    raises += "        raise ValueError('no')\n    return True"
    spec = parse_policies("simple+signal:club")
    told = "hand 6, trick 2, of what seat 3 might signal: village.py, line 3: two_kings raises Val"
    with pytest.raises(PolicyFailure, match=told):
        play_hands(own_statement(raises), spec, 5, 6, 4)


def test_own_signals_made_in_python_are_checked() -> None:
    with pytest.raises(SignalError, match="moment 'never': expected one of any_card"):
        Conventions(own=(Signal("sing", "never"),))
    with pytest.raises(SignalError, match="9 own signals: expected 8 at most"):
        Conventions(own=tuple(Signal(f"own{i}", "any_card") for i in range(9)))


def test_all_cards_spoken_of_are_in_the_pack() -> None:
    for rules in ALL:
        cards = int(np.bitwise_or.reduce(rules_record(rules).signal_card))
        assert len([*indices(cards)]) == (6 if rules.pack == "piedmontese" else 0)
