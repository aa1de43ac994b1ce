"""Chances of winning by backward recursion, compiled: from high scores to low. RULES §5."""

from __future__ import annotations

from sim.kernels.compiling import kernel

STAGES = 3  # after the declarations, the last trick, the count


@kernel
def _count_ends(after, target, low0, low1, wins, ties):
    """Count by score the hands that end a game for side 0, and those that leave it level.

    Of each hand ``after`` has the points of the sides after each stage, int64 (3, 2, n), which only
    grow. ``wins`` (rows, columns + 1) is added to as differences along its rows: row a - low0,
    column b - low1 for the score a to b before the hand; ``ties`` (rows, columns) is counted.
    """
    for k in range(after.shape[2]):
        for a in range(max(low0, target - after[2, 0, k]), target):
            stage = 0
            while a + after[stage, 0, k] < target:
                stage += 1
            # Side 1 wins from here on, having the target a stage before side 0.
            end = target if stage == 0 else target - after[stage - 1, 1, k]
            level = a + after[stage, 0, k] - after[stage, 1, k]
            upto = min(end, level)
            if upto > low1:
                wins[a - low0, 0] += 1
                wins[a - low0, upto - low1] -= 1
            if low1 <= level < end:
                while stage < STAGES and a + after[stage, 0, k] == level + after[stage, 1, k]:
                    stage += 1
                if stage == STAGES:
                    ties[a - low0, level - low1] += 1
                elif a + after[stage, 0, k] > level + after[stage, 1, k]:
                    wins[a - low0, level - low1] += 1
                    wins[a - low0, level - low1 + 1] -= 1


@kernel
def _add(row, other, p):
    """Add p times a row to another of the same length."""
    for j in range(len(row)):
        row[j] += p * other[j]


@kernel
def _recur(values, ours, theirs, share, first):
    """Add to ``values``, the chance that a hand wins the game, those of all hands after it.

    ``values`` (2, rows, columns): by who deals, side 0 or 1, and score. A hand that side d deals
    brings ``ours[k]`` and ``theirs[k]`` points with probability ``share[k]``, for k from
    ``first[d]`` to ``first[d + 1] - 1``, sorted by ours; not both are 0.
    """
    rows, columns = values.shape[1:]
    for i in range(rows - 1, -1, -1):
        for dealer in range(2):
            row = values[dealer, i]
            for k in range(first[dealer], first[dealer + 1]):
                x, y = ours[k], theirs[k]
                if i + x >= rows:
                    break
                if x > 0 and y < columns:
                    _add(row[: columns - y], values[1 - dealer, i + x, y:], share[k])
        # Where side 0 gets nothing, the row depends on itself: from the right to the left.
        for j in range(columns - 1, -1, -1):
            for dealer in range(2):
                k = first[dealer]
                while k < first[dealer + 1] and ours[k] == 0:
                    if j + theirs[k] < columns:
                        values[dealer, i, j] += share[k] * values[1 - dealer, i, j + theirs[k]]
                    k += 1
