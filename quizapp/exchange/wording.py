"""What reports of imports and exports say, in words and to scripts."""

from __future__ import annotations

from typing import Any

from quizapp.exchange.model import Loss


def counted(number: int, word: str) -> str:
    """``1 card``, ``2,000 cards``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def loss_line(loss: Loss) -> str:
    """``not kept, 3 times: what and why (first at where)``."""
    times = f", {loss.count:,} times" if loss.count > 1 else ""
    where = f" ({'first: ' if loss.count > 1 else ''}{loss.where})" if loss.where else ""
    return f"not kept{times}: {loss.what}{where}"


def loss_values(loss: Loss) -> dict[str, Any]:
    return {"what": loss.what, "where": loss.where, "count": loss.count}
