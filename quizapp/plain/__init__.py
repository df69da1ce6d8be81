"""The line-mode front: the same sessions for pipes, screen readers and plain terminals."""
