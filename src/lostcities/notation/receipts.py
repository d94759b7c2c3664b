"""How a score is written, term by term: (40 - 20) x 3 + 20 = 80."""

from lostcities.rules import ExpeditionScore


def format_parts(score: ExpeditionScore) -> str:
    """Write the terms of a score without its result; '' for an untouched expedition."""
    if not score.num_cards:
        return ""
    terms = f"{score.number_sum} - {-score.cost}"
    if score.multiplier > 1:
        terms = f"({terms}) x {score.multiplier}"
    return f"{terms} + {score.bonus}" if score.bonus else terms


def format_receipt(score: ExpeditionScore) -> str:
    """Write the terms of a score and its result; '0' for an untouched expedition."""
    parts = format_parts(score)
    return f"{parts} = {score.score}" if parts else "0"


def score_to_data(score: ExpeditionScore) -> dict[str, int]:
    """Return the terms of a score by the names that programs read."""
    return {
        "cards": score.num_cards,
        "wagers": score.num_wagers,
        "sum": score.number_sum,
        "cost": score.cost,
        "multiplier": score.multiplier,
        "bonus": score.bonus,
        "score": score.score,
    }
