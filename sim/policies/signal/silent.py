"""Signal nothing."""

from sim.policies import policy


@policy.signal
def silent(view, card, weights):
    """No signals."""
    return 0
