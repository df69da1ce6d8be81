"""The study day, the schedule, the queue and the session that runs through it."""
