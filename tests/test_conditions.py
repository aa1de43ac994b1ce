"""Deals under conditions: the grammar, what is dealt, and runs of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sim import compositions, manifests
from sim.cards import CardError
from sim.condition_probability import ConditionError
from sim.conditions import read_conditions
from sim.hands import play_hand, play_hands
from sim.manifests import RunError
from sim.policies.spec import parse_policies
from sim.replaying import check_against, replay
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RuleSet
from sim.run import Run, resume, simulate
from tests.helpers import compiled_only, contents, naive_rules, names
from tests.naive import conditions as naive

RANDOM = parse_policies("random")
DEAL, WHERE = "dealer: Pagat Fool; eldest: SK", "dealer.trumps >= 6 and eldest.kings != 2"
# Of all four hands: too much to list, so that a part is met by dealing again.
MIXED = "dealers.trumps <= 14 and others.kings >= 1 and third.grande = 0"


@pytest.fixture(autouse=True)
def _short_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probabilities that are not counted are estimated from few deals."""
    monkeypatch.setattr("sim.condition_probability.PILOT_DEALS", 4_000)


# ---- the grammar --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "canonical"),
    [
        ("dealer: Pagat Fool; eldest: SK", "dealer: Pagat Fool; eldest: SK"),
        ("DEALER:fool,pagat;0 : sk", "dealer: Pagat Fool; 0: SK"),
        ("second: T16 M1; third: Angel; 3: DA", "second: M1 T16; third: Angel; 3: DA"),
    ],
)
def test_fixed_cards_are_read(deal: str, canonical: str) -> None:
    conditions = read_conditions(OTTOCENTO, deal)
    assert (conditions.deal, conditions.where) == (canonical, None)


@pytest.mark.parametrize(
    ("where", "canonical"),
    [
        ("dealer.trumps >= 6", "dealer.trumps >= 6"),
        ("dealer.trumps>=6 AND eldest.kings=0", "dealer.trumps >= 6 and eldest.kings = 0"),
        (" 0.Cups !=  3  and dealers.sk = 1", "0.cups != 3 and dealers.SK = 1"),
        ("others . GRANDE < 1 and 3.pips <= 9", "others.grande < 1 and 3.pips <= 9"),
        ("second.swords_sequence = 0", "second.swords_sequence = 0"),
        ("third.kings_cricca > 0 and third.honours = 0", None),
        ("third.moors = 4 and third.moors_sequence = 1", None),
    ],
)
def test_conditions_are_read(where: str, canonical: str | None) -> None:
    conditions = read_conditions(OTTOCENTO, where=where)
    assert (conditions.deal, conditions.where) == (None, canonical or where)
    again = read_conditions(OTTOCENTO, where=conditions.where)
    assert (again.where, again.probability) == (conditions.where, conditions.probability)


def test_nothing_asked_is_no_condition() -> None:
    conditions = read_conditions(OTTOCENTO)
    assert [conditions.deal, conditions.where, conditions.dealing, conditions.probability] == [
        *[None] * 4
    ]


@pytest.mark.parametrize(
    ("rules", "deal", "told"),
    [
        (OTTOCENTO, "", "'' fixes no cards: expected \"dealer: Pagat Fool\""),
        (OTTOCENTO, "dealer SK", "'dealer SK' fixes no cards"),
        (OTTOCENTO, "dealer: SK;", "'' fixes no cards"),
        (OTTOCENTO, "dealer:", "'dealer:' fixes no cards"),
        (OTTOCENTO, "dealers: SK", "unknown seat or role 'dealers': expected eldest, second"),
        (OTTOCENTO, "4: SK", "unknown seat or role '4'"),
        (OTTOCENTO, "dealer: SK; dealer: BK", "dealer is named twice: expected all its cards"),
        (OTTOCENTO, "dealer: SX", "unknown card 'SX'"),
        (PARTITA, "dealer: M1", "unknown card 'M1'"),
        (OTTOCENTO, "dealer: SK SK", "SK is named twice"),
        (OTTOCENTO, "dealer: SK; eldest: sk", "SK is named twice"),
        (
            OTTOCENTO,
            "eldest: SA S6 S7 S8 S9 S10 SV SC SQ SK BA B6 B7 B8 B9 B10",
            "16 cards are fixed to the eldest: expected at most 15",
        ),
        (
            PARTITA,
            "0: S7 S8 S9 S10 SV SC SQ SK B7 B8 B9 B10 BV BC",
            "14 cards are fixed to the third when seat 1 deals: expected at most 13",
        ),
    ],
)
def test_wrong_fixed_cards_are_refused(rules: RuleSet, deal: str, told: str) -> None:
    with pytest.raises((CardError, ConditionError)) as error:
        read_conditions(rules, deal)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("rules", "where", "told"),
    [
        (OTTOCENTO, "", "'' is no condition: expected WHO.WHAT OP N such as dealer.trumps >= 6"),
        (OTTOCENTO, "dealer.trumps", "'dealer.trumps' is no condition"),
        (OTTOCENTO, "dealer.trumps => 6", "OP one of = != <= >= < >"),
        (OTTOCENTO, "dealer.trumps >= -1", "is no condition"),
        (OTTOCENTO, "dealer.trumps >= 6 or eldest.kings = 0", "is no condition"),
        (OTTOCENTO, "dealer.trumps >= 6 and", "is no condition"),
        (OTTOCENTO, "partner.trumps >= 6", "unknown 'partner': expected eldest, second, third"),
        (OTTOCENTO, "4.trumps >= 6", "unknown '4'"),
        (OTTOCENTO, "dealer.jokers = 1", "unknown 'jokers' under ottocento: expected a card or"),
        (OTTOCENTO, "dealer.kings_sequence = 1", "unknown 'kings_sequence'"),
        (PARTITA, "dealer.grande = 1", "unknown 'grande' under partita"),
        (PARTITA, "dealer.M1 = 1", "unknown 'M1' under partita"),
        (OTTOCENTO, " and ".join(["eldest.SK = 0"] * 17), "17 conditions: expected at most 16"),
    ],
)
def test_wrong_conditions_are_refused(rules: RuleSet, where: str, told: str) -> None:
    with pytest.raises(ConditionError) as error:
        read_conditions(rules, where=where)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("deal", "where", "told"),
    [
        (None, "dealer.trumps > 17", "no deal meets the conditions: expected"),
        (None, "eldest.trumps = 16", "no deal meets"),
        (None, "dealer.kings < 0", "no deal meets"),
        (None, "dealer.trumps >= 6 and dealer.trumps < 6", "no deal meets"),
        (None, "dealer.SK = 1 and eldest.SK = 1", "no deal meets"),
        (None, "dealer.kings = 3 and others.kings = 2", "no deal meets"),
        (None, "dealers.grande = 1 and others.grande = 1", "no deal meets"),  # one Angel
        ("eldest: SK", "eldest.kings = 0", "no deal meets"),
        ("second: SK", "dealer.SK = 1", "no deal meets"),
        (None, "0.trumps = 17", "no deal meets the conditions when seat 1 deals"),
    ],
)
def test_what_cannot_be_met_is_refused(deal: str | None, where: str, told: str) -> None:
    with pytest.raises(ConditionError) as error:
        read_conditions(OTTOCENTO, deal, where)
    assert told in str(error.value)


# ---- what is dealt --------------------------------------------------------------------------


@pytest.mark.parametrize("listed", [True, False], ids=["constructive", "dealt again"])
@pytest.mark.parametrize(
    ("rules", "deal", "where"),
    [
        (OTTOCENTO, DEAL, WHERE),
        (OTTOCENTO, "2: Angel", "0.swords <= 3 and others.aces > 1 and third.queens < 2"),
        (OTTOCENTO, None, "dealer.grande = 1 and 1.T16 = 0 and dealers.coins_sequence <= 1"),
        (OTTOCENTO_DIGITAL, None, "eldest.moors_sequence = 1 and others.cavaliers != 0"),
        (OTTOCENTO.replace(suit_second_wild=False), None, "dealer.cups_sequence = 1"),
        (OTTOCENTO, None, "second.honours = 0 and second.valets_cricca = 1 and 3.pips >= 2"),
        (PARTITA, "3: SK BK", "dealer.moors >= 1 and dealer.coins <= 4 and dealers.Angel = 1"),
        (OTTOCENTO.replace(combinations=False), "third: M1", "third.batons > 3"),
    ],
    ids=range(8),
)
def test_every_deal_meets_what_is_asked(
    rules: RuleSet, deal: str | None, where: str, listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not listed:
        monkeypatch.setattr(compositions, "MOST_TRIED", 0)
    conditions = read_conditions(rules, deal, where)
    assert conditions.dealing is not None
    assert (conditions.dealing.asked.n_drawn > 0).all() == listed
    rows = play_hands(rules, RANDOM, 5, 1, 200, dealing=conditions.dealing)
    fields = naive_rules(rules)
    for i, hands in enumerate(rows.hand.T.tolist()):
        dealer = (i + 1) % 4
        assert rows.dealer[i] == dealer
        size = rules.cards.hand_size
        assert [hand.bit_count() for hand in hands] == [
            size + 2 * (seat == dealer) for seat in range(4)
        ]
        assert sum(hands) == rules.cards.all
        dealt = [names(hand, rules) for hand in hands]
        assert naive.meets(where, dealer, dealt, fields)
        for fixed in deal.split("; ") if deal else []:
            who, cards = fixed.split(": ")
            (hand,) = naive.hands_of(who, dealer, dealt)
            assert hand >= {*cards.split()}


def test_a_deal_that_already_meets_them_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    # Dealing again begins with the unconditional deal, so these rows are those of a plain run.
    monkeypatch.setattr(compositions, "MOST_TRIED", 0)
    where = "dealer.trumps >= 6 and eldest.kings <= 2"
    dealing = read_conditions(OTTOCENTO, where=where).dealing
    plain = play_hands(OTTOCENTO, RANDOM, 6, 0, 400).hand.T.tolist()
    asked = play_hands(OTTOCENTO, RANDOM, 6, 0, 400, dealing=dealing).hand.T.tolist()
    fields = naive_rules(OTTOCENTO)
    same = [one == other for one, other in zip(plain, asked, strict=True)]
    assert same == [
        naive.meets(where, i % 4, [names(hand, OTTOCENTO) for hand in hands], fields)
        for i, hands in enumerate(plain)
    ]
    assert 100 < sum(same) < 300


@compiled_only
@pytest.mark.parametrize(
    ("rules", "deal", "where"),
    [
        (OTTOCENTO, None, "dealer.trumps >= 8"),
        (OTTOCENTO, None, "dealer.grande = 1"),
        (OTTOCENTO, None, "others.kings_cricca = 1 and second.kings = 0"),
        (OTTOCENTO, None, "dealers.trumps <= 10"),
        (OTTOCENTO, "eldest: Angel", "0.trumps > 5"),
        (PARTITA, None, "second.swords = 0 and third.aces >= 1"),
    ],
    ids=range(6),
)
def test_a_plain_run_meets_them_as_often_as_told(
    rules: RuleSet, deal: str | None, where: str
) -> None:
    n = 8_000
    probability = read_conditions(rules, deal, where).probability
    assert probability is not None
    fields = naive_rules(rules)
    asked = [where] + ["eldest.Angel = 1"] * (deal is not None)
    dealt = play_hands(rules, RANDOM, 7, 0, n).hand.T.tolist()
    met = sum(
        naive.meets(" and ".join(asked), i % 4, [names(hand, rules) for hand in hands], fields)
        for i, hands in enumerate(dealt)
    )
    p = probability["probability"]
    assert abs(met / n - p) < 4 * np.sqrt(p * (1 - p) / n)


@compiled_only
def test_means_are_those_of_the_plain_hands_that_meet_them() -> None:
    columns = ["dealer", "hand0", "hand1", "hand2", "hand3", "score0", "score1"]
    plain = simulate(OTTOCENTO, 400_000, seed=1, columns=columns).to_pandas()
    asked = simulate(OTTOCENTO, 40_000, seed=2, columns=columns, where="dealer.trumps >= 9")

    def margins(run):  # of the dealer's side, points
        return ((run.score0 - run.score1) * (1 - 2 * (run.dealer.astype(int) % 2))).to_numpy()

    hands = plain[["hand0", "hand1", "hand2", "hand3"]].to_numpy()
    of_dealer = hands[np.arange(len(plain)), plain.dealer]
    many = np.bitwise_count(of_dealer & np.uint64(OTTOCENTO.cards.trumps)) >= 9
    filtered, conditional = margins(plain)[many], margins(asked.to_pandas())
    probability = asked.manifest.condition_probability
    assert probability is not None
    assert many.mean() == pytest.approx(probability["probability"], rel=0.05)
    errors = [sample.std() / np.sqrt(len(sample)) for sample in (filtered, conditional)]
    assert abs(filtered.mean() - conditional.mean()) < 4 * np.hypot(*errors)
    assert conditional.mean() - margins(plain).mean() > 20 * errors[1]  # it matters


# ---- runs -----------------------------------------------------------------------------------


@pytest.fixture
def asked(tmp_path: Path, small_parts: None) -> Run:
    """A run of three parts under conditions."""
    return simulate(OTTOCENTO, 250, policies="random", deal=DEAL, where=WHERE, out=tmp_path / "run")


def test_the_manifest_has_conditions_and_probability(asked: Run) -> None:
    assert asked.directory is not None
    manifest = json.loads((asked.directory / "manifest.json").read_text("utf-8"))
    assert (manifest["deal"], manifest["where"]) == (DEAL, WHERE)
    assert manifest["condition_probability"] == read_conditions(OTTOCENTO, DEAL, WHERE).probability
    assert set(manifest["condition_probability"]) == {"probability", "exact"}
    opened = Run.open(asked.directory)
    assert opened.manifest == asked.manifest
    assert len(opened.to_arrow()) == 250


@pytest.mark.usefixtures("small_parts")
def test_a_plain_run_records_no_probability(tmp_path: Path) -> None:
    simulate(OTTOCENTO, 20, policies="random", out=tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))
    assert "condition_probability" not in manifest
    assert manifest["deal"] is manifest["where"] is None


@pytest.mark.parametrize("key", ["deal", "where", "condition_probability"])
def test_damaged_conditions_are_told(asked: Run, key: str) -> None:
    assert asked.directory is not None
    path = asked.directory / "manifest.json"
    data = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**data, key: 5}), "utf-8")
    with pytest.raises(RunError, match="not of the expected kinds"):
        Run.open(asked.directory)


def test_rows_do_not_depend_on_threads_and_parts(
    asked: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for part, threads in ((7, 2), (1_000, 1)):
        monkeypatch.setattr(manifests, "PART", part)
        other = simulate(OTTOCENTO, 250, policies="random", deal=DEAL, where=WHERE, threads=threads)
        assert other.to_arrow().equals(asked.to_arrow().replace_schema_metadata())


@pytest.mark.parametrize("where", [WHERE, MIXED])
def test_a_hand_is_dealt_alike_alone_and_among_others(where: str) -> None:
    dealing = read_conditions(OTTOCENTO, DEAL, where).dealing
    assert dealing is not None
    assert (dealing.asked.n_terms > 0).all() == (where == MIXED)
    whole = play_hands(OTTOCENTO, RANDOM, 1, 0, 30, log_plays=True, dealing=dealing)
    alone = play_hands(OTTOCENTO, RANDOM, 1, 17, 1, dealing=dealing)
    np.testing.assert_array_equal(alone.hand[:, 0], whole.hand[:, 17])
    position, row, _ = play_hand(OTTOCENTO, RANDOM, 1, 17, dealing)
    np.testing.assert_array_equal(row.plays[0], whole.plays[17])
    np.testing.assert_array_equal(position.hidden.dealt, whole.hand[:, 17])


def test_a_run_under_conditions_is_resumed_to_the_same_bytes(asked: Run) -> None:
    assert asked.directory is not None
    whole = contents(asked.directory)
    (asked.directory / "hands" / "part-000001.parquet").unlink()
    resume(asked.directory)
    assert contents(asked.directory) == whole


def test_the_same_conditions_in_other_words_are_the_same_run(asked: Run) -> None:
    out = asked.directory
    again = simulate(
        OTTOCENTO,
        *(250,),
        policies="random",
        deal="Dealer: fool, pagat; ELDEST: sk",
        where="dealer.TRUMPS>=6 AND eldest.kings!=2",
        out=out,
    )
    assert again.manifest == asked.manifest
    for changes, told in (
        ({"deal": None}, "other deal"),
        ({"where": None}, "other where"),
        ({"where": "dealer.trumps >= 7"}, "other where"),
    ):
        given = {"deal": DEAL, "where": WHERE, **changes}
        with pytest.raises(RunError, match=told):
            simulate(OTTOCENTO, 250, policies="random", out=out, **given)


def test_wrong_conditions_write_nothing(tmp_path: Path) -> None:
    for deal, where in (("dealer: SX", None), (None, "dealer.trumps > 17"), ("nobody", None)):
        with pytest.raises((CardError, ConditionError)):
            simulate(OTTOCENTO, 10, deal=deal, where=where, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_hand_under_conditions_is_replayed(asked: Run) -> None:
    manifest = asked.manifest
    dealing = read_conditions(OTTOCENTO, manifest.deal, manifest.where).dealing
    for hand in (0, 101, 249):
        played = replay(OTTOCENTO, RANDOM, manifest.seed, hand, dealing)
        check_against(asked, hand, played)
    with pytest.raises(RunError, match="hand 3 has"):
        check_against(asked, 3, replay(OTTOCENTO, RANDOM, manifest.seed, 3))
