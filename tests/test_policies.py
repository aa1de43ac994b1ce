"""Policies in play: their own seats, what is random, what is known of parts."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from sim.cards import indices
from sim.hands import finish, play_hands
from sim.kernels.streams import hand_key
from sim.policies import policy as policy_module
from sim.policies.policy import Policy, part_of
from sim.policies.spec import POLICIES, parse_policies
from sim.rules import OTTOCENTO, PARTITA, RuleSet
from tests.helpers import (
    CHOOSY,
    LOWEST,
    SEATS,
    assert_same,
    compiled_only,
    declare_if_due,
    each_preset,
    naive_rules,
    names,
    policy_file,
    replay,
    row_dicts,
)
from tests.naive import discards

# ---- one loop for all, or for one ---------------------------------------------------------


@each_preset
def test_called_by_address_the_same_rows_come_out(
    rules: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    for spec in POLICIES:
        expected = play_hands(rules, parse_policies(spec), 305, 0, 300, log_plays=True)
        with monkeypatch.context() as patch:
            # As a user's file is: called by address.
            patch.setattr(policy_module.Policy, "files", property(lambda self: (Path(__file__),)))
            by_address = [Policy(spec, **POLICIES[spec].parts) for _ in SEATS]
            rows = play_hands(rules, by_address, 305, 0, 300, log_plays=True)
        assert_same(rows, expected)


@each_preset
def test_each_seat_plays_its_own_policy(rules: RuleSet, tmp_path: Path) -> None:
    path = policy_file(
        tmp_path, LOWEST + LOWEST.replace("lowest(", "highest(").replace("bottom", "top")
    )
    specs = [f"{path}:bottom", f"{path}:top", "random", f"{path}:top"]
    rows = play_hands(rules, parse_policies(specs), 306, 0, 40, log_plays=True)
    for row in row_dicts(rules, rows):
        position = replay(rules, row, 0, seed=306)
        for card in row["plays"]:
            legal = list(indices(position.legal))
            wanted = {0: legal[:1], 1: legal[-1:], 2: legal, 3: legal[-1:]}[position.seat]
            assert card in wanted
            declare_if_due(position, [row.get(f"declared{seat}", 0) for seat in SEATS])
            position.play(card)


# ---- random -------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
@pytest.mark.parametrize("cards", [0, 1, 2, 3, 21, 38])
@compiled_only
def test_random_plays_every_legal_card_alike(rules: RuleSet, cards: int) -> None:
    policies, n, tests = parse_policies("random"), 3_000, 0
    rows = play_hands(rules, policies, 307, 0, 6, log_plays=True)
    for row in row_dicts(rules, rows):
        start = replay(rules, row, cards, seed=307)
        positions = []
        for hand in range(n):
            positions.append(start.copy())
            positions[-1].hidden.key = hand_key(np.uint64(308), hand)
        played = finish(positions, policies).plays[:, cards]
        legal = list(indices(start.legal))
        counts = np.bincount(played, minlength=rules.cards.size)
        assert counts[legal].sum() == n
        if len(legal) > 1:
            assert stats.chisquare(counts[legal]).pvalue > 1e-3 / 72
            tests += 1
    assert tests > 0


@pytest.mark.parametrize("rules", [OTTOCENTO, PARTITA], ids=lambda rules: rules.name)
@compiled_only
def test_random_discards_every_legal_pair_alike(rules: RuleSet) -> None:
    rows = play_hands(rules, parse_policies("random"), 309, 0, 60_000)
    barred = rules.cards.honours | rules.cards.rank("K")
    if rules.discard_trumps == "forced_exposed":
        barred |= rules.cards.trumps
    places: dict[int, list[tuple[int, int]]] = {}
    for dealer, hand, discard in zip(rows.dealer, rows.hand.T, rows.discard, strict=True):
        allowed = list(indices(int(hand[dealer]) & ~barred))
        if len(allowed) < 2:  # trumps are forced
            continue
        first, second = indices(int(discard))
        pair = allowed.index(first), allowed.index(second)
        places.setdefault(len(allowed), []).append(pair)
    for n_allowed, pairs in places.items():
        all_pairs = list(combinations(range(n_allowed), 2))
        if n_allowed > 2 and len(pairs) >= 20 * len(all_pairs):
            counts = [pairs.count(pair) for pair in all_pairs]
            assert stats.chisquare(counts).pvalue > 1e-3 / 12


@pytest.mark.parametrize("name", ["random", "low"])
@compiled_only
def test_discards_are_legal_where_trumps_are_forced(name: str) -> None:  # RULES §7
    # In the tarocchino pack too, where the World is barred.
    for rules in (PARTITA, OTTOCENTO.replace(discard_trumps="forced_exposed")):
        rows = play_hands(rules, parse_policies(f"random+discard:{name}"), 310, 0, 2_000)
        for dealer, hand, discard in zip(rows.dealer, rows.hand.T, rows.discard, strict=True):
            legal = discards.legal_discards(names(int(hand[dealer]), rules), naive_rules(rules))
            assert frozenset(names(int(discard), rules)) in legal


# ---- parts --------------------------------------------------------------------------------


def test_parts_are_declared_with_what_is_known_of_them() -> None:
    @policy_module.play(name="mine", version=3, reasons=("why", "not"), boldness=1)
    def function(view, weights):
        """Plays well.

        And more.
        """
        return 0, 0

    part = part_of(function)
    assert (part.kind, part.name, part.version) == ("play", "mine", 3)
    assert part.reasons == ("why", "not")
    assert part.parameters == {"boldness": 1.0}
    assert part.description == "Plays well."
    assert part.to_dict() == {"name": "mine", "version": 3, "parameters": {"boldness": 1.0}}
    changed = part.with_parameters({"boldness": 2.0, "other": 3.0})
    assert changed.parameters == {"boldness": 2.0} and part.parameters == {"boldness": 1.0}


@compiled_only
def test_choosy_declares_some_and_withholds_some() -> None:
    # The policy of other tests reaches what they rely on it for.
    rows = play_hands(OTTOCENTO, parse_policies(CHOOSY), 313, 0, 2_000)
    assert ((rows.declared & 0xFFF != 0) & (rows.declared >> 12 != 0)).any()
    assert (rows.declared >> 12 == 3).any()
    assert ((rows.declared & 0xFFF != rows.held) & (rows.declared & 0xFFF != 0)).any()
