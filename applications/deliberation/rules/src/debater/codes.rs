//! The outward codes of a debater's refusals, in one list. Each has a page in `docs/errors/`.

/// What a debater may say no with, in alphabetical order; beside it what any session may, and what the
/// stable says before it (`STABLE_CODES`).
pub const DEBATER_CODES: &[&str] = &[
    "debate-not-completed",
    "debater-growing",
    "debater-in-reserve",
    "debater-retired",
    "debater-seated",
    "debater-unborn",
    "feedback-applied",
    "feedback-closed",
    "feedback-exists",
    "feedback-unknown",
    "knowledge-full",
    "knowledge-unknown",
    "not-a-participant",
    "nothing-to-take-back",
    "run-full",
    "seat-taken",
    "seat-unknown",
    "trial-under-way",
];
