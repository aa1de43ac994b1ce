"""Declare only what is worth telling. STRATEGY C20."""

from sim.kernels.combinations import _combinations
from sim.policies import policy


@policy.declare(threshold=30)
def hide(view, weights):
    """Every combination held, or none if together they score fewer points than the threshold."""
    _, cricche, sequences = _combinations(view.hand, view.rules)
    return view.legal if cricche + sequences >= weights.threshold else 0
