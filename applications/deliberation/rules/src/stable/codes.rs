//! The outward codes of a stable's refusals, in one list. Each has a page in `docs/errors/`.

/// What a stable may say no with, in alphabetical order; beside it what any session may.
pub const STABLE_CODES: &[&str] = &[
    "active-full",
    "change-under-way",
    "debater-exists",
    "debater-unknown",
    "debater-unready",
    "debaters-full",
    "id-unfit",
    "tutorial-used",
    "values-unfit",
];
