"""The engine: deals and plays hands of Ottocento and Partita under scripted policies.

``sim.simulate`` makes a run of hands, ``sim.simulate_games`` one of games; ``OTTOCENTO``,
``OTTOCENTO_DIGITAL`` and ``PARTITA`` are the rules. Within ``sim.on_cluster`` a cluster does all
work that would be done by threads.
"""

from sim.cards import CardError, format_cards, parse_cards
from sim.cluster import ClusterError, ClusterFailure, on_cluster
from sim.condition_probability import ConditionError
from sim.game_runs import GamesRun, resume_games, simulate_games
from sim.manifests import RunError
from sim.policies.policy import PolicyError
from sim.rules import OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA, RulesError, RuleSet, load_rules
from sim.run import Run, resume, simulate

__all__ = [
    "OTTOCENTO",
    "OTTOCENTO_DIGITAL",
    "PARTITA",
    "CardError",
    "ClusterError",
    "ClusterFailure",
    "ConditionError",
    "GamesRun",
    "PolicyError",
    "RuleSet",
    "RulesError",
    "Run",
    "RunError",
    "format_cards",
    "load_rules",
    "on_cluster",
    "parse_cards",
    "resume",
    "resume_games",
    "simulate",
    "simulate_games",
]
