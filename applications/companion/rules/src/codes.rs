//! The outward codes of the refusals and faults, in one list. Each has a page in `docs/errors/`.

/// In alphabetical order.
pub const CODES: &[&str] = &[
    "checks-failed",
    "forbids-nothing",
    "no-such-hunk",
    "no-such-line",
    "no-such-task",
    "no-such-turn",
    "nothing-to-accept",
    "nothing-to-commit",
    "nothing-under-way",
    "queue-full",
    "too-many-tasks",
    "too-much-forbidden",
    "work-under-way",
];
