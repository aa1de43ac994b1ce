"""Replays as they are told. RULES §2-4, §7."""

import json

from sim.policies.spec import parse_policies
from sim.replaying import replay
from sim.rules import OTTOCENTO


def test_json_has_every_card_by_name() -> None:
    played = replay(OTTOCENTO, parse_policies("simple"), seed=1, hand=5)
    told = json.loads(json.dumps(played.to_dict()))
    pack = list(OTTOCENTO.cards.names)
    assert sorted(card for hand in told["hands"] for card in hand) == sorted(pack)
    plays = [card for trick in told["tricks"] for card in trick["cards"]]
    assert [pack.index(card) for card in plays] == played.row.plays[0].tolist()
    assert all(hand == sorted(hand, key=pack.index) for hand in told["hands"])
    assert told["declarations"][0]["sequences"] == {"aces": {"length": 3, "points": 10}}
    assert told["tricks"][6] == {
        "leader": 1,
        "cards": ["BV", "BK", "B7", "Pagat"],
        "winner": 0,
        "cricche": {},
        "sequences": {"batons": {"length": 3, "points": 10}},
        "points": 10,
    }
    assert told["given"] == [["B7"], []]
    assert [side["total"] for side in told["counts"]] == [168, 75]
    assert told["error"] is None
