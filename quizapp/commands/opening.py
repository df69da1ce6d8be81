"""How a front opens a session: the decks that were named, the day's queue, the scheduler."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from quizapp.commands.context import Context
from quizapp.review.clock import seed_from_environment
from quizapp.review.queue import Queue, build_queue
from quizapp.review.scheduler import KernelScheduler
from quizapp.review.session import Session
from quizapp.storage import SqliteStore


@dataclass(frozen=True)
class Opened:
    """A session and the queue it was opened with."""

    session: Session
    queue: Queue


def open_session(
    context: Context,
    store: SqliteStore,
    decks: Sequence[str],
    *,
    cram: bool = False,
    limit: int | None = None,
) -> Opened:
    """Open a session over the named decks, all of them where none is named. Raises UsageError on an unknown one."""
    day = context.day(store)
    seed = seed_from_environment()
    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
    library = context.library
    queue = build_queue(
        library.select(decks),
        store.states(),
        day,
        context.config,
        limit=limit,
        done_today=store.done_on(day),
        cram=cram,
        seed=seed,
    )
    session = Session(
        queue.cards,
        store=store,
        scheduler=scheduler(context),
        clock=context.clock,
        day=day,
        config=context.config,
        cram=cram,
        seed=seed,
        cards=library.cards,
    )
    return Opened(session, queue)


def scheduler(context: Context) -> KernelScheduler:
    """FSRS as the ``fsrs`` package computes it."""
    from quizapp.review.scheduler import FsrsScheduler

    return FsrsScheduler(context.config)
