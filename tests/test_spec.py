"""Policies by name: the SPEC grammar, parameters, users' files."""

from pathlib import Path

import pytest

from sim.cards import indices
from sim.hands import play_hands
from sim.policies.policy import KINDS, PolicyError
from sim.policies.spec import PARTS, POLICIES, parse_policies, parse_policy
from sim.rules import PARTITA
from tests.helpers import (
    LOWEST,
    assert_same,
    policy_file,
    python,
)

# ---- the grammar --------------------------------------------------------------------------


@pytest.mark.parametrize("spec", POLICIES)
def test_shipped_policies_are_named(spec: str) -> None:
    assert parse_policy(spec) == POLICIES[spec]
    assert parse_policy(spec).spec == spec


def test_parts_are_exchanged_from_left_to_right() -> None:
    policy = parse_policy("simple+discard:random+play:random+signal:silent+declare:nothing")
    assert policy.spec == "simple+discard:random+play:random+signal:silent+declare:nothing"
    assert [part.name for part in policy.parts.values()] == [
        "random",
        "nothing",
        "own",
        "random",
        "silent",
    ]
    assert parse_policy("simple").discard.name == "low"
    assert parse_policy("simple+discard:random+discard:low").parts == POLICIES["simple"].parts


@pytest.mark.parametrize("kind", KINDS)
def test_every_shipped_part_fits_every_policy(kind: str) -> None:
    for name, part in PARTS[kind].items():
        for base in POLICIES:
            assert getattr(parse_policy(f"{base}+{kind}:{name}"), kind) == part
        assert part.description


PARAMETERS = """
@policy.play(boldness=0.5, caution=2)
def bold(view, weights):
    return lowest(view.legal) if weights.boldness < weights.caution else highest(view.legal), 0

@policy.discard(boldness=1)
def throw(view, weights):
    return random_discard(view, weights)

both = policy.Policy.of(discard=throw, declare=all_, play=bold, signal=silent)
"""


@pytest.mark.parametrize(
    ("arguments", "boldness", "caution"),
    [
        ("", 0.5, 2),
        ("()", 0.5, 2),
        ("(boldness=3)", 3, 2),
        ("(caution=-1e-3, boldness = 7)", 7, -0.001),
        ("(boldness=1_000)", 1000, 2),
    ],
)
def test_parameters_are_read(
    tmp_path: Path, arguments: str, boldness: float, caution: float
) -> None:
    path = policy_file(tmp_path, PARAMETERS)
    policy = parse_policy(f"{path}:both{arguments}")
    assert policy.play.parameters == {"boldness": boldness, "caution": caution}
    assert policy.discard.parameters == {"boldness": boldness if arguments[1:-1] else 1}
    assert policy.spec == f"mine.py:both{arguments}"


def test_parameters_are_heard(tmp_path: Path) -> None:
    path = policy_file(tmp_path, PARAMETERS)
    specs = [f"{path}:bold", f"{path}:bold(boldness=3)"]
    low, high = (
        play_hands(PARTITA, parse_policies(spec), 301, 0, 20, log_plays=True) for spec in specs
    )
    for rows, card in ((low, lambda hand: (hand & -hand).bit_length() - 1),
                       (high, lambda hand: hand.bit_length() - 1)):  # fmt: skip
        for dealer, hand, discard, plays in zip(
            rows.dealer, rows.hand.T, rows.discard, rows.plays, strict=True
        ):
            assert plays[0] == card(int(hand[dealer] & ~discard))


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("", "unknown policy ''"),
        ("clever", "unknown policy 'clever': expected random, simple, expert, or PATH.py:NAME"),
        ("Simple", "unknown policy 'Simple'"),
        ("simple+", "cannot be read at ''"),
        ("simple+discard", "cannot be read at 'discard'"),
        ("simple+discard:", "cannot be read at 'discard:'"),
        ("simple+discard:low(", "cannot be read at 'discard:low('"),
        ("simple+discard:low)x", "cannot be read at"),
        ("simple(a=1", "cannot be read"),
        ("simple()x", "cannot be read"),
        ("simple+bid:low", "unknown part 'bid' in 'simple+bid:low': expected one of discard"),
        ("simple+discard:silly", "unknown discard part 'silly'"),
        ("simple+lead:low", "unknown lead part 'low'"),
        ("simple(boldness=1)", "simple has no parameter 'boldness': expected none"),
        ("simple+discard:low(boldness=1)", "discard:low has no parameter 'boldness'"),
        ("simple(boldness)", "the parameter 'boldness' in"),
        ("simple(boldness=high)", "expected name=number"),
        ("simple(boldness=nan)", "expected name=number"),
        ("simple(boldness=inf)", "expected name=number"),
        ("mine.py", "unknown policy 'mine.py'"),
        ("nowhere.py:mine", "the policy file nowhere.py cannot be read"),
    ],
)
def test_wrong_specs_are_refused(spec: str, told: str) -> None:
    with pytest.raises(PolicyError) as error:
        parse_policy(spec)
    assert told in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_policies_are_given_for_all_sides_or_seats() -> None:
    def specs(*given: str) -> list[str]:
        return [policy.spec for policy in parse_policies(given)]

    assert specs("simple") == ["simple"] * 4
    assert [p.spec for p in parse_policies("random")] == ["random"] * 4
    assert specs("simple", "random") == ["simple", "random"] * 2
    four = ["simple", "random", "simple+declare:nothing", "random+discard:low"]
    assert specs(*four) == four
    assert parse_policies([POLICIES["simple"], "random"])[2] is POLICIES["simple"]
    for n in (0, 3, 5):
        with pytest.raises(PolicyError, match=f"{n} policies are given"):
            parse_policies(["simple"] * n)


# ---- users' files -------------------------------------------------------------------------


def test_a_file_gives_a_policy_or_a_part(tmp_path: Path) -> None:
    mine = "policy.Policy.of(discard=random_discard, declare=all_, play=bottom, signal=silent)"
    path = policy_file(tmp_path, f"{LOWEST}\nmine = {mine}\n")
    whole, part = parse_policy(f"{path}:mine"), parse_policy(f"{path}:bottom")
    assert (whole.discard.name, whole.play.name) == ("random", "bottom")
    # A part alone stands on the rest of simple.
    assert (part.discard.name, part.play.name) == ("low", "bottom")
    assert part.to_dict()["files"].keys() == {"mine.py"}
    assert len(part.to_dict()["files"]["mine.py"]) == 64
    mixed = parse_policy(f"{path}:mine+play:random")
    # Its file is run to find it, though none of its own parts is left.
    assert mixed.to_dict()["files"] == part.to_dict()["files"]


def test_a_path_may_hold_any_character(tmp_path: Path) -> None:
    folder = tmp_path / "a+b (c=1)"
    folder.mkdir()
    path = policy_file(folder, LOWEST)
    policy = parse_policy(f"{path}:bottom+discard:random")
    assert policy.spec == "mine.py:bottom+discard:random"
    assert (policy.play.name, policy.discard.name) == ("bottom", "random")


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        ("1 / 0", "mine", "the policy file mine.py fails when it is loaded: ZeroDivisionError"),
        ("def f(:", "mine", "fails when it is loaded: SyntaxError"),
        ("import no_such_module", "mine", "fails when it is loaded: ModuleNotFoundError"),
        (LOWEST, "mine", "defines no 'mine'"),
        ("def mine(view, weights): return 0", "mine", "'mine' is no policy part: decorate it"),
        ("mine = 5", "mine", "is no policy part"),
        ("mine = policy.Policy.of(discard=all_, declare=all_, play=random_play, signal=silent)",
         "mine", "'all' is a declare part: expected a discard part"),
        ("mine = policy.Policy.of(discard=len, declare=all_, play=random_play, signal=silent)",
         "mine", "'len' is no policy part"),
    ],
)  # fmt: skip
def test_failing_files_are_refused_by_name(tmp_path: Path, text: str, name: str, told: str) -> None:
    path = policy_file(tmp_path, text)
    for _ in range(2):  # the second time too
        with pytest.raises(PolicyError) as error:
            parse_policy(f"{path}:{name}")
        assert told in str(error.value)
        assert len(str(error.value).splitlines()) == 1


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    # Else a run would play the old policy and record the new one.
    path = policy_file(tmp_path, LOWEST)
    old = parse_policy(f"{path}:bottom")
    rows = play_hands(PARTITA, [old] * 4, 302, 0, 10, log_plays=True)
    policy_file(tmp_path, LOWEST.replace("lowest(", "highest("))
    new = parse_policy(f"{path}:bottom")
    assert new.file_hashes != old.file_hashes
    changed = play_hands(PARTITA, [new] * 4, 302, 0, 10, log_plays=True)
    assert (changed.plays != rows.plays).any()
    # The old one stays what it was, even asked only now for its hash.
    assert_same(play_hands(PARTITA, [old] * 4, 302, 0, 10, log_plays=True), rows)


def test_the_hash_is_of_the_file_as_it_was_loaded(tmp_path: Path) -> None:
    path = policy_file(tmp_path, LOWEST)
    before = parse_policy(f"{path}:bottom").file_hashes
    loaded = parse_policy(f"{path}:bottom")
    policy_file(tmp_path, LOWEST.replace("lowest(", "highest("))
    assert loaded.file_hashes == before


def test_an_edit_within_the_same_second_is_seen(tmp_path: Path) -> None:
    sources = [
        f"@policy.play(boldness={n})\ndef bold(view, weights):\n    return 0, 0\n" for n in range(9)
    ]
    for n, source in enumerate(sources):
        policy = parse_policy(f"{policy_file(tmp_path, source)}:bold")
        assert policy.play.parameters == {"boldness": n}


def test_parts_of_no_file_are_refused() -> None:
    told = python(
        "from sim.policies import policy\n@policy.play\ndef mine(view, weights): return 0, 0",
        fails=True,
    )
    assert "PolicyError: the part 'mine' is not defined in a file" in told


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = []
    for folder, text in (("a", LOWEST), ("b", LOWEST.replace("lowest(", "highest("))):
        (tmp_path / folder).mkdir()
        paths.append(policy_file(tmp_path / folder, text))
    low, high = (parse_policy(f"{path}:bottom") for path in paths)
    assert low.file_hashes != high.file_hashes
    rows = play_hands(PARTITA, [low, high, low, high], 303, 0, 40, log_plays=True)
    low_leads = rows.dealer % 2 == 0
    for i in range(40):
        hand = int(rows.hand[rows.dealer[i], i] & ~rows.discard[i])
        cards = list(indices(hand))
        assert rows.plays[i, 0] == (cards[0] if low_leads[i] else cards[-1])
