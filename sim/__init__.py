"""The engine: deals and plays hands of Ottocento and Partita under scripted policies.

``sim.simulate`` makes a run of hands, ``sim.simulate_games`` one of games; ``OTTOCENTO``,
``OTTOCENTO_DIGITAL`` and ``PARTITA`` are the rules.
"""

from sim.cards import CardError, format_cards, parse_cards
from sim.condition_probability import ConditionError
from sim.game_runs import GamesRun, resume_games, simulate_games
from sim.policies.policy import PolicyError
from sim.records import RunError
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RulesError, RuleSet, load_rules
from sim.run import Run, resume, simulate

__all__ = [
    "OTTOCENTO",
    "OTTOCENTO_DIGITAL",
    "PARTITA",
    "CardError",
    "ConditionError",
    "GamesRun",
    "PolicyError",
    "RuleSet",
    "RulesError",
    "Run",
    "RunError",
    "format_cards",
    "load_rules",
    "parse_cards",
    "resume",
    "resume_games",
    "simulate",
    "simulate_games",
]
