"""Lead as the play part does."""

from sim.kernels.state import NONE
from sim.policies import policy


@policy.lead(reasons=("left to the play part",))
def own(view, weights):
    """The play part's own lead."""
    return NONE, 0  # never asked
