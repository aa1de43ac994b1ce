"""Rule sets: the fields of RULES §9, the three presets, variants, TOML and JSON."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from sim.cards import PACKS, Pack
from sim.signals import SILENCE, Conventions, all_signals


class RulesError(ValueError):
    """A rule set is unknown, has an unknown field or value, or cannot be played."""


CHOICES: dict[str, tuple[object, ...]] = {
    "pack": ("tarocchino", "piedmontese"),
    "discards": (2,),
    "discard_trumps": ("free", "forced_exposed"),
    "first_lead": ("eldest", "dealer"),
    "combinations": (True, False),
    "trick_combinations": (True, False),
    "fool_in_lost_trick": (True, False),
    "fool_exchange": ("end_of_hand", "none"),
    "suit_second_wild": (True, False),
    "grande_wild_before_16": (True, False),
    "declare": ("any_subset", "all_or_nothing"),
    "declare_when": ("before_first_trick", "before_own_first_card"),
    "counting": ("half_point_a_card", "point_a_pair"),
    "game": ("to_target", "single_hand", "four_hands"),
}
NUMBERS = {
    "last_trick_points": (0, 1000),
    "target": (1, 1_000_000),
    "long_suit_min": (1, 15),
    "pagat_risk_trumps": (0, 21),
}
# Fields that mean nothing in some games and are None there.
OF_COMBINATIONS = ("suit_second_wild", "grande_wild_before_16", "declare", "declare_when")
OF_SIGNALS = ("long_suit_min", "pagat_risk_trumps")


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """Everything in which the games of the family differ. Source: RULES §9.

    A variant is made in one line, ``OTTOCENTO.replace(trick_combinations=False)``, and is
    checked as it is made. A field that has no meaning in a game is None.

    Attributes
    ----------
    name
        What the rule set is called in tables and manifests.
    pack
        ``tarocchino`` (62 cards, 15 a hand) or ``piedmontese`` (54 cards, 13 a hand). §1
    discards
        Cards the dealer takes more than the others and discards: 2. §3
    discard_trumps
        ``free``: any trump but an Honour may be discarded; ``forced_exposed``: only where too few
        plain cards may, and then all see it. §3, §7
    first_lead
        ``eldest`` or ``dealer`` leads to the first trick. §2
    combinations
        Whether cricche and sequences count at all. §4
    trick_combinations
        Whether the winner of a trick scores the combinations in its four cards. §4
    fool_in_lost_trick
        Whether the Fool counts in them when its own side lost the trick. §4
    fool_exchange
        ``end_of_hand``: a side that played the Fool to a trick it lost owes a card, and a side
        without a trick gives up the Fool and the discard; ``none``: both stay as they are. §3, §7
    suit_second_wild
        Whether K, one court and both contatori make a sequence of four. §4
    grande_wild_before_16
        Whether, beside Angel and World alone, a contatore may fill the third place and the other
        the place of the 16. §4
    declare
        ``any_subset`` of the combinations held, or ``all_or_nothing``. §4
    declare_when
        ``before_first_trick`` or ``before_own_first_card``. §4
    last_trick_points
        Points for the side that wins the last trick. §3
    counting
        ``half_point_a_card`` (§3) or ``point_a_pair`` (§7).
    game
        ``to_target``, ``single_hand`` or ``four_hands``. §5, §7
    target
        Points that win a game played ``to_target``. §5
    long_suit_min
        Cards that make a suit long, for the signal. §7
    pagat_risk_trumps
        Other trumps held at most when the Pagat is said to be at risk. §7
    signals
        The conventions in force at the table, none if not given: no field of §9, and not among
        those of ``to_dict``. §6, §7

    Raises
    ------
    RulesError
        An unknown value, or a rule set that cannot be played; the message says why.
    SignalError
        A signal that is none of this game.
    """

    name: str
    pack: str
    discards: int
    discard_trumps: str
    first_lead: str
    combinations: bool
    trick_combinations: bool
    fool_in_lost_trick: bool
    fool_exchange: str
    suit_second_wild: bool | None
    grande_wild_before_16: bool | None
    declare: str | None
    declare_when: str | None
    last_trick_points: int
    counting: str
    game: str
    target: int | None
    long_suit_min: int | None
    pagat_risk_trumps: int | None
    signals: Conventions = SILENCE

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise RulesError(f"name = {_toml_value(self.name)}: expected a string")
        if self.discards != 2 or not isinstance(self.discards, int):
            raise RulesError(
                f"discards = {self.discards!r} cannot be played: 62 = 4 x 15 + 2, 54 = 4 x 13 "
                "+ 2, so any other number leaves the dealer a card short or over; expected 2"
            )
        if self.combinations and self.pack == "piedmontese":
            raise RulesError(
                "combinations = true cannot be played with the piedmontese pack: its game has no "
                'combinations; expected false, or pack = "tarocchino"'
            )
        for field, choices in CHOICES.items():
            value = getattr(self, field)
            if value is None and field in OF_COMBINATIONS and not self.combinations:
                continue
            if value not in choices or isinstance(value, bool) != isinstance(choices[0], bool):
                expected = " or ".join(_toml_value(choice) for choice in choices)
                raise RulesError(f"{field} = {_toml_value(value)}: expected {expected}")
        for field, (low, high) in NUMBERS.items():
            value = getattr(self, field)
            if value is None and (
                (field == "target" and self.game != "to_target") or field in OF_SIGNALS
            ):
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise RulesError(
                    f"{field} = {_toml_value(value)}: expected a whole number from {low} to {high}"
                )
        if self.trick_combinations and not self.combinations:
            raise RulesError(
                "trick_combinations = true cannot be played without combinations: "
                "expected false, or combinations = true"
            )
        if self.fool_exchange == "none" and self.counting == "half_point_a_card":
            raise RulesError(
                'fool_exchange = "none" cannot be counted with "half_point_a_card": piles would '
                'be odd; expected "end_of_hand", or counting = "point_a_pair"'
            )
        if not isinstance(self.signals, Conventions):
            raise RulesError(
                f"signals = {self.signals!r}: expected Conventions, such as "
                f"sim.signals.all_signals({self.pack!r})"
            )
        self.signals.check(self.pack)

    @property
    def cards(self) -> Pack:
        """The pack itself."""
        return PACKS[self.pack]

    @property
    def tricks(self) -> int:
        """Tricks in a hand: cards a player holds after the discard."""
        return self.cards.hand_size

    def replace(self, /, **changes: Any) -> RuleSet:
        """The same rules but for ``changes`` (fields of this class).

        The name gets the changed fields unless it is changed too. Raises RulesError.
        """
        unknown = set(changes) - set(FIELDS)
        if unknown:
            raise RulesError(_unknown_field(unknown.pop()))
        if changes.get("combinations") is False:
            changes = {"trick_combinations": False, **changes}
        if changes and "name" not in changes:
            told = ", ".join(f"{k}={_toml_value(v)}" for k, v in changes.items())
            changes["name"] = f"{self.name.partition(' (')[0]} ({told})"
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Every field of RULES §9, ready for JSON."""
        return {field: getattr(self, field) for field in FIELDS}

    def with_signals(self, conventions: Conventions) -> RuleSet:
        """The same rules at a table with these conventions. Source: RULES §6, §7.

        Raises RulesError if they are none, SignalError if a signal is none of this game.
        """
        return replace(self, signals=conventions)

    @property
    def told(self) -> str:
        """The name, and the signals in force if there are any, for tables and captions."""
        names = [signal.name for signal in self.signals.by_bit(self.pack).values()]
        if not names:
            return self.name
        known = self.signals == all_signals(self.pack)
        return f"{self.name} with {'all' if known else 'the'} signals" + (
            "" if known else f" {', '.join(names)}"
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> RuleSet:
        """The rule set that ``to_dict`` wrote. Raises RulesError if a field is missing or wrong."""
        for field in data:
            if field not in FIELDS:
                raise RulesError(_unknown_field(field))
        for field in FIELDS:
            if field not in data:
                raise RulesError(f"the rule field {field!r} is missing")
        return cls(**data)


FIELDS = tuple(field.name for field in fields(RuleSet) if field.name != "signals")  # of RULES §9


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _unknown_field(name: str) -> str:
    known = ", ".join(field for field in FIELDS if field != "name")
    return f"unknown rule field {name!r}: expected one of {known}"


OTTOCENTO = RuleSet(
    name="ottocento",
    pack="tarocchino",
    discards=2,
    discard_trumps="free",
    first_lead="eldest",
    combinations=True,
    trick_combinations=True,
    fool_in_lost_trick=False,
    fool_exchange="end_of_hand",
    suit_second_wild=True,
    grande_wild_before_16=True,
    declare="any_subset",
    declare_when="before_first_trick",
    last_trick_points=6,
    counting="half_point_a_card",
    game="to_target",
    target=800,
    long_suit_min=None,
    pagat_risk_trumps=None,
)
OTTOCENTO_DIGITAL = OTTOCENTO.replace(
    name="ottocento-digital",
    trick_combinations=False,
    grande_wild_before_16=False,
    declare="all_or_nothing",
    declare_when="before_own_first_card",
    game="single_hand",
    target=None,
)
PARTITA = RuleSet(
    name="partita",
    pack="piedmontese",
    discards=2,
    discard_trumps="forced_exposed",
    first_lead="dealer",
    combinations=False,
    trick_combinations=False,
    fool_in_lost_trick=False,
    fool_exchange="none",
    suit_second_wild=None,
    grande_wild_before_16=None,
    declare=None,
    declare_when=None,
    last_trick_points=0,
    counting="point_a_pair",
    game="four_hands",
    target=None,
    long_suit_min=4,
    pagat_risk_trumps=1,
)
PRESETS = {rules.name: rules for rules in (OTTOCENTO, OTTOCENTO_DIGITAL, PARTITA)}


def load_rules(source: str | Path) -> RuleSet:
    """A preset by name, or the rule set of a TOML file.

    A file has ``base = "ottocento"`` (or another preset), the fields that differ, and a ``name``
    if it wants one (else the file's own).

    Raises RulesError: unknown preset, unreadable file, unknown field or value, unplayable rules.
    Source: RULES §9.
    """
    if str(source) in PRESETS:
        return PRESETS[str(source)]
    presets = ", ".join(PRESETS)
    path = Path(source)
    if path.suffix != ".toml":
        raise RulesError(f"unknown rules {str(source)!r}: expected {presets}, or a .toml file")
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise RulesError(
            f"cannot read the rule file {path} ({error.strerror}): expected a TOML file"
        ) from None
    except (ValueError, RecursionError) as error:  # no UTF-8, too many digits, too deep
        raise RulesError(
            f'the rule file {path} is not TOML ({error}): expected base = "…" and what differs'
        ) from None
    base = data.pop("base", None)
    if not isinstance(base, str) or base not in PRESETS:
        raise RulesError(f"the rule file {path} has base = {_toml_value(base)}: expected {presets}")
    try:
        return PRESETS[base].replace(**{"name": path.stem, **data})
    except RulesError as error:
        raise RulesError(f"the rule file {path}: {error}") from None
