"""What the engine is measured against: other programs, where installed, and a yardstick in C.

Each peer plays whole hands at random, with the least work around them that it allows.
"""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Of our figures, what a peer's is compared with.
HANDS, DEALS, LOOP = "ottocento: random", "deal", "deal and play"
IN_C = "C: random, no combinations"
ABSENT = "not installed"

Work = Callable[[], object]


class Peer(NamedTuple):
    """What a peer does: ``work`` does it ``n`` times."""

    name: str
    ours: str
    n: int
    work: Work


def open_spiel() -> Iterator[Peer]:
    """Slovenian tarok (54 cards, 12 tricks) and spades (52 cards, 13 tricks), scored.

    Each in three ways: moves chosen in Python; four bots and the loop in C++; rollouts of
    ``RandomRolloutEvaluator`` in C++, from hands already dealt and bid.
    """
    import pyspiel

    rng = random.Random(1)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]

    def rollouts(game: pyspiel.Game, start: Callable[[], pyspiel.State]) -> Work:
        # A search of one simulation evaluates its root and no more.
        evaluator = pyspiel.RandomRolloutEvaluator(1000, 1)
        search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)
        states = cycle([start() for _ in range(20)])
        return lambda: [search.mcts_search(state) for state in islice(states, 10)]

    def in_python(start: Callable[[], pyspiel.State], n: int) -> None:
        for _ in range(n):
            state = start()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))

    def in_cpp(start: Callable[[], pyspiel.State], n: int) -> None:
        for _ in range(n):
            pyspiel.evaluate_bots(start(), bots, rng.getrandbits(30))

    tarok, spades = pyspiel.load_game("tarok(players=4,rng_seed=1)"), pyspiel.load_game("spades")

    def tarok_hand() -> pyspiel.State:
        """A hand that cannot end early: three pass and the last bids solo without."""
        state = tarok.new_initial_state()
        for action in (0, 0, 0, 0, 9):  # the first deals
            state.apply_action(action)
        return state

    def spades_hand() -> pyspiel.State:
        """A hand dealt and bid at random."""
        state = spades.new_initial_state()
        for _ in range(52 + 4):
            state.apply_action(rng.choice(state.legal_actions()))
        return state

    yield Peer("OpenSpiel tarok: Python", HANDS, 2000, lambda: in_python(tarok_hand, 2000))
    yield Peer("OpenSpiel tarok: C++ bots", HANDS, 5000, lambda: in_cpp(tarok_hand, 5000))
    yield Peer("OpenSpiel tarok: C++ rollouts", HANDS, 10_000, rollouts(tarok, tarok_hand))
    initial = spades.new_initial_state
    yield Peer("OpenSpiel spades: Python", HANDS, 1500, lambda: in_python(initial, 1500))
    yield Peer("OpenSpiel spades: C++ bots", HANDS, 5000, lambda: in_cpp(initial, 5000))
    yield Peer("OpenSpiel spades: C++ rollouts", HANDS, 10_000, rollouts(spades, spades_hand))


def rlcard() -> Iterator[Peer]:
    """Bridge (52 cards, 13 tricks) with one bid, on the game itself and not its environment."""
    from rlcard.games.bridge.game import BridgeGame
    from rlcard.games.bridge.utils.action_event import BidAction, PassAction

    rng = random.Random(1)
    game = BridgeGame()

    def play(n: int) -> None:
        for _ in range(n):
            game.init_game()
            for call in (BidAction(1, "S"), PassAction(), PassAction(), PassAction()):
                game.step(call)
            while not game.is_over():
                game.step(rng.choice(game.judger.get_legal_actions()))

    yield Peer("RLCard bridge: Python", HANDS, 400, lambda: play(400))


def endplay() -> Iterator[Peer]:
    """Deals of bridge."""
    from endplay.dealer import generate_deals

    yield Peer("endplay: deals only", DEALS, 2000, lambda: list(generate_deals(produce=2000)))


def redeal() -> Iterator[Peer]:
    """Deals of bridge."""
    from redeal import Deal

    deal = Deal.prepare()
    yield Peer("redeal: deals only", DEALS, 2000, lambda: [deal() for _ in range(2000)])


PEERS = {"open_spiel": open_spiel, "rlcard": rlcard, "endplay": endplay, "redeal": redeal}


def installed() -> tuple[list[Peer], dict[str, str]]:
    """All that peers do, and the version of each package, or ABSENT."""
    found: list[Peer] = []
    versions = {}
    for package, peers in PEERS.items():
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = ABSENT
        else:
            found += peers()
    return found, versions


# (seed, first hand, n) -> tricks of side 0, and the side that won the last trick, each (n,).
Yardstick = Callable[[int, int, int], tuple[NDArray[np.uint8], NDArray[np.uint8]]]


def compile_yardstick() -> tuple[Yardstick, str] | None:
    """``yardstick.c`` compiled, and its compiler's name and version.

    None where there is no compiler or it fails, which it then tells on standard error.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    source = Path(__file__).with_name("yardstick.c")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "yardstick.so")
        options = ["-std=gnu11", "-O3", "-march=native", "-shared", "-fPIC"]
        if subprocess.run([compiler, *options, "-o", library, source]).returncode:
            return None
        play = ctypes.CDLL(str(library)).play_hands
    column = np.ctypeslib.ndpointer(np.uint8, ndim=1, flags="C")
    play.argtypes = [ctypes.c_uint64, ctypes.c_int64, ctypes.c_int64, column, column]
    play.restype = None

    def yardstick(seed: int, first: int, n: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        tricks0, last_trick = np.empty(n, np.uint8), np.empty(n, np.uint8)
        play(seed, first, n, tricks0, last_trick)
        return tricks0, last_trick

    told = subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True)
    return yardstick, told.stdout.splitlines()[0]
